/**
 * Up to a megabyte on one line, in every component: what takes the square of it would be at it for hours. Where the segmenter
 * has to look at each character it is less, for the sake of the time that takes.
 */
import { expect, test } from 'vitest';
import { cursorMarker } from '../../src/component.ts';
import { stripAnsi } from '../../src/text/ansi.ts';
import { widthOf } from '../../src/text/width.ts';
import { everything } from './everything.ts';

const width = 60;
const [megabyte, less] = [1_000_000, 100_000];
const texts = [
  ['letters', 'a', megabyte],
  ['spaces', ' ', megabyte],
  ['marks', '\u0301', megabyte],
  ['sequences of colours', '\u001b[31m', less],
  ['wide characters', '漢字', less],
  ['half characters', '\ud800', less],
  ['joined emoji', '👩\u200d👧', less],
  ['letters from right to left', 'ש', less],
] as const;

test.each(texts)(
  'no component fails or is too wide with a long line of %s',
  { timeout: 120_000 },
  async (_, part, size) => {
    const text = part.repeat(size / part.length);
    for (const [name, make] of Object.entries(await everything())) {
      const lines = make(text).render(width);
      const step = Math.ceil(lines.length / 500);
      lines.forEach((line, at) => {
        if (at % step > 0 && at < lines.length - 5) return;
        const bare = line.replaceAll(cursorMarker, '');
        expect(widthOf(bare), name).toBeLessThanOrEqual(width);
        expect(stripAnsi(bare), name).not.toMatch(/\p{Cc}/u);
      });
    }
  },
);
