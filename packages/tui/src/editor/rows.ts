/**
 * A line of text as rows of a given width: words stay whole where they fit, every unit has a cell of its own, and the last
 * cell of a row is left for the cursor (or for the one blank a row ends with). So positions and cells map both ways.
 *
 * Rows are found when they are asked for, in order, and remembered. A row depends on the text behind its start alone, and
 * not far: after a change those before it are kept, and those behind it as soon as a row starts where one did before. That
 * is what makes typing into a line of megabytes cheap.
 */
import { isSimple } from '../text/graphemes.ts';
import { glyphOf } from './glyphs.ts';
import { markerEnd, markerStart, noPastes, type Pastes } from './pastes.ts';
import { createEnds } from './units.ts';

export interface Rows {
  readonly text: string;
  readonly width: number;
  readonly pastes: Pastes;
  /** The end of the grapheme that starts at a column. */
  readonly endOf: (column: number) => number;
  /** The column each row starts at, as far as they are known; the first is 0. */
  readonly starts: number[];
  /** Whether all are known. */
  done: boolean;
  /** How many rows were wrapped for this; the others were known before. */
  wrapped: number;
  /** The rows before a change, to go on with. */
  old: { starts: readonly number[]; done: boolean; shift: number; from: number; next: number } | undefined;
}

/** A part of a row: a unit and where it is drawn. */
export interface Cell {
  from: number;
  to: number;
  column: number;
  width: number;
  glyph: string;
  marker: boolean;
}

/** The rows of a line. `known` are its rows before a change, if they are at hand. */
export function rowsOf(text: string, width: number, pastes: Pastes = noPastes, known?: Rows): Rows {
  if (known === undefined || known.width !== width || known.pastes !== pastes) {
    return { text, width, pastes, endOf: createEnds(text), starts: [0], done: false, wrapped: 0, old: undefined };
  }
  if (known.text === text) return known;
  const prefix = commonPrefix(known.text, text);
  const suffix = commonSuffix(known.text, text, prefix);
  // The end of a row can depend on the row behind it, and a marker on what follows: three rows are more than enough.
  const kept = Math.max(0, knownRow(known.starts, prefix) - 3) + 1;
  const { starts, done } = known;
  const old = { starts, done, shift: text.length - known.text.length, from: text.length - suffix, next: kept };
  return { text, width, pastes, endOf: createEnds(text), starts: starts.slice(0, kept), done: false, wrapped: 0, old };
}

/** How many rows there are. Has to find them all. */
export function rowCount(rows: Rows): number {
  while (!rows.done) extend(rows);
  return rows.starts.length;
}

export function hasRow(rows: Rows, row: number): boolean {
  while (!rows.done && rows.starts.length <= row) extend(rows);
  return row < rows.starts.length;
}

/** The column the row starts at; the text's end behind the last. */
export function rowStart(rows: Rows, row: number): number {
  return hasRow(rows, row) ? (rows.starts[row] ?? 0) : rows.text.length;
}

/** The row that has the column. */
export function rowAt(rows: Rows, column: number): number {
  while (!rows.done && (rows.starts.at(-1) ?? 0) <= column) extend(rows);
  return knownRow(rows.starts, column);
}

/** Finds one more row, or that there is none, or all that are as they were before the change. */
function extend(rows: Rows): void {
  const { starts, old } = rows;
  rows.wrapped++;
  const next = rowEnd(rows, starts.at(-1) ?? 0);
  if (next === undefined) {
    rows.done = true;
    return;
  }
  starts.push(next);
  if (old === undefined || next < old.from) return;
  while (old.next < old.starts.length && (old.starts[old.next] ?? 0) + old.shift < next) old.next++;
  const same = old.starts[old.next];
  if (same === undefined || same + old.shift !== next) return;
  for (let at = old.next + 1; at < old.starts.length; at++) starts.push((old.starts[at] ?? 0) + old.shift);
  rows.done = old.done;
  rows.old = undefined;
}

function knownRow(starts: readonly number[], column: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= column) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the next row starts; undefined when this is the last. */
function rowEnd(rows: Rows, start: number): number | undefined {
  const { text, width } = rows;
  const limit = Math.max(1, width - 1);
  let cells = 0;
  let opportunity = start;
  for (let at = start; at < text.length; ) {
    // Plain letters, without a look at anything else.
    if (cells < limit && isLetter(text.charCodeAt(at)) && at + 1 < text.length && text.charCodeAt(at + 1) < 0x80) {
      cells++;
      at++;
      continue;
    }
    const { to, width: wide, kind } = measure(rows, at, cells, limit);
    if (kind === 'whole') opportunity = at;
    if (cells + wide > limit) {
      // One blank may stand where the cursor would: the next row then begins with a word.
      if (kind === 'blank' && cells <= limit && width > 1) return to;
      if (opportunity > start) return opportunity;
      return at === start ? to : at;
    }
    cells += wide;
    if (kind !== 'letter') opportunity = to;
    at = to;
  }
  return undefined;
}

function isLetter(code: number): boolean {
  return code > 0x20 && code < 0x7f && code !== 0x5b;
}

interface Measure {
  to: number;
  width: number;
  /** A row may end behind a blank, and before or behind what stands for itself: an ideograph, an emoji, a marker. */
  kind: 'letter' | 'blank' | 'whole';
}

function measure({ text, pastes, endOf }: Rows, at: number, column: number, limit: number): Measure {
  const code = text.charCodeAt(at);
  if (code >= 0x20 && code < 0x7f && code !== 0x5b) {
    const next = text.charCodeAt(at + 1);
    if (at + 1 === text.length || next < 0x80)
      return { to: at + 1, width: 1, kind: code === 0x20 ? 'blank' : 'letter' };
  }
  if (isWide(code) && limit > 1 && isSimple(text.charCodeAt(at + 1))) return { to: at + 1, width: 2, kind: 'whole' };
  const marker = wholeMarker(text, at, limit, pastes);
  if (marker !== undefined) return { to: marker, width: marker - at, kind: 'whole' };
  const to = endOf(at);
  const { width } = glyphOf(text.slice(at, to), column, limit);
  return { to, width, kind: code === 0x20 || code === 0x09 ? 'blank' : width === 2 ? 'whole' : 'letter' };
}

/** Kana, ideographs and Hangul syllables: what fills most wide text. */
function isWide(code: number): boolean {
  if (code < 0x4e00) return (code >= 0x3041 && code < 0x3097) || (code >= 0x30a1 && code < 0x30fb);
  return code < 0xa000 || (code >= 0xac00 && code < 0xd7a4);
}

/** The end of the marker that starts here, when a row can hold it. One that is wider is drawn letter by letter. */
function wholeMarker(text: string, at: number, limit: number, pastes: Pastes): number | undefined {
  const end = markerEnd(text, at, pastes);
  return end !== undefined && end - at <= limit ? end : undefined;
}

/** The units of a row, in order. */
export function cellsOf(rows: Rows, row: number): Cell[] {
  const { text, width, pastes, endOf } = rows;
  const limit = Math.max(1, width - 1);
  const end = rowStart(rows, row + 1);
  const cells: Cell[] = [];
  let column = 0;
  for (let from = rowStart(rows, row); from < end; ) {
    const marker = wholeMarker(text, from, limit, pastes);
    const to = marker ?? endOf(from);
    const shown =
      marker === undefined
        ? glyphOf(text.slice(from, to), column, limit)
        : { text: text.slice(from, to), width: to - from };
    cells.push({ from, to, column, width: shown.width, glyph: shown.text, marker: marker !== undefined });
    column += shown.width;
    from = to;
  }
  return cells;
}

/** The cell of its row that the cursor is drawn in when it is at the column. */
export function cellOf(rows: Rows, column: number): number {
  const cells = cellsOf(rows, rowAt(rows, column));
  const at = cells.find((cell) => cell.to > column);
  if (at !== undefined) return at.column;
  const last = cells.at(-1);
  return last === undefined ? 0 : last.column + last.width;
}

/** The column whose cell is nearest to this one, not behind the row's end. */
export function columnAt(rows: Rows, row: number, cell: number): number {
  const start = rowStart(rows, row);
  const isLast = !hasRow(rows, row + 1);
  const end = rowStart(rows, row + 1);
  let found = start;
  for (const { from, to, column, width } of cellsOf(rows, row)) {
    if (column > cell) break;
    // Behind the last unit of a row that goes on is already the next row.
    found = column + width <= cell && (to < end || isLast) ? to : from;
  }
  return atUnit(rows.text, start, found, rows.pastes);
}

/** The last place of a row where the cursor is still in it. */
export function rowEndColumn(rows: Rows, row: number): number {
  return columnAt(rows, row, Number.POSITIVE_INFINITY);
}

/** Not inside of a marker that was drawn letter by letter: before it if the row has its start, else behind it. */
function atUnit(text: string, start: number, column: number, pastes: Pastes): number {
  const from = markerStart(text, column, pastes);
  const to = from === undefined ? undefined : markerEnd(text, from, pastes);
  if (from === undefined || to === undefined || to === column) return column;
  return from >= start ? from : to;
}

const chunk = 4096;

function commonPrefix(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at + chunk <= length && a.slice(at, at + chunk) === b.slice(at, at + chunk)) at += chunk;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function commonSuffix(a: string, b: string, prefix: number): number {
  const length = Math.min(a.length, b.length) - prefix;
  let size = 0;
  const part = (text: string) => text.slice(text.length - size - chunk, text.length - size);
  while (size + chunk <= length && part(a) === part(b)) size += chunk;
  while (size < length && a.charCodeAt(a.length - size - 1) === b.charCodeAt(b.length - size - 1)) size++;
  return size;
}
