import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolInput } from '@tau/core';
import { type Host, localHost } from '@tau/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editTool } from '../src/edit/edit.ts';
import { createSeenFiles } from '../src/seen.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

async function edit(content: string | Uint8Array, input: ToolInput) {
  const file = join(bench.cwd, 'f.txt');
  await writeFile(file, content);
  const result = await bench.call('edit', { path: 'f.txt', ...input });
  return { text: textOf(result), result, after: await readFile(file) };
}

test('the one place is replaced, and the answer counts it', async () => {
  const input = { old_string: 'b\nc\nd', new_string: 'B\nC\nD' };
  const { text, result, after } = await edit('a\nb\nc\nd\ne\n', input);
  expect(after.toString()).toBe('a\nB\nC\nD\ne\n');
  expect(text).toBe('Replaced 1 occurrence in f.txt (3 lines changed)');
  const diff = expect.stringContaining('-b\n-c\n-d\n+B\n+C\n+D\n');
  expect(result.details).toEqual({ path: 'f.txt', replacements: 1, diff });
});

test('a text that is not there is an error that says to read again', async () => {
  const { text, result, after } = await edit('a\n', { old_string: 'z', new_string: 'y' });
  expect(result.isError).toBe(true);
  expect(text).toContain('old_string is not in f.txt. Read the file again');
  expect(after.toString()).toBe('a\n');
});

test('an ambiguous text lists its lines and the two ways out', async () => {
  const { text, after } = await edit('x\ny\nx\nx\n', { old_string: 'x', new_string: 'z' });
  expect(text).toBe(
    'old_string is in f.txt 3 times, at lines 1, 3, 4. Add lines around it to make it unique, or set replace_all.',
  );
  expect(after.toString()).toBe('x\ny\nx\nx\n');
});

test('at most ten lines are listed', async () => {
  const { text } = await edit('x\n'.repeat(500), { old_string: 'x', new_string: 'z' });
  expect(text).toContain('more than 10 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10. Add');
});

test('a text that overlaps itself is ambiguous', async () => {
  const { text } = await edit('aaa', { old_string: 'aa', new_string: 'b' });
  expect(text).toContain('2 times');
});

test('replace_all replaces every occurrence', async () => {
  const { text, after } = await edit('x y x\nx\n', { old_string: 'x', new_string: 'xx', replace_all: true });
  expect(after.toString()).toBe('xx y xx\nxx\n');
  expect(text).toBe('Replaced 3 occurrences in f.txt (2 lines changed)');
});

test('several edits are matched against the original and applied as one', async () => {
  const edits = [
    { old_string: 'two', new_string: 'one' },
    { old_string: 'one', new_string: 'two' },
  ];
  const { text, after } = await edit('one\ntwo\n', { edits });
  expect(after.toString()).toBe('two\none\n');
  expect(text).toContain('Replaced 2 occurrences');
});

test('one bad edit among several changes nothing, and is named', async () => {
  const edits = [
    { old_string: 'one', new_string: '1' },
    { old_string: 'three', new_string: '3' },
  ];
  const { text, after } = await edit('one\ntwo\n', { edits });
  expect(text).toContain('edit 2: old_string is not in f.txt');
  expect(after.toString()).toBe('one\ntwo\n');
});

test('edits that overlap are refused, edits that touch are not', async () => {
  const overlapping = [
    { old_string: 'bcd', new_string: 'x' },
    { old_string: 'ab', new_string: 'y' },
  ];
  const refused = await edit('\nabcd', { edits: overlapping });
  expect(refused.text).toBe('edit 2 and edit 1 overlap at line 2. Join them into one edit.');
  expect(refused.after.toString()).toBe('\nabcd');
  const touching = [
    { old_string: 'cd', new_string: 'x' },
    { old_string: 'ab', new_string: 'y' },
  ];
  expect((await edit('abcd', { edits: touching })).after.toString()).toBe('yx');
});

test('an edit that means nothing is refused with what to give instead', async () => {
  expect((await edit('a', { old_string: '', new_string: 'b' })).text).toContain('old_string is empty');
  expect((await edit('a', { old_string: 'a', new_string: 'a' })).text).toContain('are the same');
  expect((await edit('a', {})).text).toBe('There is nothing to replace. Give old_string and new_string, or edits.');
  expect((await edit('a', { old_string: 'a' })).text).toContain('There is nothing to replace');
  const both = { old_string: 'a', new_string: 'b', edits: [{ old_string: 'a', new_string: 'c' }] };
  expect((await edit('a', both)).text).toContain('Give either the pair or edits');
});

test('byte order mark, line endings, a missing final newline and the mode are kept', async () => {
  const file = join(bench.cwd, 'f.txt');
  await writeFile(file, '');
  await chmod(file, 0o754);
  const { after } = await edit('\uFEFFa\r\nb\nc', { old_string: 'b', new_string: 'B' });
  expect(after).toEqual(Buffer.from('\uFEFFa\r\nB\nc'));
  expect((await stat(file)).mode & 0o7777).toBe(0o754);
});

test('a mismatch that is only about line endings says so', async () => {
  const { text } = await edit('a\r\nb\r\n', { old_string: 'a\nb', new_string: 'c' });
  expect(text).toContain('Its lines end in \\r\\n');
});

test('a file that is not UTF-8 is refused and stays as it is', async () => {
  const latin1 = Buffer.from([0x61, 0xe9, 0x62]);
  const { text, after } = await edit(latin1, { old_string: 'a', new_string: 'b' });
  expect(text).toContain('not UTF-8');
  expect(after).toEqual(latin1);
});

test('a missing file names its neighbours', async () => {
  await writeFile(join(bench.cwd, 'main.ts'), '');
  const result = await bench.call('edit', { path: 'mian.ts', old_string: 'a', new_string: 'b' });
  expect(textOf(result)).toBe('There is no file mian.ts. Near it in .: main.ts.');
});

test('a file that changes during the edit is not overwritten', async () => {
  const file = join(bench.cwd, 'f.txt');
  await writeFile(file, 'mine\n');
  const local = localHost({ cwd: bench.cwd });
  // Someone saves the file right after the tool has read it for the first time.
  const host: Host = {
    ...local,
    files: {
      ...local.files,
      async read(path) {
        const content = await local.files.read(path);
        await writeFile(file, 'theirs\n');
        return content;
      },
    },
  };
  const ask = async () => ({ unattended: true }) as const;
  const context = { toolCallId: 'call', cwd: bench.cwd, signal: new AbortController().signal, onUpdate() {}, ask };
  const run = editTool(host, createSeenFiles()).run({ path: 'f.txt', old_string: 'mine', new_string: 'ours' }, context);
  await expect(run).rejects.toThrow('f.txt was changed by someone else during the edit');
  expect(await readFile(file, 'utf8')).toBe('theirs\n');
});

test('bytes outside the matched region never change', async () => {
  const piece = fc.string({
    unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\t', 'é', '€', '😀', '\uFEFF'),
    maxLength: 12,
  });
  const property = fc.asyncProperty(piece, piece, piece, piece, async (before, wanted, replacement, after) => {
    const original = before + wanted + after;
    const found = await edit(original, { old_string: wanted, new_string: replacement });
    const unique = wanted !== '' && original.indexOf(wanted) === original.lastIndexOf(wanted);
    const expected = unique && wanted !== replacement ? before + replacement + after : original;
    expect(found.after).toEqual(Buffer.from(expected));
    expect(found.result.isError ?? false).toBe(expected === original);
  });
  await fc.assert(property, { seed: 20, numRuns: 150 });
});
