import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '@tau/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits } from '../src/edit/replace.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

/** What becomes of the text, and what had to be ignored; or why nothing does. */
async function edited(text: string, oldText: string, newText: string, replaceAll = false) {
  return applyEdits('f', text, [{ oldText, newText, replaceAll }]).then(
    (replaced) => ({ text: replaced.text, ignored: replaced.tolerances.join() }),
    (error: unknown) => ({ text, error: describeError(error) }),
  );
}

test.each([
  ['line endings', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\nb', 'a\r\nx\r\nb\r\nc\r\n'],
  ['line endings', 'a\nb\nc\n', 'a\r\nb', 'a\r\nx\r\nb', 'a\nx\nb\nc\n'],
  ['trailing blanks', 'a \t\nb\nc\n', 'a\nb\n', 'A\nb\n', 'A \t\nb\nc\n'],
  ['trailing blanks', 'a\nb\nc\n', 'a  \nb', 'a\nB', 'a\nB\nc\n'],
  [
    'indentation',
    '\tif (a) {\n\t\tb();\n\t}\n',
    '    if (a) {\n        b();\n',
    '    if (a) {\n        c();\n',
    '\tif (a) {\n\t\tc();\n\t}\n',
  ],
  ['indentation', '    a\n        b\n', '\ta\n\t\tb', '\ta\n\t\tb\n\t\t\tc', '    a\n        b\n            c\n'],
  [
    'indentation',
    'x\n    one\n      two\n',
    '  one\n    two\n',
    '  one\n    two\n  three\n',
    'x\n    one\n      two\n    three\n',
  ],
  ['typographic characters', 'say(“hi”) – ok\n', 'say("hi") - ok', 'say("hi") - no', 'say(“hi”) – no\n'],
  ['typographic characters', 'a\u00a0b\n', 'a b', 'a c', 'a\u00a0c\n'],
  ['typographic characters', 'cafe\u0301 au lait', 'café au', 'café con', 'cafe\u0301 con lait'],
  ['typographic characters and trailing blanks', '“a” \n“b”\n', '"a"\n"b"', '"a"\n"c"', '“a” \n“c”\n'],
  [
    'typographic characters and indentation',
    '\tf(‘a’,\n\t\t1)\n',
    "  f('a',\n    1)",
    "  f('a',\n    2)",
    '\tf(‘a’,\n\t\t2)\n',
  ],
])('%s may differ', async (ignored, text, oldText, newText, wanted) => {
  expect(await edited(text, oldText, newText)).toEqual({ text: wanted, ignored });
});

test('a line break of the model is a whole one of the file', async () => {
  expect((await edited('a\r\nb\r\n', '\nb', '\nx\nb')).text).toBe('a\r\nx\r\nb\r\n');
  expect((await edited('a\r\nb\r\n', '\nb', 'b')).text).toBe('ab\r\n');
  expect((await edited('a\r\n\r\nb', '\n\n', '\n')).text).toBe('a\r\nb');
});

test('what is there exactly is never matched otherwise', async () => {
  expect(await edited('“a”\n"a"\n', '"a"', '"b"')).toEqual({ text: '“a”\n"b"\n', ignored: '' });
});

test('a tolerance that finds two places finds none, and both lines are told', async () => {
  const { text, error } = { error: undefined, ...(await edited('a \nb\n\na  \nb\n', 'a\nb', 'c')) };
  expect(text).toBe('a \nb\n\na  \nb\n');
  expect(error).toContain('2 times when ignoring trailing blanks, at lines 1, 4');
});

test('with replace_all every place that the tolerance finds is replaced', async () => {
  expect(await edited('“a”, “a”\n“a”\n', '"a"', '"b"', true)).toEqual({
    text: '“b”, “b”\n“b”\n',
    ignored: 'typographic characters',
  });
});

test('characters the model did not touch stay as the file has them, also between two changes', async () => {
  const before = 'say(“hi”, 1)\nsay(“ho”, 2)\n';
  const after = await edited(before, 'say("hi", 1)\nsay("ho", 2)', 'say("hi", 3)\nsay("ho", 4)');
  expect(after.text).toBe('say(“hi”, 3)\nsay(“ho”, 4)\n');
});

test('a part of a character of the file is never kept', async () => {
  expect((await edited('wait… now', 'wait... now', 'wait.. now')).text).toBe('wait.. now');
  expect(await edited('wait… now', 't. now', 't! now')).toMatchObject({
    error: expect.stringContaining('is not in f'),
  });
});

test('lines that are deeper for the model must be deeper in the file', async () => {
  const python = 'if a:\n    b\nc\n';
  expect(await edited(python, '  if a:\n  b\n', '  if a:\n  d\n')).toMatchObject({ text: python });
});

test('blanks alone match nothing but themselves', async () => {
  expect(await edited('a\n', '  \n', 'b\n')).toMatchObject({ error: expect.stringContaining('is not in f') });
});

test('a line given with blanks behind it is not the beginning of a longer one', async () => {
  expect(await edited('foobar\n', 'foo  ', 'x')).toMatchObject({ text: 'foobar\n' });
  expect((await edited('foo\nfoobar\n', 'foo  ', 'x')).text).toBe('x\nfoobar\n');
});

test('a change that the file already has is an error', async () => {
  expect(await edited('say(“hi”)\n', 'say("hi")', 'say(“hi”)')).toMatchObject({
    error: expect.stringContaining('already reads as the edit wants it'),
  });
});

test('a text that is nowhere shows the lines nearest to it', async () => {
  const file = 'import a\n\nfunction one() {\n  return first;\n}\n';
  expect(await edited(file, 'function one() {\n  return second;\n}', 'x')).toMatchObject({
    error: expect.stringContaining('The nearest lines are:\n3\tfunction one() {\n4\t  return first;\n5\t}'),
  });
  expect(await edited(file, '  return the first', 'x')).toMatchObject({
    error: expect.stringContaining('4\t  return first;'),
  });
});

test('line numbers in the text, and a change made before, are pointed out', async () => {
  expect(await edited('a = 1\n', '1\ta = 1', 'x')).toMatchObject({
    error: expect.stringContaining('Leave out the line numbers'),
  });
  expect(await edited('x\nconst answer = 42;\n', 'const answer = 41;', 'const answer = 42;')).toMatchObject({
    error: expect.stringContaining('new_string is there already, at line 2'),
  });
});

test('the answer names the tolerance and shows what became of the lines', async () => {
  await writeFile(join(bench.cwd, 'f.txt'), 'one\ntwo \t\nthree\n');
  await bench.call('read', { path: 'f.txt' });
  const result = await bench.call('edit', { path: 'f.txt', old_string: 'two\nthree', new_string: 'two\n3' });
  expect(textOf(result)).toBe(
    [
      'Replaced 1 occurrence in f.txt (1 line changed), matched after ignoring trailing blanks:',
      '@@ -1,3 +1,3 @@',
      ' one',
      ' two \t',
      '-three',
      '+3',
    ].join('\n'),
  );
  expect(result.details).toMatchObject({ tolerance: 'trailing blanks', firstLine: 2 });
  expect(await readFile(join(bench.cwd, 'f.txt'), 'utf8')).toBe('one\ntwo \t\n3\n');
});

test('a tolerant edit changes nothing outside the lines it names', async () => {
  const line = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\t', '“', '"', '–', 'é', 'e\u0301', '…'),
    maxLength: 8,
  });
  const ending = fc.constantFrom('\n', '\r\n');
  const lines = fc.array(fc.tuple(line, ending), { maxLength: 6 });
  const mangle = fc.constantFrom<(text: string) => string>(
    (text) => text.replaceAll('\r\n', '\n'),
    (text) => text.replace(/[ \t]+(?=\r?\n|$)/g, ''),
    (text) => text.replace(/[“]/g, '"').replaceAll('…', '...').normalize('NFC'),
    (text) => text.replace(/^\t/gm, '    ').replaceAll('\r\n', '\n'),
  );
  let matched = 0;
  const property = fc.asyncProperty(lines, lines, lines, mangle, async (above, region, below, mangled) => {
    const [before, middle, after] = [above, region, below].map((some) => some.map((one) => one.join('')).join(''));
    const text = `${before}${middle}${after}`;
    const oldText = mangled(middle ?? '');
    const found = await edited(text, oldText, `${oldText}#new#`);
    if ('error' in found) return;
    matched += 1;
    // Wherever it was found, taking the new words away again leaves the file as it was.
    expect(found.text.replace('#new#', '')).toBe(text);
  });
  await fc.assert(property, { seed: 7, numRuns: 1500 });
  expect(matched).toBeGreaterThan(300);
});
