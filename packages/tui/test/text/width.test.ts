import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripAnsi, tokens } from '../../src/text/ansi.ts';
import { graphemes } from '../../src/text/graphemes.ts';
import { graphemeWidth, widthOf } from '../../src/text/width.ts';
import { hostileText, plainText, styledText } from './hostile.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['漢字', 4],
  ['Ａ', 2],
  ['ｱ', 1],
  ['한글', 4],
  ['\u1112\u1161\u11ab', 2],
  ['e\u0301', 1],
  ['\u0301', 0],
  ['क्षि', 3],
  ['👍', 2],
  ['👍🏽', 2],
  ['☝🏽', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['❤', 1],
  ['❤️', 2],
  ['❤️‍🔥', 2],
  ['⌚', 2],
  ['⌚\ufe0e', 2],
  ['1️⃣', 2],
  ['1', 1],
  ['©', 1],
  ['©️', 2],
  ['🇩🇪', 2],
  ['🇩🇪🇫🇷', 4],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
  ['a\u200bb', 2],
  ['a\ufe0f', 1],
  ['·…–“”', 5],
  ['─│█▌', 4],
  ['✔✓✗', 3],
  ['✅', 2],
  ['\ue0b0', 1],
  ['\ud800', 1],
  ['𠀀', 2],
  ['𝒳', 1],
])('%j takes %i cells', (text, cells) => {
  expect(widthOf(text)).toBe(cells);
  expect(graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0)).toBe(cells);
});

test.each([
  ['\x1b[31mred\x1b[0m', 3],
  ['\x1b[38:2::1:2:3mred\x1b[m', 3],
  ['\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x07', 4],
  ['\x1bPsome\nsixel\x1b\\x', 1],
  ['\x1b_tau:cursor\x07x', 1],
  ['\x9b31mred\x9b0m', 3],
  ['\x1b(Bx\x1b7y', 2],
  ['x\x1b[31', 1],
  ['x\x1b]0;never ended', 1],
  ['x\x1b', 1],
  ['\x07\x00\x7f\x85x', 1],
  ['e\x1b[1m\u0301', 1],
  ['a\tb', 5],
  ['abcd\tb', 9],
  ['\x1b[1m漢\x1b[0m\u0301', 2],
])('sequences and control characters take no cells: %j', (text, cells) => {
  expect(widthOf(text)).toBe(cells);
});

test('styled text is as wide as its graphemes', () => {
  const sum = (text: string) => graphemes(text).reduce((all, grapheme) => all + graphemeWidth(grapheme), 0);
  fc.assert(
    fc.property(plainText, (text) => {
      expect(widthOf(text)).toBe(sum(text));
    }),
    { seed: 2, numRuns: 500 },
  );
  fc.assert(
    fc.property(styledText, (text) => {
      // A sequence parts a mark from its letter, so only text whose letters stand alone is the same without its styles.
      const letters = tokens(text).map((token) =>
        token.kind === 'text' ? token.text.replace(/[^ -~]/g, '') : token.text,
      );
      expect(widthOf(letters.join(''))).toBe(stripAnsi(letters.join('')).length);
    }),
    { seed: 3, numRuns: 300 },
  );
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(widthOf(text)).toBeLessThanOrEqual(4 * text.length);
    }),
    { seed: 4, numRuns: 300 },
  );
});

test('a terminal counts as we do', async () => {
  // The terminal knows the Unicode of 2006: scripts that are older than that, and no emoji.
  const ranges = [
    [0xa1, 0xac],
    [0xae, 0x377],
    [0x391, 0x3ff],
    [0x400, 0x482],
    [0x904, 0x939],
    [0x93e, 0x94c],
    [0x1100, 0x1112],
    [0x2010, 0x2027],
    [0x2190, 0x21ff],
    [0x2500, 0x25fc],
    [0x3041, 0x3096],
    [0x30a1, 0x30fe],
    [0x4e00, 0x4e40],
    [0xac00, 0xac40],
    [0xff01, 0xffdc],
  ] as const;
  const characters = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, at) => String.fromCharCode(from + at)),
  );
  const assigned = characters.filter((character) => !/\p{Cn}/u.test(character));
  const terminal = new headless.Terminal({
    cols: 10,
    rows: 5,
    scrollback: assigned.length + 10,
    allowProposedApi: true,
  });
  await new Promise<void>((done) => terminal.write(assigned.map((one) => `.${one}|\r\n`).join(''), done));
  const different = assigned.filter((one, line) => {
    const row = terminal.buffer.active.getLine(line);
    return row?.getCell(1 + widthOf(one))?.getChars() !== '|';
  });
  terminal.dispose();
  expect(different).toEqual([]);
});
