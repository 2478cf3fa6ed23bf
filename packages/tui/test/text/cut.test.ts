import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { cellsOf } from '../../src/text/cells.ts';
import { cut, cutMiddle, cutStart, pad, slice } from '../../src/text/cut.ts';
import { graphemes } from '../../src/text/graphemes.ts';
import { graphemeWidth, widthOf } from '../../src/text/width.ts';
import { hostileText, plainText, styledText } from './hostile.ts';

test('text that fits is not touched', () => {
  for (const text of ['fits', '\x1b[31mfits\x1b[39m', '漢字', '']) {
    expect(cut(text, 5)).toBe(text);
    expect(cutMiddle(text, 5)).toBe(text);
    expect(cutStart(text, 5)).toBe(text);
  }
});

test('what is cut off is shown by an ellipsis, at the end, the start or in the middle', () => {
  expect(cut('hello world', 8)).toBe('hello w…');
  expect(cut('hello world', 8, '...')).toBe('hello...');
  expect(cut('hello world', 2, '...')).toBe('he');
  expect(cut('hello world', 0)).toBe('');
  expect(cutStart('/home/someone/project/file.ts', 12)).toBe('…ect/file.ts');
  expect(cutMiddle('/home/someone/project/file.ts', 12)).toBe('/home…ile.ts');
  expect(cut('漢字漢字', 6)).toBe('漢字 …');
});

test('styles and links are closed where the text is cut', () => {
  expect(cut('\x1b[1;31mhello world\x1b[0m', 6)).toBe('\x1b[1;31mhello\x1b[22;39m…');
  expect(cut('\x1b]8;id=a;https://a.example\x1b\\hello world\x1b]8;;\x1b\\', 6)).toBe(
    '\x1b]8;id=a;https://a.example\x1b\\hello\x1b]8;;\x1b\\…',
  );
  expect(cut('\u2068שלום עולם\u2069', 5)).toBe('\u2068שלום\u2069…');
  expect(slice('a\x1b[31mbc\x1b[1md\x1b[0me', 2, 4)).toBe('\x1b[31mc\x1b[1md\x1b[22;39m');
});

test('a wide grapheme of which only a part is inside becomes a space', () => {
  expect(slice('漢字', 1, 3)).toBe('  ');
  expect(slice('a漢b', 0, 2)).toBe('a ');
  expect(slice('a漢b', 2, 4)).toBe(' b');
});

test('the mark of the cursor stays where it is, also behind the last cell', () => {
  expect(slice(`ab${cursorMarker}cd`, 1, 3)).toBe(`b${cursorMarker}c`);
  expect(slice(`abcd${cursorMarker}`, 0, 4)).toBe(`abcd${cursorMarker}`);
  expect(slice(`ab${cursorMarker}cd`, 0, 2)).toBe('ab');
  expect(slice(`ab${cursorMarker}cd`, 2, 4)).toBe(`${cursorMarker}cd`);
});

test('a long text, which is read in parts, is parted between graphemes only', () => {
  for (const one of ['👨‍👩‍👧‍👦', 'e\u0301', '🇩🇪', '漢', '\r\n']) {
    for (let before = 1018; before < 1026; before++) {
      const text = `${'x'.repeat(before)}${one.repeat(600)}\u0301`;
      expect(cellsOf(text).map((cell) => cell.text)).toEqual(graphemes(text).map((g) => (g === '\r\n' ? '\n' : g)));
    }
  }
});

test('padding fills up to the width by the alignment', () => {
  expect(pad('ab', 5)).toBe('ab   ');
  expect(pad('ab', 5, 'right')).toBe('   ab');
  expect(pad('ab', 5, 'center')).toBe(' ab  ');
  expect(pad('漢字', 5)).toBe('漢字 ');
  expect(pad('hello', 3)).toBe('he…');
});

test('nothing is ever wider than asked for, whatever the text', () => {
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), (text, width, from) => {
      for (const made of [cut(text, width), cutStart(text, width), cutMiddle(text, width)]) {
        expect(widthOf(made)).toBeLessThanOrEqual(width);
      }
      expect(widthOf(slice(text, from, from + width))).toBeLessThanOrEqual(width);
    }),
    { seed: 7, numRuns: 500 },
  );
  fc.assert(
    fc.property(styledText, fc.integer({ min: 0, max: 30 }), (text, width) => {
      expect(widthOf(pad(text, width))).toBe(width);
    }),
    { seed: 14, numRuns: 200 },
  );
});

test('a slice has the columns that a simple model says', () => {
  const columnsOf = (text: string): string[] =>
    graphemes(text).flatMap((grapheme) => {
      const width = graphemeWidth(grapheme);
      return width === 0 ? [] : [grapheme, ...Array<string>(width - 1).fill('')];
    });
  const modelled = (text: string, from: number, to: number) => {
    const columns = columnsOf(text).slice(from, to);
    const whole = columnsOf(text);
    return columns
      .map((column, at) => {
        let start = from + at;
        while (whole[start] === '') start--;
        let end = from + at + 1;
        while (whole[end] === '') end++;
        return start < from || end > to ? ' ' : column;
      })
      .join('');
  };
  fc.assert(
    fc.property(plainText, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), (text, from, length) => {
      // Marks without a letter and line breaks have no column of their own.
      const letters = graphemes(text.replaceAll('\n', ''))
        .filter((grapheme) => graphemeWidth(grapheme) > 0)
        .join('');
      fc.pre(graphemes(letters).every((grapheme) => graphemeWidth(grapheme) > 0));
      expect(stripAnsi(slice(letters, from, from + length))).toBe(modelled(letters, from, from + length));
    }),
    { seed: 8, numRuns: 500 },
  );
});
