/** Thousands of `kill -9`. SOAK_KILLS: how many; SOAK_SEED: where to begin, to see a failure again. */
import { expect, test } from 'vitest';
import { crashStorm } from '../packages/cli/test/crash-trial.ts';
import { amount, report } from './amount.ts';

test('kill -9 at thousands of random instants: nothing is lost, nothing happens twice', async () => {
  const kills = amount('SOAK_KILLS', 3000);
  const firstSeed = amount('SOAK_SEED', 1_000_000 + (Date.now() % 1_000_000));
  const total = await crashStorm({ kills, firstSeed, atATime: 2 });
  report('kills', { firstSeed, ...total });
  expect(total.kills).toBeGreaterThanOrEqual(kills);
});
