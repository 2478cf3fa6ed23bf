/** What is shown is seen and never obeyed: every control, direction and invisible character, whole or in pieces. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip } from '../src/render/clip.ts';
import { createVisible, visible, visibleLine } from '../src/render/visible.ts';

const codes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test.each([
  ['C0 controls', codes(0, 0x1f).filter((code) => code !== 0x0a && code !== 0x09)],
  ['DEL and C1 controls', codes(0x7f, 0x9f)],
  ['directions', [0x061c, 0x200e, 0x200f, ...codes(0x202a, 0x202e), ...codes(0x2066, 0x2069)]],
  ['what has no width', [0x00ad, 0x034f, 0x180e, ...codes(0x200b, 0x200d), ...codes(0x2060, 0x2064), 0xfeff]],
  ['fillers that are letters', [0x115f, 0x1160, 0x3164, 0xffa0]],
  ['other line breaks', [0x2028, 0x2029]],
  ['selectors', [...codes(0xfe00, 0xfe0f), 0xe0100, 0xe01ef]],
  ['tags', codes(0xe0000, 0xe007f)],
  ['annotations', codes(0xfff9, 0xfffb)],
  ['what is no character', [0xfdd0, 0xfffe, 0xffff, 0x1fffe, 0x10ffff]],
  ['halves of characters', [0xd800, 0xdbff, 0xdc00, 0xdfff]],
])('%s are seen', (_, all) => {
  for (const code of all) {
    const shown = visible(`a${String.fromCodePoint(code)}b`);
    const caret = code < 0x20 ? `^${String.fromCharCode(code + 0x40)}` : undefined;
    expect(shown).toBe(`a${caret ?? `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`}b`);
  }
});

test('sequences that a terminal obeys are only words', () => {
  expect(visible('\u001b]0;title\u0007\u001b]8;;http://evil.example\u001b\\x\u001b]52;c;aGk=\u0007')).toBe(
    '^[]0;title^G^[]8;;http://evil.example^[\\x^[]52;c;aGk=^G',
  );
  expect(visible('done\rfail')).toBe('done^Mfail');
});

const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
const kept = [
  'größe, 漢字, עברית, عربى, ไทย, é',
  '❤️ ☎︎ 1️⃣ 👨‍👩‍👧‍👦 👁️‍🗨️ ❤️‍🔥 👩🏽‍💻',
  `${scotland}!`,
  'می\u200cخواهم क्\u200dष',
  '葛\u{e0100}飾区',
  'a\u00a0b\u3000c \ue0b0',
];

test.each(kept)('what letters and emoji need is kept: %s', (text) => {
  expect(visible(text)).toBe(text);
});

test('a joiner that joins nothing, and selectors in a row, are seen', () => {
  expect(visible('ls\u200d; 👩\u200d')).toBe('ls<U+200D>; 👩<U+200D>');
  expect(visible('❤\ufe0f\ufe0f')).toBe('❤<U+FE0F><U+FE0F>');
  expect(visible('\u{1f3f4}\u{e0065}\u{e0076}\u{e007f}')).toBe('🏴<U+E0065><U+E0076><U+E007F>');
});

test('nothing invisible is left of any text, however it is cut into pieces, and the pieces show what the whole shows', () => {
  const parts = [
    ...kept,
    ...[
      '\r',
      '\n',
      '\u001b',
      '\u200d',
      '\u200c',
      '\ufe0f',
      '👩',
      '🏴',
      '❤',
      scotland,
      '\u{e0041}',
      '\ud800',
      'a',
      '\u202e',
    ],
    '\ufe0f'.repeat(40),
    '\u{e0100}',
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 20 }).map((list) => list.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 10 }), (whole, sizes) => {
      const shown = visible(whole);
      expect(shown.replace(/[\n\t]/g, '')).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{NChar}\u202a-\u202e\u2066-\u2069]/u,
      );
      const pieces = createVisible();
      let joined = '';
      for (let at = 0, turn = 0; at < whole.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        joined += pieces.piece(whole.slice(at, at + size));
        at += size;
      }
      expect(joined + pieces.rest()).toBe(shown);
    }),
    { numRuns: 3000, seed: 6 },
  );
});

test('on one line a name cannot begin a line of its own', () => {
  expect(visibleLine('a.txt\ntau: all is well\r\n\u001b[A')).toBe('a.txt ⏎ tau: all is well ⏎ ^[[A');
  expect(clip('a\u2028b\n\n  c\u200b', 20)).toBe('a<U+2028>b ⏎ c<U+20…');
});
