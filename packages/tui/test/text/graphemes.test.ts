import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphemes, isSimple } from '../../src/text/graphemes.ts';
import { hostileText } from './hostile.ts';

test('what a person sees as one character is one grapheme', () => {
  for (const one of [
    '👨‍👩‍👧‍👦',
    '🇩🇪',
    '1️⃣',
    '⌚\ufe0e',
    '❤️',
    '👍🏽',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'e\u0301',
    '\u1112\u1161\u11ab',
    'क्षि',
    '\r\n',
    'கி',
  ]) {
    expect(graphemes(one)).toEqual([one]);
  }
  expect(graphemes('a🇩🇪🇫🇷b\r\n\u0301')).toEqual(['a', '🇩🇪', '🇫🇷', 'b', '\r\n', '\u0301']);
  expect(graphemes('')).toEqual([]);
});

test('the short way for simple text gives what the segmenter gives', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const all = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  // Every simple character beside its neighbours, of the rarer ideographs the first few.
  const simple = Array.from({ length: 0x20200 }, (_, code) => code).filter((code) => code !== 0x0a && isSimple(code));
  // In short texts that overlap: the segmenter takes the square of the length.
  for (let at = 0; at < simple.length; at += 255) {
    const characters = simple.slice(at, at + 256).map((code) => String.fromCodePoint(code));
    const row = characters.join('');
    expect(all(row)).toHaveLength(characters.length);
    expect(all([...characters].reverse().join(''))).toHaveLength(characters.length);
    expect(graphemes(row).join('|')).toBe(characters.join('|'));
  }
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(graphemes(text)).toEqual(all(text));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('a long text that is not simple is cut as a short one is', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const all = (text: string) => Array.from(segmenter.segment(text), (part) => part.segment);
  const parts = ['👨‍👩‍👧‍👦', '🇩🇪', '🇩', 'क्षि', '👍🏽', '\u0301', '\ud800', 'שלום', '\u200d', '\u1112\u1161\u11ab'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { minLength: 60, maxLength: 400 }), (chosen) => {
      const text = chosen.join('');
      expect(graphemes(text).join('|')).toBe(all(text).join('|'));
    }),
    { seed: 3, numRuns: 40 },
  );
  for (const part of parts) {
    const long = `${'x\u0301'.repeat(3)}${part.repeat(150)}`;
    expect(graphemes(long)).toEqual(all(long));
  }
  const marks = `e${'\u0301'.repeat(5000)}`;
  expect(graphemes(`${marks}👍🏽`)).toEqual([marks, '👍🏽']);
});

test('no simple character is a mark: its width needs no other look', () => {
  const simple = Array.from({ length: 0x40000 - 0x300 }, (_, index) => index + 0x300).filter(isSimple);
  expect(simple.filter((code) => /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u.test(String.fromCodePoint(code)))).toEqual([]);
});
