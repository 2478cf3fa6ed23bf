/** Timers that run out when a test says so: on a slow machine they run out before what they are to come after. */
import { onTestFinished, vi } from 'vitest';

export interface HeldTimers {
  /** Their time is over. Who is set for as long after that runs as usual. */
  strike(): void;
}

/** Those that are set for exactly so many milliseconds. All others run as usual. */
export function holdTimers(held: number): HeldTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const waiting = new Map<unknown, () => void>();
  let holds = true;
  vi.stubGlobal('setTimeout', (call: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    if (!holds || ms !== held) return set(call, ms, ...args);
    const timer = set(() => {}, 2 ** 31 - 1);
    waiting.set(timer, () => call(...args));
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout | undefined) => {
    waiting.delete(timer);
    clear(timer);
  });
  const strike = () => {
    holds = false;
    for (const [timer, call] of [...waiting]) {
      globalThis.clearTimeout(timer as NodeJS.Timeout);
      call();
    }
  };
  onTestFinished(() => {
    vi.unstubAllGlobals();
    for (const timer of waiting.keys()) clear(timer as NodeJS.Timeout);
  });
  return { strike };
}
