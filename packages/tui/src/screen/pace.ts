/** When to draw: what is asked for in one go is drawn once, at most sixty times a second, and idle means no timer. */

/** Timers count whole milliseconds. */
const frameMs = 17;
/** How long nothing is drawn at most. */
const longestMs = 1000;

export interface Pace {
  /** Soon, or, when a key caused it, as soon as what is running now is done. */
  request(urgent?: boolean): void;
  /**
   * Not before it has been quiet for a moment: while a window is dragged, what is on its way to the terminal would be
   * taken for a size that is over.
   */
  hold(quietMs: number): void;
  /** Nothing is asked for any more. */
  cancel(): void;
  /** A frame was drawn without being asked for here. */
  drawn(): void;
  /** When a frame last came later than it was to come: this program, or the whole machine, is busy. */
  readonly lateAt: number;
}

/** A timer may be a moment late where nothing is busy. */
const lateMs = 5;

/** `draw` hears whether it was quiet, or has only waited for long enough. `look` comes before each frame, and may hold it. */
export function createPace(draw: (quiet: boolean) => void, look = () => {}): Pace {
  let lastAt = Number.NEGATIVE_INFINITY;
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let heldSince: number | undefined;
  let quietAt = 0;
  let holds = 0;
  let dueAt = Number.POSITIVE_INFINITY;
  let lateAt = Number.NEGATIVE_INFINITY;

  function cancel(): void {
    clearImmediate(immediate);
    clearTimeout(timer);
    immediate = undefined;
    timer = undefined;
    heldSince = undefined;
  }

  /** In a program that was busy, a timer is served before the news that there is no quiet yet. */
  function run(quiet: boolean): void {
    const now = performance.now();
    if (now > dueAt + lateMs) lateAt = now;
    const before = holds;
    look();
    if (quiet && holds > before) return;
    cancel();
    draw(quiet);
  }

  /** Until it is quiet. What has waited for too long is drawn, and the wait goes on. */
  function wait(): void {
    const now = performance.now();
    const limit = (heldSince ?? now) + longestMs;
    dueAt = Math.max(now, Math.min(quietAt, limit));
    if (quietAt <= limit) {
      timer = setTimeout(run, Math.max(0, quietAt - now), true);
      return;
    }
    timer = setTimeout(
      () => {
        run(false);
        if (timer !== undefined || immediate !== undefined) return;
        heldSince = performance.now();
        wait();
      },
      Math.max(0, limit - now),
    );
  }

  return {
    request(urgent = false) {
      if (immediate || heldSince !== undefined) return;
      const now = performance.now();
      const wait = urgent ? 0 : lastAt + frameMs - now;
      if (wait <= 0) {
        cancel();
        immediate = setImmediate(run, true);
        dueAt = now;
      } else if (timer === undefined) {
        timer = setTimeout(run, wait, true);
        dueAt = now + wait;
      }
    },
    hold(quietMs) {
      holds++;
      const since = heldSince ?? performance.now();
      cancel();
      heldSince = since;
      quietAt = performance.now() + quietMs;
      wait();
    },
    cancel,
    drawn() {
      cancel();
      lastAt = performance.now();
    },
    get lateAt() {
      return lateAt;
    },
  };
}
