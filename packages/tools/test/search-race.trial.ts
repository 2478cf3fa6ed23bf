/** Searches beside a process that puts links to outside in their way: what is found is where it was judged to be. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError, type Tool, type ToolInput } from '@tau/core';
import { type Host, localHost } from '@tau/host';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtinTools } from '../src/index.ts';
import { shellIn } from './shell-in.ts';
import { textOf } from './workbench.ts';

let base: string;
let cwd: string;
let outside: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'tau-race-')));
  cwd = join(base, 'project');
  outside = join(base, 'outside');
  await mkdir(join(cwd, 'dir/deep'), { recursive: true });
  await mkdir(join(outside, 'deep'), { recursive: true });
  for (const name of ['same.txt', 'inside.txt', 'deep/same.txt']) await writeFile(join(cwd, 'dir', name), 'needle\n');
  for (const name of ['same.txt', 'secret.txt', 'deep/same.txt', 'deep/secret.txt']) {
    await writeFile(join(outside, name), 'needle secret\nneedle\n');
  }
});
afterEach(() => rm(base, { recursive: true, force: true }));

interface Bench {
  /** Where the paths of a call lead now, as the gate asks. */
  judge(name: string, input: ToolInput): Promise<ReadonlyMap<string, string>>;
  run(name: string, input: ToolInput, judged: ReadonlyMap<string, string>): Promise<string>;
}

async function benchWith(engine: 'ripgrep' | 'plain'): Promise<Bench> {
  const host: Host = localHost({ cwd, searchEngine: engine });
  const tools = new Map<string, Tool>();
  await builtinTools(host, { shell: shellIn() }).register({
    tool: (tool) => void tools.set(tool.name, tool),
    beforeTool() {},
    transformContext() {},
    beforeStop() {},
    on() {},
    say() {},
    status() {},
    afterTool() {},
  });
  const find = (name: string) => {
    const tool = tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool;
  };
  const { signal } = new AbortController();
  const ask = async () => ({ unattended: true }) as const;
  return {
    async judge(name, input) {
      const paths = (await find(name).effects(input, { cwd })).flatMap((one) => (one.kind === 'read' ? one.path : []));
      return new Map(await Promise.all(paths.map(async (path) => [path, await host.files.resolve(path)] as const)));
    },
    run: (name, input, judged) =>
      find(name)
        .run(input, { toolCallId: 'call', cwd, signal, judged, onUpdate() {}, ask })
        .then(textOf, describeError),
  };
}

const below: [string, ToolInput][] = [
  ['grep', { pattern: 'needle', path: 'dir' }],
  ['grep', { pattern: 'needle', path: 'dir', output: 'count' }],
  ['grep', { pattern: 'needle', path: 'dir/same.txt' }],
  ['glob', { pattern: '*.txt', path: 'dir' }],
  ['glob', { pattern: `../project/dir/*.txt` }],
  ['ls', { path: 'dir' }],
];
const elsewhere = 'where it leads changed after it was judged';

describe.each(['ripgrep', 'plain'] as const)('with %s', (engine) => {
  test.each(below)('%s %j does not begin at a link that took the place of what was judged', async (name, input) => {
    const { judge, run } = await benchWith(engine);
    const judged = await judge(name, input);
    expect(await run(name, input, judged)).toMatch(/same\.txt/);
    await rename(join(cwd, 'dir'), join(cwd, 'away'));
    await symlink(outside, join(cwd, 'dir'));
    const said = await run(name, input, judged);
    expect(said).toContain(elsewhere);
    expect(said).toContain('Try again');
    expect(said).not.toContain('secret');
  });

  test('a link that was there when it was judged leads where it led then, under the name that was asked for', async () => {
    await symlink('dir', join(cwd, 'link'));
    const { judge, run } = await benchWith(engine);
    const input = { pattern: 'needle', path: 'link' };
    const judged = await judge('grep', input);
    await rm(join(cwd, 'link'));
    await symlink(outside, join(cwd, 'link'));
    expect(await run('grep', input, judged)).toBe(
      'link/deep/same.txt:1:needle\nlink/inside.txt:1:needle\nlink/same.txt:1:needle',
    );
    expect(await run('ls', { path: 'link' }, judged)).toBe('deep/\ninside.txt\nsame.txt');
  });

  test('nothing is searched that was not judged', async () => {
    const { run } = await benchWith(engine);
    for (const [name, input] of below.slice(0, 4)) {
      expect(await run(name, input, new Map())).toContain('it was not part of what was judged');
    }
  });

  test('a name that is not there is not explained by the names in a link', async () => {
    const { judge, run } = await benchWith(engine);
    const input = { path: 'dir/secret.tx' };
    const judged = await judge('ls', input);
    await rename(join(cwd, 'dir'), join(cwd, 'away'));
    await symlink(outside, join(cwd, 'dir'));
    expect(await run('ls', input, judged)).not.toContain('secret.txt');
  });

  test('the folder searched is swapped for a link all the time, and nothing outside is found', async () => {
    const { calm } = await beside(60, await benchWith(engine), below);
    // What is said of a link is tested above; whether a search meets one here is luck.
    expect(calm).toContain('deep/\ninside.txt\nsame.txt');
    for (const text of calm) expect(text).toMatch(/same\.txt/);
  });

  test('a folder below it is swapped for a link all the time, and nothing outside is found', async () => {
    await writeFile(join(cwd, 'calm.txt'), 'needle\n');
    const { told, calm } = await beside(15, await benchWith(engine), [
      ['grep', { pattern: 'needle' }],
      ['grep', { pattern: 'needle', output: 'count' }],
      ['glob', { pattern: '*.txt' }],
    ]);
    expect(told.every((text) => text.includes('calm.txt'))).toBe(true);
    for (const text of calm) expect(text).toMatch(/dir\/deep\/same\.txt/);
  });

  test('what was written a moment ago is found', async () => {
    const { judge, run } = await benchWith(engine);
    const input = { pattern: 'fresh', path: 'dir' };
    const judged = await judge('grep', input);
    for (let round = 0; round < 5; round++) {
      await mkdir(join(cwd, `dir/${round}`));
      await writeFile(join(cwd, `dir/${round}/a`), 'fresh\n');
      expect((await run('grep', input, judged)).split('\n')).toHaveLength(round + 1);
    }
  });
});

/** Swaps a folder for a link and back until it is killed, mostly without a rest. */
const swapper = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [dir, outside] = process.argv.slice(1);
  const rest = new Int32Array(new SharedArrayBuffer(4));
  const end = Date.now() + 60000;
  process.stdout.write('ready');
  while (Date.now() < end) {
    renameSync(dir, dir + '-away');
    symlinkSync(outside, dir);
    Atomics.wait(rest, 0, 0, Math.random() * 2);
    unlinkSync(dir);
    renameSync(dir + '-away', dir);
    Atomics.wait(rest, 0, 0, Math.random() * 2);
  }
`;

/** All that was said in so many rounds, and what is said when the folder is in its place again. */
async function beside(rounds: number, { judge, run }: Bench, asked: readonly [string, ToolInput][]) {
  const judged = await Promise.all(asked.map(([name, input]) => judge(name, input)));
  const other = spawn(process.execPath, ['-e', swapper, join(cwd, 'dir'), outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => other.once('exit', resolve));
  await new Promise((resolve) => other.stdout.once('data', resolve));
  const told = new Set<string>();
  const runAll = async () => {
    const all: string[] = [];
    for (const [at, [name, input]] of asked.entries()) all.push(await run(name, input, judged[at] ?? new Map()));
    return all;
  };
  try {
    for (let round = 0; round < rounds; round++) for (const text of await runAll()) told.add(text);
  } finally {
    other.kill('SIGKILL');
    await gone;
  }
  const dir = join(cwd, 'dir');
  if (existsSync(`${dir}-away`)) {
    await rm(dir, { force: true });
    await rename(`${dir}-away`, dir);
  }
  const calm = await runAll();
  for (const text of [...told, ...calm]) {
    expect(text).not.toContain('secret');
    // The file that is outside under the same name has two such lines.
    expect(text).not.toMatch(/same\.txt:2/);
  }
  return { told: [...told], calm };
}
