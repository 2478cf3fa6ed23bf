/** `kill -9` at many random instants: nothing is lost, nothing happens twice. `npm run soak` does thousands more. */
import { expect, test } from 'vitest';
import { crashStorm } from './crash-trial.ts';

test('kill -9 at 200 random instants: every call once, and its effect as often as the model is told', async () => {
  const { certain, uncertain, notRun } = await crashStorm({ kills: 200, firstSeed: 1, atATime: 2 });
  // The instants were well spread: most calls were cut after, some during, some before.
  expect(certain).toBeGreaterThan(uncertain);
  expect(uncertain).toBeGreaterThan(0);
  expect(notRun).toBeGreaterThan(0);
}, 240_000);
