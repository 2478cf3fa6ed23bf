/**
 * From the rows that are shown to those that should be, in as few bytes as it takes. Rows go from top to bottom, so that
 * a row is final before a line feed at the bottom scrolls it out of reach.
 */
import { isImageLine } from '../image/sequences.ts';
import { changedPart } from './part.ts';
import { createPen, type Pen } from './pen.ts';
import { bestShift, type Shift, shifted } from './shift.ts';

export interface Drawn {
  readonly rows: readonly string[];
  /** The row of them in which the terminal's cursor stands. */
  readonly cursorRow: number;
  /** Nobody knows what the first row and those below it show: after a resize, or when another program wrote. */
  readonly stale: boolean;
}

export interface Place {
  row: number;
  column: number;
}

export interface PatchOptions {
  /** Rows of the terminal. */
  height: number;
  /** Whether moving rows about is seen only when it is done. */
  synchronized: boolean;
  /** So many of the next rows are final. */
  committed?: number;
  /** A row that was broken counts as broken until it is deleted, whatever is written there. */
  keepsBreaks?: boolean;
}

/** Leaves the cursor at `cursor`. */
export function patch(drawn: Drawn, next: readonly string[], cursor: Place, options: PatchOptions): string {
  const pen = createPen(drawn.cursorRow, Math.max(1, drawn.rows.length));
  if (drawn.stale) redraw(pen, next, options);
  else update(pen, drawn.rows, next, options);
  // The column is not known here, so the cursor is put into its place even if nothing was drawn.
  pen.to(cursor.row, cursor.column);
  return pen.written();
}

/** Erasing from a blank behind the corner: from the corner itself some terminals keep what they erase as history. */
const eraseBelow = ' \u001b[J\r';

/** While the size of the window changes it may be narrower by now: a final row wraps then, and nothing of it is lost. */
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h'];

function redraw(pen: Pen, next: readonly string[], { height, committed = 0, keepsBreaks }: PatchOptions): void {
  const last = Math.max(0, next.length - 1);
  pen.to(0, 0);
  if (keepsBreaks) pen.put(`\u001b[${height}M`);
  if (committed > 0) {
    // All below is ours, and a final row that wraps must not meet what was there.
    pen.put(eraseBelow);
    writeFinal(pen, next.slice(0, committed), false);
  }
  for (let row = committed; row <= last; row++) {
    const end = imageEnd(next, row);
    if (row > 0) pen.to(row, 0);
    pen.put(Math.max(row, end) === last ? `${eraseBelow}\u001b[K` : '\u001b[K');
    if (end < row) pen.put(next[row] ?? '');
    else drawImage(pen, next, row, end);
    row = Math.max(row, end);
  }
}

function update(pen: Pen, rows: readonly string[], next: readonly string[], options: PatchOptions): void {
  const canMove = options.synchronized && next.length <= options.height;
  const was = canMove ? moveRows(pen, rows, next) : rows;
  const committed = options.committed ?? 0;
  if (committed > 0) writeFinal(pen, next.slice(0, committed), next.length > committed);
  for (let row = committed; row < next.length; row++) {
    const line = next[row] ?? '';
    const before = was[row];
    // A terminal that broke rows meanwhile may hold this one for the rest of the final row above; written anew it is not.
    const isBelowFinal = committed > 0 && row === committed;
    if (before === line && !isBelowFinal) continue;
    const end = imageEnd(next, row);
    if (end >= row) {
      drawImage(pen, next, row, end);
      row = end;
    } else if (before === undefined || isBelowFinal) {
      pen.to(row, 0);
      pen.put(isBelowFinal ? `\u001b[K${line}` : line);
    } else {
      const { column, text } = changedPart(before, line);
      pen.to(row, column);
      pen.put(text);
    }
  }
  if (was.length <= next.length) return;
  pen.to(next.length, 0);
  pen.put(next.length > 0 ? '\u001b[J' : `${eraseBelow}\u001b[K`);
}

/**
 * Whole, one below the other, whatever the row showed before: if the window has another size by now, rows are not where they
 * are believed to be, and what is skipped or cut here would never be seen again. A row that wraps goes on in the next, so
 * that one is cleared before; both are written anew in any case.
 */
function writeFinal(pen: Pen, final: readonly string[], clearBelow: boolean): void {
  pen.put(wrapOn);
  for (let row = 0; row < final.length; row++) {
    const end = imageEnd(final, row);
    if (end >= row) {
      drawImage(pen, final, row, end);
      row = end;
      continue;
    }
    if (clearBelow) {
      pen.to(row + 1, 0);
      pen.put('\u001b[K');
    }
    pen.to(row, 0);
    pen.put(`\u001b[K${final[row] ?? ''}`);
  }
  pen.put(wrapOff);
}

/** The last row of the image that begins here, or -1. The blank rows below it are its own. */
function imageEnd(next: readonly string[], first: number): number {
  if (!isImageLine(next[first] ?? '')) return -1;
  let last = first;
  while (next[last + 1] === '') last++;
  return last;
}

/** All of its rows are cleared before it is drawn, and not touched after that. */
function drawImage(pen: Pen, next: readonly string[], first: number, last: number): void {
  for (let row = first; row <= last; row++) {
    pen.to(row, 0);
    pen.put('\u001b[K');
  }
  pen.to(first, 0);
  pen.put(next[first] ?? '');
}

function moveRows(pen: Pen, rows: readonly string[], next: readonly string[]): readonly string[] {
  const shift = bestShift(rows, next);
  // Not every terminal takes its images along.
  if (shift === undefined || rows.some(isImageLine) || next.some(isImageLine)) return rows;
  move(pen, rows.length, shift);
  return shifted(rows, shift);
}

function move(pen: Pen, rows: number, { at, by }: Shift): void {
  // Room at the bottom first: rows that are pushed over the edge would be lost.
  if (by > 0) pen.to(rows - 1 + by, 0);
  pen.to(at, 0);
  pen.put(by > 0 ? `\u001b[${by}L` : `\u001b[${-by}M`);
}
