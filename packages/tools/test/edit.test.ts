import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolInput } from '@tau/core';
import { type Host, localHost } from '@tau/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editTool } from '../src/edit/edit.ts';
import { applyEdits } from '../src/edit/replace.ts';
import { createSeenFiles } from '../src/seen.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

async function edit(content: string | Uint8Array, input: ToolInput) {
  const file = join(bench.cwd, 'f.txt');
  await writeFile(file, content);
  await bench.call('read', { path: 'f.txt' });
  const result = await bench.call('edit', { path: 'f.txt', ...input });
  return { text: textOf(result), result, after: await readFile(file) };
}

test('the one place is replaced, and the answer counts it', async () => {
  const input = { old_string: 'b\nc\nd', new_string: 'B\nC\nD' };
  const { text, result, after } = await edit('a\nb\nc\nd\ne\n', input);
  expect(after.toString()).toBe('a\nB\nC\nD\ne\n');
  expect(text).toBe('Replaced 1 occurrence in f.txt (3 lines changed)');
  const diff = expect.stringContaining('-b\n-c\n-d\n+B\n+C\n+D\n');
  expect(result.details).toEqual({ path: 'f.txt', replacements: 1, firstLine: 2, diff });
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
});

test('a pair beside the list is one more edit, unless it is empty or in the list already', async () => {
  const edits = [{ old_string: 'a', new_string: 'A' }];
  const both = { old_string: 'b', new_string: 'B', edits };
  expect((await edit('a b', both)).after.toString()).toBe('A B');
  expect((await edit('a b', { ...edits[0], edits })).after.toString()).toBe('A b');
  expect((await edit('a b', { old_string: '', new_string: '', edits })).after.toString()).toBe('A b');
});

test('replace_all may be said of one edit of several', async () => {
  const edits = [
    { old_string: 'x', new_string: 'y', replace_all: true },
    { old_string: 'a', new_string: 'b' },
  ];
  expect((await edit('x a x', { edits })).after.toString()).toBe('y b y');
});

test('byte order mark, line endings, a missing final newline and the mode are kept', async () => {
  const file = join(bench.cwd, 'f.txt');
  await writeFile(file, '');
  await chmod(file, 0o754);
  const { after } = await edit('\uFEFFa\r\nb\nc', { old_string: 'b', new_string: 'B' });
  expect(after).toEqual(Buffer.from('\uFEFFa\r\nB\nc'));
  expect((await stat(file)).mode & 0o7777).toBe(0o754);
});

test('where every line ends in \\r\\n the new lines do too', async () => {
  const { after, text } = await edit('a\r\nb\r\n', { old_string: 'b', new_string: 'b\nc' });
  expect(after.toString()).toBe('a\r\nb\r\nc\r\n');
  expect(text).not.toContain('ignoring');
});

test('who speaks of \\r gets exactly the line breaks that were given', async () => {
  const { after } = await edit('a\r\nb\r\n', { old_string: 'a\r\n', new_string: 'a\n' });
  expect(after.toString()).toBe('a\nb\r\n');
});

test.each([
  ['windows-1252', Buffer.from([0x61, 0xe9, 0x20, 0x62, 0x0a]), Buffer.from([0x61, 0xe9, 0x20, 0xfc, 0x0a])],
  ['UTF-16', Buffer.from('\ufeffaé b\n', 'utf16le'), Buffer.from('\ufeffaé ü\n', 'utf16le')],
])('a file in %s is edited and stays in it', async (_, before, wanted) => {
  const { after, result } = await edit(before, { old_string: 'aé b', new_string: 'aé ü' });
  expect(after).toEqual(wanted);
  expect(result.details).toMatchObject({ diff: expect.stringContaining('-aé b\n+aé ü\n') });
});

test('a character that the encoding of the file does not have is refused', async () => {
  const latin1 = Buffer.from([0x61, 0xe9, 0x62]);
  const { text, after } = await edit(latin1, { old_string: 'a', new_string: '→' });
  expect(text).toContain('f.txt is windows-1252, which cannot hold every character of the new text');
  expect(after).toEqual(latin1);
});

test.each([
  ['half a character', '\ud83d'],
  ['half of one that is there', '\ude00'],
])('%s is never written', async (_, half) => {
  const { result, after } = await edit('a😀b', { old_string: half === '\ud83d' ? 'a' : '\ud83d', new_string: half });
  expect(result.isError).toBe(true);
  expect(after.toString()).toBe('a😀b');
});

test('a binary file and a broken one are refused and stay as they are', async () => {
  const binary = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0x61, 0xff]);
  const refused = await edit(binary, { old_string: 'a', new_string: 'b' });
  expect(refused.result.isError).toBe(true);
  expect(refused.after).toEqual(binary);
  const broken = Buffer.concat([Buffer.from('überall Umlaute äöü '), Buffer.from([0xff]), Buffer.from(' ß')]);
  const { text, after } = await edit(broken, { old_string: 'Umlaute', new_string: 'b' });
  expect(text).toContain('not valid utf-8');
  expect(after).toEqual(broken);
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
  const seen = createSeenFiles();
  const known = await local.files.stat('f.txt');
  if (known) seen.note(file, known);
  const run = editTool(host, seen).run({ path: 'f.txt', old_string: 'mine', new_string: 'ours' }, context);
  await expect(run).rejects.toThrow('f.txt was changed by someone else during the edit');
  expect(await readFile(file, 'utf8')).toBe('theirs\n');
});

test.each(['', 'x'])('no character is cut in half in what is shown of long lines, after %j', async (before) => {
  const long = `${before}same ${'😀'.repeat(200)}`;
  const near = await edit(`${long}\nthere\n`, { old_string: `${long}\nelsewhere`, new_string: '' });
  expect(near.text).toContain('The nearest lines are:');
  expect(Buffer.from(near.text).toString()).toBe(near.text);
  const tolerant = await edit(`${long}  \nthere\n`, { old_string: `${long}\nthere`, new_string: 'new' });
  expect(tolerant.text).toContain('after ignoring trailing blanks');
  expect(Buffer.from(tolerant.text).toString()).toBe(tolerant.text);
});

test('in a very large file only the exact text is looked for, and the error says so', async () => {
  const large = `first \n${'some words to fill it\n'.repeat(100_000)}`;
  const { text, after } = await edit(large, { old_string: 'first\nsome', new_string: 'x' });
  expect(text).toContain('old_string is not in f.txt. The file is large, so only the exact text was looked for.');
  expect(after.length).toBe(large.length);
  expect((await edit(large, { old_string: 'first \nsome', new_string: 'x' })).text).toContain('Replaced 1 occurrence');
});

test('too many places for one edit are refused before they fill the memory', async () => {
  const { text, after } = await edit('a'.repeat(1_000_001), { old_string: 'a', new_string: 'b', replace_all: true });
  expect(text).toContain('old_string is in f.txt more than 1000000 times');
  expect(after.length).toBe(1_000_001);
  const blanks = await edit('  ab \n'.repeat(10_001), { old_string: 'ab\n', new_string: 'c\n', replace_all: true });
  expect(blanks.text).toContain('more than 10000 times when ignoring trailing blanks');
});

test('an exact edit changes exactly its region, whatever the file', async () => {
  const piece = fc.string({
    unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\t', ' ', 'é', '“', '😀', '\uFEFF'),
    maxLength: 12,
  });
  const property = fc.asyncProperty(piece, piece, piece, piece, async (before, wanted, replacement, after) => {
    const original = before + wanted + after;
    const unique = original.indexOf(wanted) === original.lastIndexOf(wanted);
    fc.pre(wanted !== '' && unique && wanted !== replacement);
    const windows = original.includes('\n') && !/(?<!\r)\n/.test(original);
    const means = windows && !/\r/.test(wanted + replacement) ? replacement.replaceAll('\n', '\r\n') : replacement;
    const edit = { oldText: wanted, newText: replacement, replaceAll: false };
    const { text, tolerances } = await applyEdits('f', original, [edit]);
    expect(text).toBe(before + means + after);
    expect(tolerances).toEqual([]);
  });
  await fc.assert(property, { seed: 20, numRuns: 500 });
});
