import { readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSeenFiles } from '../src/seen.ts';
import { pdfOf } from './documents.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const file = (name: string) => join(bench.cwd, name);
const edit = { path: 'a.txt', old_string: 'one', new_string: 'two' };
const write = { path: 'a.txt', content: 'new\n' };

test.each([
  ['edit', edit, 'a.txt exists, but you have not read it. Read it first, then repeat the edit.'],
  ['write', write, 'a.txt exists, but you have not read it. Read it first, then write it.'],
])('%s refuses a file that was never read', async (tool, input, message) => {
  await writeFile(file('a.txt'), 'one\n');
  const result = await bench.call(tool, input);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(message);
  expect(await readFile(file('a.txt'), 'utf8')).toBe('one\n');
});

test.each([
  ['edit', edit, 'a.txt changed since you read it. Read it again, then repeat the edit.'],
  ['write', write, 'a.txt changed since you read it. Read it again, then write it.'],
])('%s refuses a file that changed since it was read, until it is read again', async (tool, input, message) => {
  await writeFile(file('a.txt'), 'one\n');
  await bench.call('read', { path: 'a.txt' });
  await writeFile(file('a.txt'), 'one and more\n');
  expect(textOf(await bench.call(tool, input))).toBe(message);
  expect(await readFile(file('a.txt'), 'utf8')).toBe('one and more\n');
  await bench.call('read', { path: 'a.txt' });
  expect((await bench.call(tool, input)).isError).toBeUndefined();
});

test('a change that keeps size and time is noticed', async () => {
  await writeFile(file('a.txt'), 'one\n');
  await utimes(file('a.txt'), 1000, 1000);
  await bench.call('read', { path: 'a.txt' });
  await writeFile(file('a.txt'), 'One\n');
  await utimes(file('a.txt'), 1000, 1000);
  expect(textOf(await bench.call('write', write))).toContain('changed since you read it');
});

test.each([
  ['edit', edit],
  ['write', write],
])('%s accepts a file that was touched but holds the same', async (tool, input) => {
  await writeFile(file('a.txt'), 'one\n');
  await bench.call('read', { path: 'a.txt' });
  await writeFile(file('a.txt'), 'one\n');
  await utimes(file('a.txt'), 1000, 1000);
  expect((await bench.call(tool, input)).isError).toBeUndefined();
});

test('what the model wrote or edited it need not read', async () => {
  await bench.call('write', { path: 'a.txt', content: 'one\n' });
  expect(textOf(await bench.call('edit', edit))).toContain('Replaced 1');
  expect(textOf(await bench.call('edit', { ...edit, old_string: 'two', new_string: 'three' }))).toContain('Replaced 1');
  expect(textOf(await bench.call('write', write))).toContain('Wrote a.txt');
});

test('a file is known by every name it has', async () => {
  await writeFile(file('a.txt'), 'one\n');
  await symlink('a.txt', file('link.txt'));
  await bench.call('read', { path: 'link.txt' });
  expect(textOf(await bench.call('edit', edit))).toContain('Replaced 1');
});

test('a PDF that was read may be replaced or deleted as any other file', async () => {
  await writeFile(file('a.pdf'), pdfOf(['words']));
  await bench.call('read', { path: 'a.pdf' });
  expect(textOf(await bench.call('write', { path: 'a.pdf', content: 'new\n' }))).toContain('Wrote a.pdf');
});

test('an empty file may be written without a look', async () => {
  await writeFile(file('a.txt'), '');
  expect(textOf(await bench.call('write', write))).toBe('Wrote a.txt (4 bytes)');
});

test('after ten thousand files the first is forgotten, and must be read again', () => {
  const seen = createSeenFiles();
  const stat = { kind: 'file', size: 1, mtimeMs: 1 } as const;
  for (let count = 0; count <= 10_000; count++) seen.note(`/${count}`, stat);
  expect(seen.state('/0', stat)).toBe('never');
  expect(seen.state('/1', stat)).toBe('same');
  expect(seen.state('/10000', { ...stat, size: 2 })).toBe('changed');
});

test('contents that differ in one byte are told apart, at any length', () => {
  const stat = { kind: 'file', size: 1, mtimeMs: 1 } as const;
  for (const length of [1, 3, 4, 5, 8, 1000, 1001]) {
    const content = Buffer.alloc(length, 'ab');
    for (const at of [0, Math.floor(length / 2), length - 1]) {
      const seen = createSeenFiles();
      seen.note('/a', stat, content);
      const other = Buffer.from(content);
      other[at] = 0;
      expect(seen.state('/a', stat, content)).toBe('same');
      expect(seen.state('/a', stat, other)).toBe('changed');
    }
  }
});
