import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import { printable, stripAnsi, tokens } from '../../src/text/ansi.ts';
import { link } from '../../src/text/link.ts';
import { widthOf } from '../../src/text/width.ts';
import { wrap } from '../../src/text/wrap.ts';
import { hostileText, plainText, styledText } from './hostile.ts';

const bare = (text: string) => stripAnsi(text).replaceAll(/[\u2068\u2069]/g, '');

test('words are kept whole, and the spaces at which a line ends are dropped', () => {
  expect(wrap('the quick brown  fox', 10)).toEqual(['the quick', 'brown  fox']);
  expect(wrap('one\ntwo three\n\nfour', 7)).toEqual(['one', 'two', 'three', '', 'four']);
  expect(wrap('one\r\ntwo', 10)).toEqual(['one', 'two']);
  expect(wrap('', 5)).toEqual(['']);
  expect(wrap('a\tb', 10)).toEqual(['a   b']);
});

test('a word that no line can hold is broken between graphemes', () => {
  expect(wrap('a abcdefghij', 4)).toEqual(['a', 'abcd', 'efgh', 'ij']);
  expect(wrap('👨‍👩‍👧‍👦👨‍👩‍👧‍👦e\u0301e\u0301', 3)).toEqual(['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦', 'e\u0301e\u0301']);
  expect(wrap('漢', 1)).toEqual(['…']);
});

test('an address or a path that fits on a line by itself is not broken', () => {
  const url = 'https://example.org/some/page';
  expect(wrap(`Look at ${url}, it has all.`, 30)).toEqual(['Look at', `${url},`, 'it has all.']);
  expect(wrap(`    - see ${url}`, 30, { hang: 6 })).toEqual(['    - see', ` ${url}`]);
  expect(wrap(`          ${url}`, 30)).toEqual([` ${url}`]);
  expect(wrap('in packages/tui/src/text/wrap.ts there', 24)).toEqual(['in', 'packages/tui/src/text/wr', 'ap.ts there']);
});

test('lines after the first hang by a number, or as deep as the text begins', () => {
  expect(wrap('- one two three', 9, { hang: 2 })).toEqual(['- one two', '  three']);
  expect(wrap('   one two three', 9, { hang: 'indent' })).toEqual(['   one', '   two', '   three']);
  expect(wrap('one two', 4, { hang: 50 })).toEqual(['one', ' two']);
});

test('scripts without spaces break between characters, but not before what closes', () => {
  expect(wrap('これは日本語です。とても', 8)).toEqual(['これは日', '本語で', 'す。とて', 'も']);
  expect(wrap('見て「引用」', 6)).toEqual(['見て', '「引', '用」']);
  expect(wrap('한국어 문장입니다', 10)).toEqual(['한국어', '문장입니다']);
  expect(wrap('见https://a.example/b吧', 18)).toEqual(['见', 'https://a.example/', 'b吧']);
});

test('styles and links are closed at a line end and opened again, the parts of a link with one id', () => {
  expect(wrap('\x1b[1;31mone two\x1b[22m three\x1b[39m', 7)).toEqual([
    '\x1b[1;31mone two\x1b[22;39m',
    '\x1b[31mthree\x1b[39m',
  ]);
  const lines = wrap(`see ${link('a long link', 'https://a.example')} here`, 6);
  const opened = lines.flatMap((line) => tokens(line).filter((token) => token.kind === 'link' && token.url !== ''));
  expect(opened).toHaveLength(3);
  expect(new Set(opened.map((token) => token.text)).size).toBe(1);
  const nameless = wrap('\x1b]8;;https://a.example\x07one two\x1b]8;;\x07', 3);
  const ids = nameless.map((line) => tokens(line)[0]).map((token) => token?.kind === 'link' && token.parameters);
  expect(ids[0]).toMatch(/^id=\w+$/);
  expect(ids[1]).toBe(ids[0]);
});

test('an isolated run is isolated on every line it is on', () => {
  for (const line of wrap(printable('see שלום עולם טוב now'), 9)) {
    expect(line.split('\u2068').length).toBe(line.split('\u2069').length);
    expect(/[\u0590-\u05ff]/.test(line)).toBe(line.includes('\u2068'));
  }
});

test('the mark of the cursor is never lost', () => {
  for (const text of [
    `one ${cursorMarker}two`,
    `one two${cursorMarker}`,
    `one two  ${cursorMarker}`,
    `one${cursorMarker} two`,
  ]) {
    for (let width = 1; width < 10; width++) expect(wrap(text, width).join('').split(cursorMarker)).toHaveLength(2);
  }
});

test('no line is ever wider than the width, and none holds what steers the terminal, for any text', () => {
  const options = fc.record({
    hang: fc.constantFrom(0, 2, 50, 'indent' as const),
    at: fc.constantFrom('word' as const, 'anywhere' as const),
  });
  fc.assert(
    fc.property(hostileText, fc.integer({ min: 1, max: 25 }), options, (text, width, chosen) => {
      for (const line of wrap(text, width, chosen)) {
        expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(bare(line.replaceAll(cursorMarker, ''))).not.toMatch(/\p{Cc}/u);
        expect(tokens(line).filter((token) => token.kind === 'other' && token.text !== cursorMarker)).toEqual([]);
      }
    }),
    { seed: 10, numRuns: 600 },
  );
});

test('broken anywhere, the lines joined are the text; broken at words, only spaces are missing between them', () => {
  fc.assert(
    fc.property(plainText, fc.integer({ min: 4, max: 25 }), (text, width) => {
      const wide = text.split('\n');
      expect(wide.map((line) => wrap(line, width, { at: 'anywhere' }).map(bare).join('')).join('\n')).toBe(bare(text));
      for (const paragraph of wide.map(bare)) {
        let at = 0;
        for (const line of wrap(paragraph, width).map(bare)) {
          while (!paragraph.startsWith(line, at) && paragraph[at] === ' ') at++;
          expect(paragraph.slice(at, at + line.length)).toBe(line);
          at += line.length;
        }
        expect(paragraph.slice(at).trim()).toBe('');
      }
    }),
    { seed: 11, numRuns: 600 },
  );
});

test('a word is broken only if no line could hold it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'bcd', 'efghi', 'https://a.b/c', ' ', '   ')),
      fc.integer({ min: 13, max: 30 }),
      (parts, width) => {
        const text = parts.join(' ');
        const words = text.split(/ +/).filter(Boolean);
        expect(wrap(text, width).flatMap((line) => line.split(/ +/).filter(Boolean))).toEqual(words);
      },
    ),
    { seed: 12, numRuns: 300 },
  );
});

test('plain text, which goes a shorter way, is broken where styled text is', () => {
  const ascii = fc.array(fc.constantFrom('a', 'bcd', 'efghijklmnop', ' ', '  ', '\n'), { maxLength: 30 });
  const options = fc.record({
    hang: fc.constantFrom(0, 2, 50, 'indent' as const),
    at: fc.constantFrom('word' as const, 'anywhere' as const),
  });
  fc.assert(
    fc.property(ascii, fc.integer({ min: 1, max: 16 }), options, (parts, width, chosen) => {
      const text = parts.join('');
      expect(wrap(text, width, chosen)).toEqual(wrap(`\x1b[1m\x1b[22m${text}`, width, chosen));
    }),
    { seed: 17, numRuns: 500 },
  );
});

test('every cell looks as it did before, in a real terminal', async () => {
  // Only characters whose width this terminal knows; what an emoji looks like is not the matter here.
  const known = styledText.map((text) => [...text].filter((one) => !/[^\p{Cc} -~漢。「Ａ]/u.test(one)).join(''));
  await fc.assert(
    fc.asyncProperty(known, fc.integer({ min: 2, max: 20 }), async (text, width) => {
      const whole = await cellsIn([text.replaceAll('\n', '\r\n')], 2 * text.length + 2);
      const lines = await cellsIn(wrap(text, width), width + 1);
      const visible = (cells: string[]) => cells.filter((cell) => !cell.startsWith(' '));
      expect(visible(lines)).toEqual(visible(whole));
    }),
    { seed: 13, numRuns: 80 },
  );
});

/** The cells of what is written, each as its characters and its look. */
async function cellsIn(lines: readonly string[], cols: number): Promise<string[]> {
  const terminal = new headless.Terminal({ cols, rows: 5, scrollback: 1000, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(lines.join('\r\n'), done));
  const cells: string[] = [];
  const { active } = terminal.buffer;
  for (let y = 0; y < active.length; y++) {
    const line = active.getLine(y);
    for (let x = 0; x < cols; x++) {
      const cell = line?.getCell(x);
      if (!cell || cell.getChars() === '') continue;
      const look = [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor()];
      const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isInverse()];
      cells.push(`${cell.getChars()} ${[...look, ...flags].join(',')}`);
    }
  }
  terminal.dispose();
  return cells;
}
