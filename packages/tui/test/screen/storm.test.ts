/** A short form of the storms: a few windows that are dragged while words are committed. */
import { expect, test } from 'vitest';
import { storm } from './storm.ts';

const words = 120;
const all = Array.from({ length: words }, (_, at) => at);

test.each([
  { reflow: 'exact', every: [15, 15], latencyMs: 5 },
  { reflow: 'xtermjs', every: [30, 120], latencyMs: 5 },
  { reflow: 'exact', every: [70, 70], latencyMs: 5, newsEveryMs: 250, settleMs: 300 },
] as const)('a window that is dragged while words are committed shows each once, in order: %o', (kind) => {
  for (let seed = 1; seed <= 3; seed++) {
    expect(storm({ ...kind, synchronizedOutput: true, words, seed }), `seed ${seed}`).toEqual(all);
  }
});
