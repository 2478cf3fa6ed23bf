import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable, printableLine, stripAnsi, tokens } from '../../src/text/ansi.ts';
import { widthOf } from '../../src/text/width.ts';
import { hostileText } from './hostile.ts';

test.each([
  ['a\x1b[1;31mb\x1b[0mc', 'abc'],
  ['a\x1b[38:2::10:20:30mb\x1b[4:3mc', 'abc'],
  ['a\x1b]0;title\x07b\x1b]8;;https://a.example\x1b\\c\x1b]8;;\x9cd', 'abcd'],
  ['a\x1bPq#0;2;0;0;0\n-\x1b\\b\x1b_Gf=100;AAAA\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e', 'abcde'],
  ['a\x9b31mb\x9d0;title\x9cc\x90dcs\x9cd', 'abcd'],
  ['a\x1b[?25lb\x1b[2 qc\x1b[!pd\x1b[>4;2me', 'abcde'],
  ['a\x1b7b\x1b(Bc\x1b#8d\x1bcf', 'abcdf'],
  ['cut off\x1b', 'cut off'],
  ['cut off\x1b[38;5', 'cut off'],
  ['cut off\x1b]8;;https://never\nnext line', 'cut off\nnext line'],
  ['broken\x1b]0;title\x1b[31mred', 'brokenred'],
  ['broken\x1b[31\u00e9', 'broken\u00e9'],
  ['plain\r\n\ttext', 'plain\r\n\ttext'],
])('every form of sequence is taken out: %j', (text, plain) => {
  expect(stripAnsi(text)).toBe(plain);
});

test('tokens say what a sequence is', () => {
  expect(tokens('a\x1b[1;31mb\x1b]8;id=1:x=y;https://a.example/;x\x1b\\c\x1b[2Jd')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'style', text: '\x1b[1;31m', parameters: '1;31' },
    { kind: 'text', text: 'b' },
    { kind: 'link', text: expect.any(String), parameters: 'id=1:x=y', url: 'https://a.example/;x' },
    { kind: 'text', text: 'c' },
    { kind: 'other', text: '\x1b[2J' },
    { kind: 'text', text: 'd' },
  ]);
  expect(tokens('\x1b[>4;2m\x1b[?1m').map(({ kind }) => kind)).toEqual(['other', 'other']);
});

test('tokens joined are the text, and what is stripped has no sequence left to find', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const found = tokens(text);
      expect(found.map((token) => token.text).join('')).toBe(text);
      expect(stripAnsi(text)).toBe(found.map((token) => (token.kind === 'text' ? token.text : '')).join(''));
      expect(stripAnsi(stripAnsi(text))).toBe(stripAnsi(text));
    }),
    { seed: 5, numRuns: 500 },
  );
});

test('a long text of beginnings that never end is read once', () => {
  for (const beginning of ['\x1b]', '\x1b]\n', '\x9d\n', '\x1bP', '\x1b[', '\x1b[0', '\x1b ']) {
    expect(stripAnsi(beginning.repeat(50_000)).replaceAll('\n', '')).toBe('');
  }
});

test.each([
  ['a\x1b[31mb\x07\x00\x7f', 'a␛[31mb␇␀␡'],
  ['a\tb\n\tc\nabcd\te', 'a   b\n    c\nabcd    e'],
  ['漢\tx', '漢  x'],
  ['one\r\ntwo\rthree', 'one\ntwo␍three'],
  ['user\u202etxt.exe\u2066', 'user<U+202E>txt.exe<U+2066>'],
  ['zero\u200bwidth\ufeff\u2028\u00ad', 'zero<U+200B>width<U+FEFF><U+2028><U+00AD>'],
  ['\x9b31m\x85', '<U+009B>31m<U+0085>'],
  ['lone \ud800 \udc00', 'lone \ufffd \ufffd'],
  ['hidden\u{e0041}\u{e0042}', 'hidden<U+E0041><U+E0042>'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 👨‍👩‍👧 می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 👨‍👩‍👧 \u2068می‌خواهم\u2069'],
  ['file שלום עולם.txt', 'file \u2068שלום עולם\u2069.txt'],
  ['שלום, עולם! and שוב', '\u2068שלום, עולם\u2069! and \u2068שוב\u2069'],
  ['א/ב 12 ג', '\u2068א\u2069/\u2068ב 12 ג\u2069'],
  ['a\u0301 ordinary “text” – ok', 'a\u0301 ordinary “text” – ok'],
])('hostile text becomes harmless and visible: %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('marks without end on one letter are cut, and the cut is shown', () => {
  const shown = printable(`a${'\u0301'.repeat(5000)}b`);
  expect(shown.length).toBeLessThan(50);
  expect(shown).toContain('\ufffdb');
});

test('a name stays on its line', () => {
  expect(printableLine('evil\nname\r\n\ttab')).toBe(
    'evil␊name␍␊ tab'.replace(' ', ' '.repeat(4 - ('evil␊name␍␊'.length % 4))),
  );
});

test('nothing that steers the terminal or the direction of text is left', () => {
  const steering = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066\u2067\u061c]|\p{Surrogate}/u;
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = printable(text);
      expect(shown).not.toMatch(steering);
      for (const line of shown.split('\n')) {
        expect(line.split('\u2068').length).toBe(line.split('\u2069').length);
        expect(widthOf(line)).toBe(widthOf(stripAnsi(line)));
      }
    }),
    { seed: 6, numRuns: 500 },
  );
});
