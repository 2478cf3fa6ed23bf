import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readable } from '../src/bash/readable.ts';

test('plain text stays as it is, Windows line ends included', () => {
  for (const text of ['', 'a\tb\n', 'one\r\ntwo\r\n', 'Grüße 😀\n\n']) expect(readable(text)).toBe(text);
});

test('colours, cursor moves, titles and links leave only the text', () => {
  expect(readable('\u001b[1;31mred\u001b[0m \u001b[38;5;12mblue\u001b[m\u001b[K')).toBe('red blue');
  expect(readable('\u001b]0;title\u0007text\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\')).toBe('textlink');
  expect(readable('\u001b(Bline\u001b7\u001b=')).toBe('line');
});

test('an escape that never ends takes nothing with it', () => {
  expect(readable('a\u001b]0;no end\nb')).toBe('a0;no end\nb');
  expect(readable('end\u001b')).toBe('end');
  expect(readable('end\u001b[12')).toBe('end12');
});

test('of a line that was written over, the last state is left', () => {
  expect(readable('start\n 10%\r 50%\r100%\ndone\n')).toBe('start\n100%\ndone\n');
  expect(readable('\u001b[2K\r 1/2\u001b[2K\r 2/2\r')).toBe(' 2/2\r');
  expect(readable('10%\r100%\r\nnext\r\n')).toBe('100%\r\nnext\r\n');
});

test('overstrikes and control characters are gone', () => {
  expect(readable('N\bNA\bAM\bME\bE a\0b\u0007c')).toBe('NAME abc');
});

test('whatever comes, no control is left, lines stay lines, and nothing is added', () => {
  const piece = fc.constantFrom('a', 'é', '\n', '\r', '\b', '\0', '\u001b', '[', ']', '31m', '\u0007', '\\', ' ', '%');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const plain = readable(text);
      expect(plain).not.toMatch(/[^\P{Cc}\t\n\r]/u);
      expect(plain.length).toBeLessThanOrEqual(text.length);
    }),
    { seed: 4, numRuns: 2000 },
  );
});
