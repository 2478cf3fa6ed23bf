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
  /** How long news of a size are on their way. */
  latencyMs: number;
  /** How long what was written may be on its way: a terminal that is busy takes a new size first, and what waits after it. */
  doubtMs: number;
  /** News that follow others within this time may be of a size that came right after those. */
  newsEveryMs: number;
}

interface Frame {
  sent: Sent;
  /** It had arrived by then for sure. */
  by: number;
}

/** A width that stands for all that may have been. */
const unheard = 1;
/** A program that is busy hears of a size so late at most, or of none but the last. */
const lateMs = 200;
/** While nothing is drawn, behind a viewer, there may be any number of sizes; frames come sixty times a second. */
const [mostSizes, mostFrames] = [500, 100];

export function createTrail(delays: () => Delays): Trail {
  /** The last is the newest. */
  let frames: Frame[] = [];
  /** When the size can have changed first since the last frame was sure of it, and all sizes since then. */
  let changedAt: number | undefined;
  let newsAt = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  let sizes: Size[] = [];

  return {
    get isChanged() {
      return changedAt !== undefined;
    },
    sent(frame) {
      sentAt = performance.now();
      const { latencyMs, doubtMs, newsEveryMs } = delays();
      const arrived = sentAt - latencyMs - newsEveryMs - lateMs;
      frames.push({ sent: frame, by: sentAt + doubtMs });
      // One that had arrived is kept. From the oldest on: sixty times a second there is little to look at.
      while (frames.length > mostFrames || (frames[1]?.by ?? Number.POSITIVE_INFINITY) <= arrived) frames.shift();
      changedAt = undefined;
      sizes = [];
    },
    resized(size) {
      const now = performance.now();
      const { latencyMs, newsEveryMs } = delays();
      const silentUntil = newsAt + newsEveryMs + latencyMs;
      // A frame was drawn with a look at the size: what was told of after that is no older than it, however late it is heard.
      const mayBeLate = newsEveryMs > 0 && sentAt <= silentUntil && now <= silentUntil + lateMs;
      // A size that came and went between two news is never heard of, and may have been any.
      if (mayBeLate) sizes.push({ ...size, columns: unheard });
      changedAt ??= mayBeLate ? newsAt - lateMs : now;
      newsAt = now;
      sizes.push(size);
      if (sizes.length > mostSizes) sizes = [{ ...size, columns: unheard }, size];
    },
    rowsAbove(size, settled, reflow) {
      const last = frames.at(-1)?.sent;
      if (last === undefined) return 0;
      const sure = (changedAt ?? performance.now()) - delays().latencyMs;
      // The first of these had arrived, if any had; what the others met is not known.
      const first = frames.findLastIndex(({ by }) => by <= sure);
      const possible = frames.slice(Math.max(0, first)).map(({ sent }) => sent);
      const doubtful = first < 0 ? possible : possible.slice(1);
      const isUnheard = doubtful.length > 0 && sizes.some(({ columns }) => columns === unheard);
      // Final lines that met broken rows stand in the middle of them, and the live region begins right below.
      const mayBeJoined = isUnheard || doubtful.some(({ final }) => final);
      if (!settled || mayBeJoined || first < 0) return leastAbove(possible, doubtful, [last.size, ...sizes]);
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
 * two of its rows have been joined, and only when the window became wider again.
 */
function leastAbove(possible: readonly Sent[], doubtful: readonly Sent[], way: readonly Size[]): number {
  const above = possible.at(-1)?.cursor.row ?? 0;
  const isNeverWider = way.every(({ columns }, at) => columns <= (way[at - 1]?.columns ?? columns));
  if (doubtful.length === 0 || isNeverWider) return above;
  // Without final lines the cursor only went from its row in one frame to its row in the next.
  if (!doubtful.some(({ final }) => final)) return Math.min(...possible.map(({ cursor }) => cursor.row));
  const narrowest = Math.min(...way.slice(1).map(({ columns }) => columns));
  const broken = possible.map(({ rows }) => rows.reduce((sum, row) => sum + rowsAdded(row, narrowest), 0));
  return Math.max(0, above - Math.max(...broken));
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
