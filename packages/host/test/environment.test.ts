/** What commands find in their environment: nothing that makes a line mean something else, and git that only looks. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { localHost } from '../src/index.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tau-env-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

async function run(command: string, env: NodeJS.ProcessEnv = {}, readOnly = false): Promise<string> {
  let output = '';
  const host = localHost({ cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env } });
  const signal = new AbortController().signal;
  const onOutput = (chunk: string) => {
    output += chunk;
  };
  await host.processes.run({ command, readOnly, timeoutMs: 20_000, signal, onOutput });
  return output;
}

test('no variable makes a line mean something else than it says', async () => {
  mkdirSync(join(cwd, 'elsewhere/src'), { recursive: true });
  mkdirSync(join(cwd, 'src'));
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(cwd, name), '');
  writeFileSync(join(cwd, 'start'), 'echo started; ls() { echo not ls; }');
  const env = {
    CDPATH: join(cwd, 'elsewhere'),
    BASH_ENV: join(cwd, 'start'),
    ENV: join(cwd, 'start'),
    GLOBIGNORE: 'a*',
    IFS: ',',
    SHELLOPTS: 'noglob:xtrace',
    BASHOPTS: 'dotglob',
    'BASH_FUNC_echo%%': '() { builtin echo not echo; }',
    PS4: '$(echo traced)',
    KEPT: 'kept',
  };
  const said = await run('cd src && pwd; cd ..; echo *.txt; x=a,b; echo $x; ls -d src; bash -c "echo $KEPT"', env);
  expect(said).toBe(`${join(cwd, 'src')}\na.txt b.txt\na,b\nsrc\nkept\n`);
});

test('what the user sets for commands counts all the same', async () => {
  writeFileSync(join(cwd, 'start'), 'echo started');
  let output = '';
  const host = localHost({
    cwd,
    env: { PATH: process.env.PATH },
    commandEnv: { BASH_ENV: join(cwd, 'start') },
  });
  const signal = new AbortController().signal;
  const onOutput = (chunk: string) => {
    output += chunk;
  };
  await host.processes.run({ command: 'echo said', timeoutMs: 20_000, signal, onOutput });
  expect(output).toBe('started\nsaid\n');
});

/** A repository with a change, and a program that leaves a trace when it is run. */
function makeRepository(): { canary: string; trace: string } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: cwd } });
  const trace = join(cwd, '.git/trace');
  const canary = join(cwd, '.git/canary');
  git('init', '-q');
  git('config', 'user.email', 'a@example.org');
  git('config', 'user.name', 'a');
  for (const text of ['one', 'two']) {
    writeFileSync(join(cwd, 'f'), text);
    git('add', '.');
    git('commit', '-qm', text);
  }
  writeFileSync(join(cwd, 'f'), 'three');
  writeFileSync(canary, `#!/bin/sh\necho run >> ${trace}\ncat\n`);
  chmodSync(canary, 0o755);
  return { canary, trace };
}

const looks = [
  'git status',
  'git diff',
  'git diff --cached',
  'git log -p -2',
  'git show',
  'git blame f',
  'git grep t',
  'git ls-files -m -o',
  'git branch -a',
].join('; ');

test.each(['core.fsmonitor', 'gpg.program'])(
  'git in a command that is proved to only read does not run %s',
  async (key) => {
    const { canary, trace } = makeRepository();
    signHead();
    execFileSync('git', ['config', key, canary], { cwd });
    execFileSync('git', ['config', 'log.showSignature', 'true'], { cwd });
    await run(looks, {}, true);
    expect(existsSync(trace)).toBe(false);
    await run(looks);
    expect(existsSync(trace)).toBe(true);
  },
);

/** The newest commit once more, with something in it that git takes for a signature. */
function signHead(): void {
  const commit = execFileSync('git', ['cat-file', 'commit', 'HEAD'], { cwd, encoding: 'utf8' });
  const lines = ['-----BEGIN PGP SIGNATURE-----', '', 'x', '-----END PGP SIGNATURE-----'].join('\n ');
  const input = commit.replace('\n\n', `\ngpgsig ${lines}\n\n`);
  const hash = execFileSync('git', ['hash-object', '-w', '-t', 'commit', '--stdin'], { cwd, input, encoding: 'utf8' });
  execFileSync('git', ['update-ref', 'HEAD', hash.trim()], { cwd });
}

test('hooks and the index of a repository are left alone by a look, and by nothing else', async () => {
  const { canary, trace } = makeRepository();
  execFileSync('cp', [canary, join(cwd, '.git/hooks/post-index-change')]);
  const index = () => readFileSync(join(cwd, '.git/index'));
  writeFileSync(join(cwd, 'f'), 'two');
  const before = index();
  await run(looks, {}, true);
  expect(existsSync(trace)).toBe(false);
  expect(index().equals(before)).toBe(true);
  await run('git status');
  expect(existsSync(trace)).toBe(true);
});

test('a bare repository that lies in the project is not obeyed by a look', async () => {
  const { canary, trace } = makeRepository();
  execFileSync('git', ['clone', '-q', '--bare', '.', 'inner'], { cwd });
  execFileSync('git', ['config', '-f', 'inner/config', 'core.bare', 'false'], { cwd });
  execFileSync('git', ['config', '-f', 'inner/config', 'core.worktree', '..'], { cwd });
  execFileSync('git', ['config', '-f', 'inner/config', 'core.fsmonitor', canary], { cwd });
  expect(await run('cd inner && git status', {}, true)).toContain('cannot use bare repository');
  expect(existsSync(trace)).toBe(false);
});

test('settings that the user gave git by variables stay, below those of a look', async () => {
  makeRepository();
  const env = {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'tau.mine',
    GIT_CONFIG_VALUE_0: 'yes',
    GIT_CONFIG_KEY_1: 'core.pager',
    GIT_CONFIG_VALUE_1: 'evil',
  };
  expect(await run('git config tau.mine; git config core.pager', env, true)).toBe('yes\ncat\n');
});
