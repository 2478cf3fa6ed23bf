/** The time that a command has. It stands still while the user is asked on the command's behalf, who may take long. */
import type { Held } from './contain.ts';

export interface Deadline {
  /** Fires when the time is over, or with the signal of the call. */
  signal: AbortSignal;
  isOver(): boolean;
  end(): void;
}

/** Longer timers fire at once. */
const maxTimerMs = 2 ** 31 - 1;

export function startDeadline(ms: number, held: Pick<Held, 'onAsking'>, signal: AbortSignal): Deadline {
  const own = new AbortController();
  let left = Math.min(ms, maxTimerMs);
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const halt = () => {
    clearTimeout(timer);
    left = Math.max(0, left - (performance.now() - since));
  };
  const go = () => {
    since = performance.now();
    timer = setTimeout(() => own.abort(), left);
  };
  go();
  held.onAsking((asking) => {
    if (ended || own.signal.aborted) return;
    if (asking) halt();
    else go();
  });
  return {
    signal: AbortSignal.any([signal, own.signal]),
    isOver: () => own.signal.aborted,
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
