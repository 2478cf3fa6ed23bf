import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tool, ToolInput } from '@tau/core';
import { localHost } from '@tau/host';
import { expect, test } from 'vitest';
import { builtinTools } from '../src/index.ts';
import { shellIn } from './shell-in.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const grep = async (input: ToolInput) => textOf(await bench.call('grep', input));

async function put(path: string, content = 'needle\n'): Promise<void> {
  await mkdir(dirname(join(bench.cwd, path)), { recursive: true });
  await writeFile(join(bench.cwd, path), content);
}

test('each search tool costs at most 450 bytes of a request', () => {
  for (const name of ['grep', 'glob', 'ls']) {
    const { description, parameters } = bench.tool(name);
    expect(Buffer.byteLength(JSON.stringify({ name, description, parameters }))).toBeLessThanOrEqual(450);
  }
});

test('lines are path:line:text, with paths that other tools take', async () => {
  await put('src/a.ts', 'one\nneedle\n');
  await put('b.ts', 'needle\n');
  expect(await grep({ pattern: 'needle' })).toBe('b.ts:1:needle\nsrc/a.ts:2:needle');
  expect(await grep({ pattern: 'needle', path: './src/' })).toBe('src/a.ts:2:needle');
  expect(await grep({ pattern: 'needle', path: join(bench.cwd, 'src') })).toBe(`${bench.cwd}/src/a.ts:2:needle`);
  expect(await grep({ pattern: 'needle', path: 'src/a.ts' })).toBe('src/a.ts:2:needle');
});

test('context lines have dashes, and groups are set apart', async () => {
  await put('a', '1\nneedle\n3\n4\n5\nneedle\n');
  await put('b');
  expect(await grep({ pattern: 'needle', context: 1 })).toBe(
    'a-1-1\na:2:needle\na-3-3\n--\na-5-5\na:6:needle\n--\nb:1:needle',
  );
});

test('too many matches are cut, and it is said how to narrow', async () => {
  await put('a', 'needle\n'.repeat(150));
  const found = await grep({ pattern: 'needle' });
  expect(found.split('\n')).toHaveLength(101);
  expect(found).toMatch(/\[The first 100 matches; there are more\. Narrow path, glob or pattern, or raise limit/);
  expect(await grep({ pattern: 'needle', limit: 200 })).not.toContain('there are more');
});

test('the result stays within 50 KB, whatever the limit', async () => {
  await put('a', `needle ${'x'.repeat(400)}\n`.repeat(900));
  const found = await grep({ pattern: 'needle', limit: 1000 });
  expect(Buffer.byteLength(found)).toBeLessThan(51 * 1024);
  expect(found).toMatch(/there are more\. Narrow path, glob or pattern\.\]$/);
});

test('files and counts, with their sums', async () => {
  await put('a', 'needle\nneedle\n');
  await put('b', 'nothing\n');
  expect(await grep({ pattern: 'needle', output: 'files' })).toBe('a');
  expect(await grep({ pattern: 'needle', output: 'count' })).toBe('a:2\n[2 lines in 1 file]');
});

test('nothing found says what was not searched', async () => {
  expect(await grep({ pattern: 'x+' })).toBe(
    'No line matches x+. Ignored files, binary files and .git were not searched.',
  );
});

test('a bad pattern, a missing path and a glob nobody can read say what to do', async () => {
  await put('source.ts');
  expect(await bench.call('grep', { pattern: 'f(' })).toMatchObject({ isError: true });
  expect(await grep({ pattern: 'f(' })).toMatch(/literal/);
  expect(await grep({ pattern: 'x', path: 'sorce.ts' })).toMatch(/no file sorce\.ts.*source\.ts/);
  expect(await grep({ pattern: 'x', glob: '[' })).toMatch(/The glob \[ cannot be used.*Write one like/);
});

test('a name with a line break stays on one line', async () => {
  await put('two\nlines');
  expect(await grep({ pattern: 'needle' })).toBe('two\\nlines:1:needle');
});

test("other agents' parameters are understood", () => {
  const { prepare, aliases } = bench.tool('grep');
  expect(prepare?.({ pattern: 'x', '-n': true, '-A': 2, '-B': '5', output_mode: 'files_with_matches' })).toEqual({
    pattern: 'x',
    context: 5,
    output: 'files',
  });
  expect(prepare?.({ pattern: 'x', type: 'ts', multiline: false, case_sensitive: false })).toEqual({
    pattern: 'x',
    glob: '*.{ts,tsx,mts,cts}',
    ignore_case: true,
  });
  expect(prepare?.({ pattern: 'x', type: 'zig', glob: 'src/*.zig' })).toEqual({ pattern: 'x', glob: 'src/*.zig' });
  expect(() => prepare?.({ pattern: 'x', multiline: true })).toThrow(/one line at a time/);
  expect(aliases).toMatchObject({ '-i': 'ignore_case', head_limit: 'limit', include: 'glob' });
});

test('an aborted search says so', async () => {
  await put('a');
  const result = await bench.call('grep', { pattern: 'needle' }, { signal: AbortSignal.abort() });
  expect(textOf(result)).toBe('Stopped: the user interrupted');
});

/** The tools of a host where something may not be read. */
async function guarded(mayRead: (path: string) => boolean, deniesBelow?: (folder: string) => boolean) {
  const tools = new Map<string, Tool>();
  const options = { shell: shellIn(), mayRead, ...(deniesBelow && { deniesBelow }) };
  await builtinTools(localHost({ cwd: bench.cwd }), options).register({
    tool: (tool) => void tools.set(tool.name, tool),
    beforeTool() {},
    transformContext() {},
    beforeStop() {},
    on() {},
    say() {},
    status() {},
    afterTool() {},
  });
  return async (name: string, input: ToolInput) => {
    const ask = async () => ({ unattended: true }) as const;
    const { signal } = new AbortController();
    const context = { toolCallId: 'call', cwd: bench.cwd, signal, onUpdate() {}, ask };
    return textOf((await tools.get(name)?.run(input, context)) ?? { content: [] });
  };
}

test('denied files are left out and counted, and the count does not depend on what is in them', async () => {
  await put('secrets/key', 'needle = 42\n');
  await put('secrets/other', 'nothing\n');
  await put('open', 'needle\n');
  await symlink('secrets', join(bench.cwd, 'door'));
  const call = await guarded((path) => !path.startsWith(join(bench.cwd, 'secrets')));
  const note = '[2 files left out: reading is denied, or asks first: name them in path.]';
  expect(await call('grep', { pattern: 'needle' })).toBe(`open:1:needle\n${note}`);
  expect(await call('grep', { pattern: 'absent' })).toMatch(/^No line matches.*\n\[2 files left out/);
  expect(await call('grep', { pattern: '42', output: 'count' })).toContain(note);
  expect(await call('grep', { pattern: 'needle', path: 'door' })).toContain(note);
  expect(await call('glob', { pattern: '*' })).toBe(`open\n${note}`);
});

test('where nothing can be denied nothing is counted', async () => {
  await put('open');
  let asked = 0;
  const mayRead = () => {
    asked += 1;
    return true;
  };
  const call = await guarded(mayRead, () => false);
  expect(await call('grep', { pattern: 'absent' })).toMatch(/^No line matches/);
  expect(asked).toBe(0);
});
