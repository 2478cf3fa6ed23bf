import { expect, test } from 'vitest';
import { storm } from './storm.ts';

const words = 300;
const all = Array.from({ length: words }, (_, at) => at);

test.each([
  ['exact', 15, 15],
  ['exact', 30, 120],
  ['xtermjs', 15, 15],
  ['xtermjs', 30, 120],
] as const)(
  'a window of the kind %s that changes every %i to %i ms while 300 words are committed shows each once, in order',
  (reflow, least, most) => {
    for (const latencyMs of [0, 5, 30]) {
      for (let seed = 1; seed <= 12; seed++) {
        const shown = storm({
          reflow,
          synchronizedOutput: seed % 2 === 0,
          latencyMs,
          every: [least, most],
          words,
          seed,
        });
        expect(shown, `latency ${latencyMs}, seed ${seed}`).toEqual(all);
      }
    }
  },
);

test.each([
  [15, [0, 5]],
  [70, [0, 5, 15]],
] as const)(
  'a window that changes every %i ms in a terminal that tells of it four times a second shows each word once, in order',
  (every, latencies) => {
    for (const latencyMs of latencies) {
      for (let seed = 1; seed <= 12; seed++) {
        const shown = storm({
          reflow: 'exact',
          synchronizedOutput: true,
          latencyMs,
          newsEveryMs: 250,
          settleMs: 300,
          every: [every, every],
          words,
          seed,
        });
        expect(shown, `latency ${latencyMs}, seed ${seed}`).toEqual(all);
      }
    }
  },
);
