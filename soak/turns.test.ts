/** 10,000 turns in one process. SOAK_TURNS: how many. */
import { expect, test } from 'vitest';
import { endure, growth } from '../packages/cli/test/endurance.ts';
import { amount, report } from './amount.ts';

const mega = 1024 * 1024;
const turns = amount('SOAK_TURNS', 10_000);

test.each(['new', 'none'] as const)(
  'conversations of 50 turns, session %s: heap and open files stay flat',
  async (session) => {
    const { heap, files, sockets } = await endure({ conversations: Math.ceil(turns / 50), turns: 50, session });
    const grown = growth(heap, 10);
    report(`turns, session ${session}`, {
      turns,
      heapMb: (heap.at(-1) ?? 0) / mega,
      grownMb: grown / mega,
      sockets: Math.max(...sockets),
    });
    expect(grown).toBeLessThan(3 * mega);
    expect(growth(files, 10)).toBeLessThanOrEqual(0);
  },
);

test('one conversation of 2,000 turns: the heap grows with what was said and not with more', async () => {
  const every = 100;
  const { heap, files } = await endure({ conversations: 1, turns: 2000, session: 'new', every });
  const early = growth(heap.slice(0, 12), 3);
  const late = growth(heap.slice(-9), 0);
  report('one conversation', { earlyMb: early / mega, lateMb: late / mega });
  // The same number of turns adds as much at the end as at the beginning.
  expect(late).toBeLessThan(2 * Math.max(early, mega));
  expect(growth(files, 3)).toBeLessThanOrEqual(0);
});
