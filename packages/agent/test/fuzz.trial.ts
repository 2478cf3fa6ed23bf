/** Generated lines that are proved to only read are really run: none of them does anything else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from '../../policy/test/fuzz-findings.ts';
import { fuzzLine, randomFrom } from '../../policy/test/fuzz-lines.ts';
import { type Claim, claimFor, findLies } from './fuzz.ts';
import { type FuzzPlace, makeFuzzPlace, offeredOptions } from './fuzz-place.ts';

let place: FuzzPlace;
beforeAll(async () => {
  place = await makeFuzzPlace();
});
afterAll(() => place.dispose());

const seed = 20_260_730;

test('generated and mutated lines: what is proved to only read only reads what it says', async () => {
  const fuzz = { random: randomFrom(seed), options: offeredOptions(place) };
  const claims = new Map<string, Claim>();
  let made = 0;
  while (claims.size < 1000 && made < 60_000) {
    const line = fuzzLine(fuzz);
    made += 1;
    const claim = claimFor(line, place);
    if (claim) claims.set(line, claim);
  }
  expect(await findLies([...claims.values()], place)).toEqual([]);
  // A judge that proves nothing would pass as well.
  expect(claims.size).toBe(1000);
  expect(claims.size / made).toBeGreaterThan(0.05);
}, 120_000);

test('a claim that is not true is found out, whatever it hides', async () => {
  const claim = (line: string, programs: string[], reads: string[] = []): Claim => ({ line, programs, reads });
  const liars = [
    claim('touch new', ['touch']),
    claim('rm -f new', ['rm']),
    claim('echo x > sub/new', ['echo']),
    claim('chmod 755 a.txt', ['chmod']),
    claim('cat a.txt', ['cat'], ['b.txt']),
    claim('cat link/secret', ['cat'], ['a.txt']),
    claim('cat < file-link', ['cat']),
    claim('ls ~', ['ls']),
    claim('wc a.txt | sort', ['wc'], ['a.txt']),
    claim('./ls', ['ls']),
    claim('true </dev/tcp/127.0.0.1/1', ['true']),
    claim('kill -0 1', ['kill']),
    claim('git -C wild status', ['git', 'touch'], ['.']),
  ];
  const found = await findLies([...liars, claim('cat a.txt link/secret', ['cat'], ['a.txt', 'link/secret'])], place);
  expect(found.map(({ line }) => line)).toEqual(liars.map(({ line }) => line));
});

test('what was found once stays found', async () => {
  const claims = findings.flatMap((line) => claimFor(line, place) ?? []);
  expect(await findLies(claims, place)).toEqual([]);
});
