/**
 * A hundred thousand generated lines that are proved to only read, really run. SOAK_LINES: how many; SOAK_FUZZ_SEED:
 * where to begin, to see a failure again.
 */
import { expect, onTestFinished, test } from 'vitest';
import { type Claim, claimFor, findLies, type Lie } from '../packages/agent/test/fuzz.ts';
import { makeFuzzPlace, offeredOptions } from '../packages/agent/test/fuzz-place.ts';
import { fuzzLine, randomFrom } from '../packages/policy/test/fuzz-lines.ts';
import { amount, report } from './amount.ts';

test('lines that are proved to only read do nothing else, a hundred thousand times', async () => {
  const wanted = amount('SOAK_LINES', 100_000);
  const seed = amount('SOAK_FUZZ_SEED', 1 + (Date.now() % 1_000_000_000));
  const lies: Lie[] = [];
  let made = 0;
  let run = 0;
  for (let round = 0; run < wanted; round++) {
    // A fresh project now and then: should something have been written, the next lines are not to find it.
    const place = await makeFuzzPlace(round % 2 === 0 ? 'C' : 'C.UTF-8');
    onTestFinished(place.dispose);
    const fuzz = { random: randomFrom(seed + round), options: offeredOptions(place) };
    const claims = new Map<string, Claim>();
    for (const most = Math.min(3000, wanted - run); claims.size < most; made++) {
      const line = fuzzLine(fuzz);
      const claim = claimFor(line, place);
      if (claim) claims.set(line, claim);
    }
    lies.push(...(await findLies([...claims.values()], place)));
    run += claims.size;
    place.dispose();
  }
  report('lines', { seed, made, run, lies: lies.length });
  expect(lies).toEqual([]);
});
