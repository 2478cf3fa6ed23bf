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
  const row = simple.map((code) => String.fromCodePoint(code)).join('');
  expect(all(row)).toHaveLength(simple.length);
  expect(all([...row].reverse().join(''))).toHaveLength(simple.length);
  expect(graphemes(row)).toEqual(all(row));
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(graphemes(text)).toEqual(all(text));
    }),
    { seed: 1, numRuns: 500 },
  );
});
