/** A clock that a test plays. Time may pass without a timer being served, as in a program that is busy or not scheduled. */
import { vi } from 'vitest';

export interface PlayedClock {
  pass(ms: number): void;
  /** Serves the timers that are due by now, the earliest first. */
  run(): void;
}

interface Timer {
  at: number;
  work(): void;
}

/** The global timers and `performance` are played while `work` runs. */
export function withClock<T>(work: (clock: PlayedClock) => T): T {
  const timers = new Set<Timer>();
  let now = 0;
  const after = (ms: number, call: (...args: unknown[]) => void, args: unknown[]): Timer => {
    const timer = { at: now + ms, work: () => call(...args) };
    timers.add(timer);
    return timer;
  };
  const clear = (timer: Timer | undefined) => {
    if (timer) timers.delete(timer);
  };
  vi.stubGlobal('performance', { now: () => now });
  vi.stubGlobal('setTimeout', (call: () => void, ms = 0, ...args: unknown[]) => after(ms, call, args));
  vi.stubGlobal('setImmediate', (call: () => void, ...args: unknown[]) => after(0, call, args));
  vi.stubGlobal('clearTimeout', clear);
  vi.stubGlobal('clearImmediate', clear);
  try {
    return work({
      pass(ms) {
        now += ms;
      },
      run() {
        const due = [...timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
        for (const timer of due) if (timers.delete(timer)) timer.work();
      },
    });
  } finally {
    vi.unstubAllGlobals();
  }
}
