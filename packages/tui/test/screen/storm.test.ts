/** A short form of the storms: a few windows that change all the time while words are committed. */
import { expect, test } from 'vitest';
import { storm } from './storm.ts';

const words = 120;
const all = Array.from({ length: words }, (_, at) => at);

test.each([
  { reflow: 'exact', every: [15, 15], latencyMs: 5 },
  { reflow: 'xtermjs', every: [30, 120], latencyMs: 5 },
  { reflow: 'exact', every: [70, 70], latencyMs: 5, newsEveryMs: 250, settleMs: 300 },
  { reflow: 'exact', every: [30, 120], latencyMs: 5, terminalLagMs: 200, programLagMs: 150 },
  { reflow: 'xtermjs', every: [30, 120], latencyMs: 5, terminalLagMs: 200, programLagMs: 150 },
] as const)('a window that changes all the time while words are committed shows each once, in order: %o', (kind) => {
  for (let seed = 1; seed <= 3; seed++) {
    expect(storm({ ...kind, synchronizedOutput: true, words, seed }), `seed ${seed}`).toEqual(all);
  }
});
