/**
 * Random use of the terminal's screen against its model, tens of thousands of times. SOAK_SCREENS: how often;
 * SOAK_SCREEN_SEED: where to begin, to see a failure again.
 */
import fc from 'fast-check';
import { test } from 'vitest';
import { nothingCommittedIsLost, nothingIsLostOrDoubled } from '../packages/tui/test/screen/model.ts';
import { amount, report } from './amount.ts';

test('nothing committed is lost, whatever is drawn and however the window is dragged', () => {
  const numRuns = amount('SOAK_SCREENS', 20_000);
  const seed = amount('SOAK_SCREEN_SEED', 1 + (Date.now() % 1_000_000_000));
  fc.assert(nothingIsLostOrDoubled({ synchronizedOutput: true }), { seed, numRuns });
  fc.assert(nothingIsLostOrDoubled({ synchronizedOutput: false }), { seed, numRuns });
  fc.assert(nothingCommittedIsLost(), { seed, numRuns });
  report('screens', { seed, runs: 3 * numRuns });
});
