/** When to draw: what is asked for in one go is drawn once, at most sixty times a second, and idle means no timer. */

/** Timers count whole milliseconds. */
const frameMs = 17;
/** How long it has to be quiet, and how long it may go on. */
const [quietMs, longestMs] = [40, 1000];

export interface Pace {
  /** Soon, or, when a key caused it, as soon as what is running now is done. */
  request(urgent?: boolean): void;
  /**
   * Not before it has been quiet for a moment: while a window is dragged, what is on its way to the terminal would be
   * taken for a size that is over.
   */
  hold(): void;
  /** Nothing is asked for any more. */
  cancel(): void;
  /** A frame was drawn without being asked for here. */
  drawn(): void;
}

export function createPace(draw: () => void): Pace {
  let lastAt = Number.NEGATIVE_INFINITY;
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let heldSince: number | undefined;

  function cancel(): void {
    clearImmediate(immediate);
    clearTimeout(timer);
    immediate = undefined;
    timer = undefined;
    heldSince = undefined;
  }

  function run(): void {
    cancel();
    draw();
  }

  return {
    request(urgent = false) {
      if (immediate || heldSince !== undefined) return;
      const wait = urgent ? 0 : lastAt + frameMs - performance.now();
      if (wait <= 0) {
        cancel();
        immediate = setImmediate(run);
      } else {
        timer ??= setTimeout(run, wait);
      }
    },
    hold() {
      const since = heldSince ?? performance.now();
      cancel();
      heldSince = since;
      timer = setTimeout(run, Math.max(0, Math.min(quietMs, since + longestMs - performance.now())));
    },
    cancel,
    drawn() {
      cancel();
      lastAt = performance.now();
    },
  };
}
