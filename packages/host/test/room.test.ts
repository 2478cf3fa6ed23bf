/** A command that would fill a disk is stopped before it is full. */
import { expect, test } from 'vitest';
import { watchRoom } from '../src/local/room.ts';

const gigabyte = 1024 ** 3;

interface Watched {
  /** What is free at each look; the last one stays. */
  free: readonly (number | Error)[];
  leave?: number;
}

/** How many looks it took until it was told, and what was. */
async function watch({ free, leave }: Watched): Promise<{ looks: number; told: number[] }> {
  let looks = 0;
  const told: number[] = [];
  const end = watchRoom({
    places: ['/disk', '/disk'],
    leave,
    onShort: (_, left) => told.push(left),
    async freeAt() {
      const now = free[Math.min(looks, free.length - 1)] ?? 0;
      looks += 1;
      if (now instanceof Error) throw now;
      return now;
    },
    lookEveryMs: 1,
  });
  await expect.poll(() => told.length > 0 || looks > free.length + 2, { interval: 2 }).toBe(true);
  end();
  return { looks, told };
}

test('the last gigabyte is left, and it is told once', async () => {
  const { looks, told } = await watch({ free: [9 * gigabyte, 2 * gigabyte, gigabyte - 1] });
  expect({ looks, told }).toEqual({ looks: 3, told: [gigabyte - 1] });
});

test('on a disk with little room half of it is left', async () => {
  expect((await watch({ free: [100, 60, 51] })).told).toEqual([]);
  expect((await watch({ free: [100, 60, 49] })).told).toEqual([49]);
});

test('how much is left can be said, and a place that is gone is not full', async () => {
  expect((await watch({ free: [100], leave: 101 })).told).toEqual([100]);
  expect((await watch({ free: [new Error('gone')], leave: 101 })).told).toEqual([]);
});

test('after its end it looks no more', async () => {
  let looks = 0;
  const end = watchRoom({ places: ['/'], onShort() {}, freeAt: async () => ++looks, lookEveryMs: 1 });
  await expect.poll(() => looks).toBeGreaterThan(1);
  end();
  const then = looks;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(looks).toBeLessThanOrEqual(then + 1);
});
