/** What a person at a terminal sees of a call. */
import { expect, test } from 'vitest';
import { tableLines } from '../src/models/table.ts';
import { fold } from '../src/render/fold.ts';
import { createStyle } from '../src/render/style.ts';
import { callLine, diffLines, outcomeLine, resultLines } from '../src/render/tool.ts';
import { createVisible, visible } from '../src/render/visible.ts';

const plain = createStyle({}, {});
const result = (text: string, more: object = {}) => ({ content: [{ type: 'text' as const, text }], ...more });

test.each([
  ['a terminal', { isTTY: true }, {}, '\u001b[31mx\u001b[39m'],
  ['a pipe', {}, {}, 'x'],
  ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, 'x'],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, 'x'],
])('colour on %s', (_, stream, env, shown) => {
  expect(createStyle(stream, env).red('x')).toBe(shown);
});

test.each([
  ['always', {}, '\u001b[31mx\u001b[39m'],
  ['never', { isTTY: true }, 'x'],
] as const)('colour that is wanted %s', (wish, stream, shown) => {
  expect(createStyle(stream, { NO_COLOR: '1' }, wish).red('x')).toBe(shown);
});

test('a call is one line that says what it is about, whatever the model wrote into it', () => {
  expect(callLine('bash', { command: 'npm test' }, plain)).toBe('● bash npm test');
  expect(callLine('read', { path: 'a\u001b]0;x\u0007.ts' }, plain)).toBe('● read a^[]0;x^G.ts');
  expect(callLine('bash', { command: 'a\nb' }, plain)).toBe('● bash a ⏎ b');
  expect(callLine('bash', { command: 'x'.repeat(500) }, plain)).toHaveLength('● bash '.length + 200);
});

test('how a call went is one line, cut where it is too long and never inside a character', () => {
  const line = (text: string, maxChars: number, more: object = {}) =>
    outcomeLine({ toolName: 'bash', result: result(text, more), summary: 'bash x: exit 0' }, plain, maxChars);
  expect(line(' one\n\n two\u0007 \n', 120)).toBe('✓ bash one ⏎ two^G');
  expect(line('', 120, { isError: true })).toBe('✗ bash');
  expect(line('👍'.repeat(100), 4)).toBe('✓ bash 👍…');
  expect(line('x'.repeat(1_000_000), 5)).toBe('✓ bash xxxx…');
});

test('a call whose result is for the model is shown by its summary, and by its words when it failed', () => {
  const read = { toolName: 'read', summary: 'read a.ts (2 lines)' };
  expect(outcomeLine({ ...read, result: result('1\tone\n2\ttwo') }, plain, 120)).toBe('✓ read a.ts (2 lines)');
  const missing = { ...read, result: result('There is no a.ts', { isError: true }) };
  expect(outcomeLine(missing, plain, 120)).toBe('✗ read There is no a.ts');
});

test('text in pieces is shown as the whole would be', () => {
  const text = 'a\r\nb\rc\r\r\n👍\u001b[0m\r';
  const shown = createVisible();
  expect([...Array(text.length).keys()].map((at) => shown.piece(text.charAt(at))).join('') + shown.rest()).toBe(
    visible(text),
  );
});

test('a long output is shown by its end, and says how much is above', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n');
  expect(resultLines(result(lines), plain, 2)).toEqual(['  … 18 more above', '  line 19', '  line 20']);
  expect(resultLines(result('one\n'), plain, 2)).toEqual(['  one']);
});

test('a change is shown by its hunks, coloured', () => {
  const style = createStyle({ isTTY: true }, {});
  const diff = 'Index: a\n--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n';
  const shown = ['  \u001b[2m@@ -1 +1 @@\u001b[22m', '  \u001b[31m-old\u001b[39m', '  \u001b[32m+new\u001b[39m'];
  expect(diffLines(diff, style)).toEqual(shown);
  expect(resultLines(result('Replaced 1', { details: { diff } }), style, 5)).toEqual(shown);
});

test('control and format characters are seen, and what text needs keeps its meaning', () => {
  expect(visible('a\r\nb\tc')).toBe('a\nb\tc');
  expect(visible('\u001b[2J\u0007\u009b')).toBe('^[[2J^G<U+009B>');
  expect(visible('a\u202eb\u200b\u{e0041}')).toBe('a<U+202E>b<U+200B><U+E0041>');
  expect(visible('👨‍👩‍👧 é')).toBe('👨‍👩‍👧 é');
});

test('sentences are broken between words where the terminal would cut one, and nowhere else', () => {
  const text = 'tau: one two three four five\n  a second line\nhttps://example.com/a/long/address end';
  expect(fold(text, 20).split('\n')).toEqual([
    'tau: one two three',
    'four five',
    '  a second line',
    'https://example.com/a/long/address',
    'end',
  ]);
  const table = '  --name   what it is, in so many words that they do not fit\n  plain words that go on and on and on';
  expect(fold(table, 40).split('\n')).toEqual([
    '  --name   what it is, in so many words',
    '           that they do not fit',
    '  plain words that go on and on and on',
  ]);
  expect(fold(table, 24).split('\n').slice(0, 2)).toEqual(['  --name   what it is,', '    in so many words']);
  expect(fold(text, undefined)).toBe(text);
  expect(fold(text, 200)).toBe(text);
});

test('the table of models fits a narrow window, and says what it left out for that', () => {
  const model = {
    provider: 'p',
    id: 'a-model',
    label: 'p/a-model',
    api: 'x',
    baseUrl: 'http://h',
    ready: true,
    local: false,
  };
  const models = [{ ...model, contextWindow: 200_000, maxTokens: 8000, images: true, reasoning: false }];
  const lines = (columns?: number) => tableLines(models, plain, columns);
  expect(lines()[0]).toBe('MODEL      CONTEXT  OUTPUT  IN $/M  OUT $/M  THINKING  IMAGES  READY');
  expect(lines(60)).toEqual([
    'MODEL      CONTEXT  OUTPUT  IN $/M  OUT $/M  THINKING  READY',
    'p/a-model     200K      8K       -        -  no        ready',
    'A wider window also shows IMAGES; --json tells all.',
  ]);
  expect(lines(50)[2]).toContain('THINKING, IMAGES');
  expect(lines(50)[0]?.length).toBeLessThanOrEqual(50);
});
