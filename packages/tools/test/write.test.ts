import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

test('a new file is created, with its folders', async () => {
  const result = await bench.call('write', { path: 'a/b.txt', content: 'é\n' });
  expect(textOf(result)).toBe('Created a/b.txt (3 bytes)');
  expect(result.details).toEqual({ path: 'a/b.txt', bytes: 3, created: true });
  expect(await readFile(join(bench.cwd, 'a/b.txt'), 'utf8')).toBe('é\n');
});

test('a replaced text file comes with its diff', async () => {
  await writeFile(join(bench.cwd, 'a.txt'), 'one\ntwo\n');
  const result = await bench.call('write', { path: 'a.txt', content: 'one\nTWO\n' });
  expect(textOf(result)).toBe('Wrote a.txt (8 bytes)');
  expect(result.details).toMatchObject({ created: false, diff: expect.stringContaining('-two\n+TWO\n') });
});

test('a replaced binary file has no diff', async () => {
  await writeFile(join(bench.cwd, 'a.bin'), Buffer.from([0, 1, 2]));
  const result = await bench.call('write', { path: 'a.bin', content: 'text' });
  expect(result.details).toEqual({ path: 'a.bin', bytes: 4, created: false });
});

test('a folder is not replaced', async () => {
  await mkdir(join(bench.cwd, 'src'));
  const result = await bench.call('write', { path: 'src', content: 'x' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('Cannot write src: it is a folder. Name a file in it.');
});

test.each([
  ['write', { path: 'a.txt', content: 'new\n' }],
  ['edit', { path: 'a.txt', old_string: 'old', new_string: 'new' }],
])('%s leaves the file alone when the user interrupted', async (tool, input) => {
  await writeFile(join(bench.cwd, 'a.txt'), 'old\n');
  const result = await bench.call(tool, input, { signal: AbortSignal.abort() });
  expect(textOf(result)).toBe('Not written: the user interrupted');
  expect(await readFile(join(bench.cwd, 'a.txt'), 'utf8')).toBe('old\n');
});
