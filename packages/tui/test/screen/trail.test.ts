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

function opened({ latencyMs = 10, doubtMs = 10, newsEveryMs = 0 } = {}) {
  const trail = createTrail(() => ({ latencyMs, doubtMs, newsEveryMs }));
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
  // Nothing is joined before the window becomes wider.
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(2);
  trail.resized(wide);
  expect(trail.rowsAbove(wide, true, 'exact')).toBe(0);
});

test('a frame that a busy terminal may have taken after the new size is in doubt for as long as that', () => {
  const { trail, pass } = opened({ doubtMs: 250 });
  const lines = { ...frame, final: true };
  trail.sent(frame);
  pass(1000);
  trail.sent(lines);
  pass(200);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(2);
  trail.sent(lines);
  pass(270);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(4);
});

test('the first frame of all counts with the rows it was sent with while it may be on its way', () => {
  const { trail, pass } = opened({ doubtMs: 250 });
  trail.sent(frame);
  pass(100);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(2);
});

test('of any number of frames a hundred are kept, and without one that had arrived for sure nothing is taken for broken', () => {
  const { trail } = opened();
  trail.sent({ ...frame, rows: [...rows, 'footer'] });
  for (let times = 0; times < 1000; times++) trail.sent(frame);
  trail.resized(narrow);
  expect(trail.rowsAbove(narrow, true, 'exact')).toBe(2);
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
  ['at once', 0, 2, 2],
  ['only every so often, and so may have been narrow in between,', 250, 2, 0],
] as const)('a terminal that tells of its size %s is believed as far as that', (_, newsEveryMs, above, belowFinal) => {
  const wider = { columns: 61, rows: 20 };
  for (const final of [false, true]) {
    const { trail, pass } = opened({ newsEveryMs });
    trail.sent(frame);
    pass(600);
    trail.resized(wider);
    pass(100);
    trail.sent({ ...frame, size: wider, final });
    pass(150);
    trail.resized({ columns: 62, rows: 20 });
    expect(trail.rowsAbove({ columns: 62, rows: 20 }, true, 'exact')).toBe(final ? belowFinal : above);
    // News after a long rest are fresh.
    trail.sent({ ...frame, size: wide });
    pass(600);
    trail.resized(narrow);
    expect(trail.rowsAbove(narrow, true, 'exact')).toBe(4);
  }
});

test('without committed lines only the rows count that every frame on its way had above the cursor', () => {
  const { trail, pass } = opened({ newsEveryMs: 250 });
  trail.resized(wide);
  pass(100);
  trail.sent({ ...frame, cursor: { row: 1, column: 0 } });
  trail.sent(frame);
  trail.resized(narrow);
  trail.resized(wide);
  expect(trail.rowsAbove(wide, true, 'exact')).toBe(1);
});
