/**
 * Units: what the cursor steps over at once. A grapheme, or the marker of a big paste. All looks are local, so a line of
 * megabytes costs no more than a short one.
 */
import { firstLength, graphemes, isSimple } from '../text/graphemes.ts';
import { markerEnd, markerStart, type Pastes } from './pastes.ts';

/** How far back a unit's start is searched. Only text made of marks alone could need more. */
const reach = 512;

/** The end of the unit that starts at the column; the line's end when there is none. */
export function unitEnd(line: string, column: number, pastes: Pastes): number {
  return column >= line.length ? line.length : (markerEnd(line, column, pastes) ?? graphemeEnd(line, column));
}

/** The start of the unit that ends at the column, or of the one around it. */
export function unitStart(line: string, column: number, pastes: Pastes): number {
  if (column <= 0) return 0;
  const marker = markerStart(line, column, pastes);
  if (marker !== undefined) return marker;
  if (column === 1 || (isSimple(line.charCodeAt(column - 1)) && isSimple(line.charCodeAt(column - 2))))
    return column - 1;
  return lastBefore(line, safeStart(line, column - 1), column);
}

/** The column itself when it is between two units, else the end of the unit it is in. */
export function snap(line: string, column: number, pastes: Pastes): number {
  if (column <= 0 || column >= line.length) return Math.min(Math.max(0, column), line.length);
  const marker = markerStart(line, column, pastes);
  if (marker !== undefined) return markerEnd(line, marker, pastes) ?? column;
  if (isSimple(line.charCodeAt(column)) && isSimple(line.charCodeAt(column - 1))) return column;
  const start = lastBefore(line, safeStart(line, column), column + 1);
  return start === column ? column : graphemeEnd(line, start);
}

/** The last start of a grapheme before the column, counted from a boundary. Nothing behind the column has a say. */
function lastBefore(line: string, boundary: number, column: number): number {
  let start = boundary;
  for (const grapheme of graphemes(line.slice(boundary, column + 1))) {
    if (start + grapheme.length >= column) break;
    start += grapheme.length;
  }
  return start;
}

export function graphemeEnd(line: string, column: number): number {
  const next = column + 1;
  if (next >= line.length) return line.length;
  if (isSimple(line.charCodeAt(column)) && isSimple(line.charCodeAt(next))) return next;
  for (let size = 16; ; size *= 4) {
    const part = line.slice(column, column + size);
    const length = firstLength(part);
    // One that reaches the end of the part may go on behind it.
    if (length < part.length || column + size >= line.length) return column + Math.max(1, length);
  }
}

/** So much of a line is looked at together by who goes through it. */
const ahead = 128;

/** The same as `graphemeEnd` for who asks for one after the other: asking the segmenter is what costs most. */
export function createEnds(line: string): (column: number) => number {
  let known = new Map<number, number>();
  return (column) => {
    const found = known.get(column);
    if (found !== undefined) return found;
    if (isSimple(line.charCodeAt(column)) && isSimple(line.charCodeAt(column + 1))) return column + 1;
    known = new Map();
    let start = column;
    for (const grapheme of graphemes(line.slice(column, column + ahead))) {
      const end = start + grapheme.length;
      // The last one may go on behind what was looked at.
      if (end < column + ahead) known.set(start, end);
      start = end;
    }
    return known.get(column) ?? graphemeEnd(line, column);
  };
}

/** A boundary at or before the column. */
function safeStart(line: string, column: number): number {
  const floor = Math.max(0, column - reach);
  for (let at = column; at > floor; at--) {
    if (isSafe(line, at)) return at;
  }
  return floor > 0 && isLow(line.charCodeAt(floor)) && isHigh(line.charCodeAt(floor - 1)) ? floor - 1 : floor;
}

/** Half of a character stands alone. */
function isLone(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return false;
  return code < 0xdc00 ? !isLow(line.charCodeAt(at + 1)) : !isHigh(line.charCodeAt(at - 1));
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Surely a boundary: between two simple characters, or before a picture that nothing joins to what is before it. */
function isSafe(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  const before = line.charCodeAt(at - 1);
  if (isSimple(code)) return isSimple(before);
  if (isLone(line, at) || isLone(line, at - 1)) return true;
  if (code < 0xd83c || code > 0xd83e) return false;
  const point = line.codePointAt(at) ?? 0;
  const isFlagOrTone = (point >= 0x1f1e6 && point <= 0x1f1ff) || (point >= 0x1f3fb && point <= 0x1f3ff);
  if (point < 0x1f000 || isFlagOrTone) return false;
  if (isSimple(before) || before === 0xfe0f) return true;
  const high = line.charCodeAt(at - 2);
  return before >= 0xdc00 && before <= 0xdfff && high >= 0xd83c && high <= 0xd83e;
}
