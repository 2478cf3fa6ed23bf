/** Lines out of bytes, wherever the bytes were cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines } from '../src/print/input-lines.ts';

async function linesOf(chunks: readonly Buffer[], maxBytes = 1000): Promise<unknown[]> {
  async function* bytes() {
    yield* chunks;
  }
  const lines: unknown[] = [];
  for await (const line of readLines(bytes(), maxBytes)) lines.push(line);
  return lines;
}

test('lines are the same wherever the bytes were cut', async () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', '')));
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.subarray(at * size, (at + 1) * size),
      );
      expect(await linesOf(chunks)).toEqual(lines.map((text, at) => ({ number: at + 1, text })));
    }),
    { seed: 9, numRuns: 200 },
  );
});

test('the last line needs no end, and one that is too long has no text but keeps its number', async () => {
  const chunks = ['ab\nlong', 'er than', ' that\nc', 'd'].map((text) => Buffer.from(text));
  expect(await linesOf(chunks, 6)).toEqual([{ number: 1, text: 'ab' }, { number: 2 }, { number: 3, text: 'cd' }]);
});
