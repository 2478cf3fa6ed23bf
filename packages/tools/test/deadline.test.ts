/** The time of a contained command: it stands still while the user is asked on its behalf. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startDeadline } from '../src/bash/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function deadlineOf(ms: number) {
  const listeners: ((asking: boolean) => void)[] = [];
  const abort = new AbortController();
  const held = { onAsking: (listener: (asking: boolean) => void) => void listeners.push(listener) };
  const tell = (asking: boolean) => {
    for (const listener of listeners) listener(asking);
  };
  return { deadline: startDeadline(ms, held, abort.signal), abort, tell };
}

test('a command has its time, less nothing that the user took to answer', () => {
  const { deadline, tell } = deadlineOf(1000);
  vi.advanceTimersByTime(600);
  tell(true);
  vi.advanceTimersByTime(60_000);
  expect(deadline.isOver()).toBe(false);
  tell(false);
  vi.advanceTimersByTime(399);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect([deadline.isOver(), deadline.signal.aborted]).toEqual([true, true]);
});

test('an abort of the call is no end of the time, and an answer that comes after the command starts no new time', () => {
  const { deadline, tell, abort } = deadlineOf(1000);
  tell(true);
  abort.abort();
  expect([deadline.isOver(), deadline.signal.aborted]).toEqual([false, true]);
  deadline.end();
  tell(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('a time longer than a timer can have is no time that is over at once', () => {
  const { deadline } = deadlineOf(Number.POSITIVE_INFINITY);
  vi.advanceTimersByTime(1000);
  expect(deadline.isOver()).toBe(false);
  deadline.end();
});
