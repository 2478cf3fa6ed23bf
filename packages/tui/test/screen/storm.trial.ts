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

const lags = [{ terminalLagMs: 200 }, { programLagMs: 150 }, { terminalLagMs: 200, programLagMs: 150 }] as const;
const shapes = (['any', 'dragged'] as const).flatMap((widths) =>
  (['commits', 'grows'] as const).map((life) => ({ widths, life })),
);

test.each([{ reflow: 'exact' }, { reflow: 'xtermjs' }, { reflow: 'exact', newsEveryMs: 250, settleMs: 300 }] as const)(
  'a terminal that takes new sizes first and lines later, and a program that hears late: each word once, in order: %o',
  (kind) => {
    for (const every of [[15, 15] as const, [30, 120] as const]) {
      for (const lag of lags) {
        for (const { widths, life } of shapes) {
          const count = life === 'grows' ? 60 : 150;
          for (let seed = 1; seed <= 10; seed++) {
            const synchronizedOutput = seed % 2 === 0;
            const weather = {
              ...kind,
              ...lag,
              widths,
              life,
              every,
              latencyMs: 5,
              synchronizedOutput,
              words: count,
              seed,
            };
            expect(storm(weather), JSON.stringify(weather)).toEqual(all.slice(0, count));
          }
        }
      }
    }
  },
);
