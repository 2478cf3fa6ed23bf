/** The project in which generated lines are really run, as the agent itself would see it and run them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localHost } from '@tau/host';
import { createShellReader, isTrustedPath, type ShellReader } from '@tau/policy';
import { makeTracePlace, type TracePlace } from '@tau/testkit';
import { fuzzedPrograms, type Options } from '../../policy/test/fuzz-lines.ts';
import { createShellFacts } from '../src/shell-facts.ts';

export interface FuzzPlace extends TracePlace {
  reader: ShellReader;
  /** What a command that is proved to only read gets. */
  env: Record<string, string>;
}

const path = '/usr/local/bin:/usr/bin:/bin';

/** In the plain language letters are bytes, and no program opens a dozen files more to know better. */
export async function makeFuzzPlace(language = 'C'): Promise<FuzzPlace> {
  const place = makeTracePlace();
  const { project, home, temp } = place;
  fillProject(place);
  const own = { PATH: path, HOME: home, TMPDIR: temp, SHELL: '/bin/bash', LC_ALL: language, USER: 'nobody' };
  const trustedPath = () => isTrustedPath(path, [project, temp]);
  const reader = createShellReader(createShellFacts({ cwd: project, env: own, settings: {}, trustedPath }));
  await reader.ready('$(ready)');
  return { ...place, reader, env: await commandEnv(project, own) };
}

/** Asked of the host itself: what it changes in the environment is part of the proof. */
async function commandEnv(cwd: string, env: Record<string, string>): Promise<Record<string, string>> {
  const host = localHost({ cwd, env });
  let printed = '';
  await host.processes.run({
    command: 'env -0',
    readOnly: true,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      printed += chunk;
    },
  });
  await host.processes.end();
  const pairs = printed.split('\0').filter((pair) => pair.includes('='));
  if (pairs.length < Object.keys(env).length) throw new Error(`the host gave no environment: ${printed}`);
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** A repository with names that look like options, links that lead out, and a second repository that bites. */
function fillProject({ project, home, temp }: TracePlace): void {
  const files: Record<string, string> = {
    'a.txt': 'one two\nthree\nw\n',
    'b.txt': 'one\ntwo\n',
    'nums.txt': '3\n1\n2\n',
    'data.json': '{"x":[1,2]}\n',
    'with blank.txt': 'blank\n',
    'sub/c.txt': 'one\n',
    '-delete': '',
    '--output=x': '',
    '-exec': '',
    '-o': 'a\n',
    // Lines that become patterns where nobody quotes them.
    list: '../*\nlink/[a-z]*\n/*\n',
    // Programs of the project, which no plain name may mean.
    ls: '#!/bin/sh\ntouch new\n',
    'sub/cat': '#!/bin/sh\ntouch new\n',
  };
  for (const folder of ['sub', 'wild']) mkdirSync(join(project, folder));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  for (const name of ['ls', 'sub/cat']) chmodSync(join(project, name), 0o755);
  writeFileSync(join(home, 'secret'), 'secret\n');
  for (const name of ['.bashrc', '.bash_profile', '.profile']) writeFileSync(join(home, name), 'touch ~/started\n');
  symlinkSync('../home', join(project, 'link'));
  execFileSync('sh', ['-c', 'tar cf a.tar a.txt; gzip -k b.txt; tar czf a.tgz sub'], { cwd: project, stdio: 'pipe' });
  symlinkSync('../home/secret', join(project, 'file-link'));
  symlinkSync('../../home', join(project, 'sub/up'));
  symlinkSync('..', join(project, 'up'));
  symlinkSync('.', join(project, 'loop'));
  const env = { PATH: path, HOME: temp, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.invalid', ...args], {
      cwd: join(project, folder),
      env,
      stdio: 'pipe',
    });
  for (const folder of ['wild', '.']) {
    git(folder, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(project, folder, 'a.txt'), 'zero\n');
    git(folder, 'add', 'a.txt');
    git(folder, 'commit', '--quiet', '-m', 'start');
    // In the one that bites a change that only a look inside tells, which is what its filter waits for.
    writeFileSync(join(project, folder, 'a.txt'), folder === '.' ? 'one two\nthree\nw\n' : 'zer0\n');
  }
  const bite =
    '[core]\n\tfsmonitor = touch new; true\n[diff]\n\texternal = touch new\n[filter "x"]\n\tclean = touch new\n';
  writeFileSync(join(project, 'wild/.git/config'), bite, { flag: 'a' });
  writeFileSync(join(project, 'wild/.gitattributes'), '* filter=x\n');
}

/** The options that the programs of this machine offer, whether tau knows them or not. */
export function offeredOptions({ project, env }: FuzzPlace): Options {
  const offered = new Map<string, readonly string[]>();
  for (const name of fuzzedPrograms) {
    const help = name === 'git' ? gitSubcommands.map((sub) => [sub, '-h']) : [['--help']];
    const found = help.flatMap((args) => optionsIn(helpOf(name, args, { cwd: project, env })));
    offered.set(name, [...new Set(found)]);
  }
  return offered;
}

const gitSubcommands = 'status diff log show branch tag ls-files rev-parse blame remote stash grep config'.split(' ');

function helpOf(name: string, args: string[], place: { cwd: string; env: Record<string, string> }): string {
  const { stdout, stderr } = spawnSync(name, args, {
    ...place,
    encoding: 'utf8',
    timeout: 5000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return `${stdout ?? ''}\n${stderr ?? ''}`;
}

/** `--name=` for those that take a value. */
function optionsIn(help: string): string[] {
  const found: string[] = [];
  for (const [, name = '', value] of help.matchAll(/(?<![\w-])(--?[A-Za-z0-9][\w-]*)(\[?=|[ ]?<|[ ][A-Z]{2,})?/g)) {
    found.push(value === undefined ? name : `${name}=`);
  }
  return found.slice(0, 200);
}
