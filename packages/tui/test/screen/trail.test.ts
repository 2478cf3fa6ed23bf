import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTrail, type Size } from '../../src/screen/trail.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const wide: Size = { columns: 60, rows: 20 };
const narrow: Size = { columns: 20, rows: 20 };
/** Two rows above the cursor's, of which a window of 20 columns breaks the second into three. */
const rows = ['working', '─'.repeat(60), '> typed', 'footer'];
const frame = { rows, cursor: { row: 2, column: 7 }, final: false, size: wide, blankBelow: 0 };

function opened({ latencyMs = 20, newsEveryMs = 0 } = {}) {
  const trail = createTrail(() => ({ latencyMs, newsEveryMs }));
  return { trail, pass: (ms: number) => vi.advanceTimersByTime(ms) };
}

test('nothing is above the cursor before the first frame, and after what is shown was forgotten', () => {
  const { trail } = opened();
  expect(trail.rowsAbove(wide, true, 'exact')).toBe(0);
  trail.sent(frame);
  trail.resized(narrow);
  expect(trail.isChanged).toBe(true);
  trail.forget();
  expect(trail.isChanged).toBe(false);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(0);
});

test('a frame that had arrived before the window became narrow has as many rows as it was broken into', () => {
  const { trail, pass } = opened();
  trail.sent(frame);
  pass(100);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(4);
  expect(trail.rowsAbove(narrow, true, 'none')).toBe(2);
});

test('while the size goes on changing only the rows that there were at first are counted', () => {
  const { trail, pass } = opened();
  trail.sent(frame);
  pass(100);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, false, 'exact')).toBe(2);
});

test('a frame that may have met the old size or the new one counts with the fewer rows of the two', () => {
  const { trail, pass } = opened();
  trail.sent({ ...frame, rows: ['working', 'short', '> typed', 'footer'] });
  pass(100);
  trail.sent(frame);
  pass(10);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(2);
});

test('committed lines that were on their way leave the live region without the rows that may have been joined', () => {
  const { trail, pass } = opened();
  trail.sent(frame);
  pass(100);
  trail.sent({ ...frame, final: true });
  pass(10);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(0);
});

test('the next frame ends the change, and the one after it counts by itself', () => {
  const { trail, pass } = opened();
  trail.sent(frame);
  pass(100);
  trail.resized(narrow);
  const small = { ...frame, rows: ['working', '─'.repeat(20), '> typed'], size: narrow };
  trail.sent(small);
  expect(trail.isChanged).toBe(false);
  pass(100);
  trail.resized(wide);
  expect(trail.rowsAbove(wide, true, 'exact')).toBe(2);
});

test('a lower window may have taken rows below the cursor, but for as many as were blank', () => {
  const { trail, pass } = opened();
  const tall = { ...frame, rows: [...rows, 'x'.repeat(60)] };
  const low: Size = { columns: 20, rows: 19 };
  trail.sent(tall);
  pass(100);
  trail.resized(low);
  // The family of xterm.js moves the cursor by every row that is added, also below it.
  expect(trail.rowsAbove(low, true, 'xtermjs')).toBe(4);
  const sure = opened().trail;
  sure.sent({ ...tall, blankBelow: 1 });
  pass(100);
  sure.resized(low);
  expect(sure.rowsAbove(low, true, 'xtermjs')).toBe(6);
});

test('where a window went narrow, wide and low again, a terminal that moves its cursor is not guessed at', () => {
  const { trail, pass } = opened();
  trail.sent(frame);
  pass(100);
  trail.resized(narrow);
  trail.resized({ columns: 40, rows: 10 });
  trail.resized({ columns: 30, rows: 15 });
  expect(trail.rowsAbove({ columns: 30, rows: 15 }, true, 'xtermjs')).toBe(2);
  expect(trail.rowsAbove({ columns: 30, rows: 15 }, true, 'exact')).toBe(3);
});

test.each([
  ['at once', 0, 2],
  ['only every so often, and so may have been narrow in between,', 250, 0],
] as const)('a terminal that tells of its size %s is believed as far as that', (_, newsEveryMs, above) => {
  const { trail, pass } = opened({ newsEveryMs });
  trail.sent(frame);
  pass(100);
  trail.resized({ columns: 61, rows: 20 });
  pass(100);
  trail.sent({ ...frame, size: { columns: 61, rows: 20 } });
  pass(150);
  trail.resized(wide);
  expect(trail.rowsAbove(wide, true, 'exact')).toBe(above);
  // News after a long rest are fresh.
  trail.sent(frame);
  pass(500);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(4);
});
