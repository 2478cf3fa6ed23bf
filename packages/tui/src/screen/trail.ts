/**
 * The frames that may still have been on their way when the terminal changed its size, and what that means for where the
 * live region begins now. The answer is never higher than the truth: a row that is left behind is an eyesore, a committed
 * row that is erased is lost.
 */
import type { Place } from './patch.ts';
import { type Reflow, rowsAboveCursor, rowsAdded } from './reflow.ts';

export interface Size {
  columns: number;
  rows: number;
}

interface Sent {
  rows: readonly string[];
  cursor: Place;
  /** It wrote committed lines too. */
  final: boolean;
  size: Size;
  /** So many rows below its last were blank for sure. */
  blankBelow: number;
}

export interface Trail {
  /** The size has changed since the last frame. */
  readonly isChanged: boolean;
  sent(frame: Sent): void;
  /** The terminal said that it has another size. */
  resized(size: Size): void;
  /**
   * The rows above the cursor that are the live region's for sure. `settled`: the size has been the same for a while, so what
   * the terminal made of the rows can be told.
   */
  rowsAbove(size: Size, settled: boolean, reflow: Reflow): number;
  /** What is shown is not known any more. */
  forget(): void;
}

export interface Delays {
  /** How long what was written may be on its way, and news of a size back. */
  latencyMs: number;
  /** News that follow others within this time may be of a size that came right after those. */
  newsEveryMs: number;
}

/** A width that stands for all that may have been. */
const unheard = 1;
/** While nothing is drawn, behind a viewer, there may be any number. */
const mostSizes = 500;

export function createTrail(delays: () => Delays): Trail {
  /** The last is the newest; the first had arrived for sure when the second was sent. */
  let frames: { sent: Sent; at: number }[] = [];
  /** When the size can have changed first since the last frame was sure of it, and all sizes since then. */
  let changedAt: number | undefined;
  let newsAt = Number.NEGATIVE_INFINITY;
  let sizes: Size[] = [];

  return {
    get isChanged() {
      return changedAt !== undefined;
    },
    sent(frame) {
      const at = performance.now();
      const { latencyMs, newsEveryMs } = delays();
      const arrived = frames.findLastIndex((before) => before.at < at - 2 * latencyMs - newsEveryMs);
      frames = [...frames.slice(Math.max(0, arrived)), { sent: frame, at }];
      changedAt = undefined;
      sizes = [];
    },
    resized(size) {
      const now = performance.now();
      const { latencyMs, newsEveryMs } = delays();
      const mayBeLate = newsEveryMs > 0 && now - newsAt <= newsEveryMs + latencyMs;
      // A size that came and went between two news is never heard of, and may have been any.
      if (mayBeLate) sizes.push({ ...size, columns: unheard });
      changedAt ??= mayBeLate ? newsAt : now;
      newsAt = now;
      sizes.push(size);
      if (sizes.length > mostSizes) sizes = [{ ...size, columns: unheard }, size];
    },
    rowsAbove(size, settled, reflow) {
      const last = frames.at(-1)?.sent;
      if (last === undefined) return 0;
      const sure = (changedAt ?? performance.now()) - delays().latencyMs;
      // The first of these had arrived; what the others met is not known.
      const possible = frames
        .slice(
          Math.max(
            0,
            frames.findLastIndex(({ at }) => at < sure),
          ),
        )
        .map(({ sent }) => sent);
      // Final lines that met broken rows stand in the middle of them, and the live region begins right below.
      const mayBeJoined = possible
        .slice(1)
        .some(({ final }) => final || sizes.some(({ columns }) => columns === unheard));
      if (!settled || mayBeJoined) return leastAbove(last, possible, sizes);
      const added = possible.map((sent) => addedAbove(sent, size, [sent.size, ...sizes, size], reflow));
      return last.cursor.row + Math.max(0, Math.min(...added));
    },
    forget() {
      frames = [];
      changedAt = undefined;
      sizes = [];
    },
  };
}

/**
 * Every row above the cursor began as one, and may be broken into more. Only where a frame was written over broken rows may
 * two of its rows have been joined when the window became wider again.
 */
function leastAbove({ cursor }: Sent, possible: readonly Sent[], sizes: readonly Size[]): number {
  if (possible.length < 2) return cursor.row;
  const narrowest = Math.min(...sizes.map(({ columns }) => columns));
  const broken = possible.map(({ rows }) => rows.reduce((sum, row) => sum + rowsAdded(row, narrowest), 0));
  return Math.max(0, cursor.row - Math.max(...broken));
}

/** How many rows more than it had are above the cursor of a frame that was all there before the size changed. */
function addedAbove({ rows, cursor, size, blankBelow }: Sent, now: Size, way: readonly Size[], reflow: Reflow): number {
  if (now.columns === size.columns) return 0;
  // Where the cursor ends up in terminals that do not keep it at its character depends on every size in between.
  if (reflow === 'xtermjs' && !isStraight(way)) return 0;
  // A lower window may have taken rows below the cursor away.
  const taken = Math.max(0, size.rows - now.rows - blankBelow);
  const left = rows.slice(0, Math.max(cursor.row + 1, rows.length - taken));
  return rowsAboveCursor(left, cursor, now.columns, reflow) - cursor.row;
}

/** All of one height, or never back. */
function isStraight(way: readonly Size[]): boolean {
  const goes = (sizes: readonly number[]) => {
    const steps = sizes.slice(1).map((size, at) => size - (sizes[at] ?? size));
    return { up: steps.some((step) => step > 0), down: steps.some((step) => step < 0) };
  };
  const [width, height] = [goes(way.map(({ columns }) => columns)), goes(way.map(({ rows }) => rows))];
  if (!height.up && !height.down) return true;
  return !(width.up && width.down) && !(height.up && height.down);
}
