import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPace } from '../../src/screen/pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function counted() {
  const at: number[] = [];
  const pace = createPace(() => {
    pace.drawn();
    at.push(performance.now());
  });
  return { pace, at };
}

test('what is asked for in one go is one frame, and it comes at once', () => {
  const { pace, at } = counted();
  const begin = performance.now();
  for (let times = 0; times < 50; times++) pace.request();
  vi.advanceTimersByTime(1);
  expect(at.map((time) => time - begin)).toEqual([0]);
});

test('a second of requests makes at most sixty frames', () => {
  const { pace, at } = counted();
  for (let ms = 0; ms < 1000; ms++) {
    pace.request();
    vi.advanceTimersByTime(1);
  }
  expect(at.length).toBeGreaterThan(50);
  expect(at.length).toBeLessThanOrEqual(60);
});

test('a key does not wait for the next frame', () => {
  const { pace, at } = counted();
  pace.request();
  vi.advanceTimersByTime(1);
  pace.request();
  pace.request(true);
  vi.advanceTimersByTime(1);
  expect(at).toHaveLength(2);
});

test('nothing is waiting when nothing was asked for', () => {
  const { pace } = counted();
  pace.request();
  vi.advanceTimersByTime(1);
  pace.request();
  vi.advanceTimersByTime(20);
  expect(vi.getTimerCount()).toBe(0);
});

test('while a window is dragged nothing is drawn until it rests, but not for ever', () => {
  const { pace, at } = counted();
  const begin = performance.now();
  for (let ms = 0; ms < 100; ms += 10) {
    pace.hold(40);
    pace.request(true);
    vi.advanceTimersByTime(10);
  }
  expect(at).toEqual([]);
  vi.advanceTimersByTime(40);
  expect(at.map((time) => time - begin)).toEqual([130]);
  for (let ms = 0; ms < 2000; ms += 10) {
    pace.hold(40);
    vi.advanceTimersByTime(10);
  }
  expect(at).toHaveLength(3);
});

test('what was drawn because it had waited for too long does not end the wait', () => {
  const drawn: [number, boolean][] = [];
  const begin = performance.now();
  const pace = createPace((quiet) => {
    pace.drawn();
    drawn.push([performance.now() - begin, quiet]);
  });
  for (let ms = 0; ms < 1200; ms += 200) {
    pace.hold(300);
    vi.advanceTimersByTime(200);
    pace.request(true);
  }
  expect(drawn).toEqual([[1000, false]]);
  vi.advanceTimersByTime(100);
  expect(drawn).toEqual([
    [1000, false],
    [1300, true],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a frame is not drawn when a look at the size shows that there was no quiet, and one that waited for too long is', () => {
  const drawn: boolean[] = [];
  let changes = false;
  const pace = createPace(
    (quiet) => {
      pace.drawn();
      drawn.push(quiet);
    },
    () => changes && pace.hold(40),
  );
  changes = true;
  pace.request(true);
  vi.advanceTimersByTime(900);
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(150);
  expect(drawn).toEqual([false]);
  changes = false;
  vi.advanceTimersByTime(40);
  expect(drawn).toEqual([false, true]);
  expect(vi.getTimerCount()).toBe(0);
});
