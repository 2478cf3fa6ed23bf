/** One line of text in a strip of cells: what is seen of it so that the cursor is there, centred when it had to move. */
import { glyphOf } from './glyphs.ts';
import { noPastes } from './pastes.ts';
import { graphemeEnd, unitStart } from './units.ts';

interface StripUnit {
  from: number;
  to: number;
  glyph: string;
  width: number;
}

export interface Strip {
  /** The column the strip begins with; given back next time, so that it stays while it can. */
  start: number;
  units: readonly StripUnit[];
  /** Whether text is out of sight at the right. */
  more: boolean;
}

/** The units seen in `width` cells, of which the cursor needs one. `mask` is drawn in place of every unit. */
export function stripOf(text: string, cursor: number, width: number, start: number, mask?: string): Strip {
  const at = Math.min(start, text.length);
  if (cursor >= at) {
    const strip = unitsFrom(text, at, width, mask);
    const seen = strip.units.at(-1)?.to ?? at;
    const isFull = strip.more || cells(strip.units) > width - 1;
    // Shorter than before: what was pushed out at the left comes back.
    if (cursor < seen || (cursor === seen && !isFull))
      return at > 0 && !strip.more ? filled(text, width, strip, mask) : strip;
  }
  return filled(text, width, unitsFrom(text, back(text, cursor, width >> 1, width, mask), width, mask), mask);
}

function unitsFrom(text: string, start: number, width: number, mask?: string): Strip {
  const units: StripUnit[] = [];
  let used = 0;
  for (let from = start; from < text.length; ) {
    const to = graphemeEnd(text, from);
    const shown =
      mask === undefined ? glyphOf(text.slice(from, to), 0, Math.max(1, width - 1)) : { text: mask, width: 1 };
    if (used + shown.width > width) return { start, units, more: true };
    units.push({ from, to, glyph: shown.text, width: shown.width });
    used += shown.width;
    from = to;
  }
  return { start, units, more: false };
}

/** No empty cells at the right while there is text at the left; one stays for the cursor. */
function filled(text: string, width: number, strip: Strip, mask?: string): Strip {
  const free = width - 1 - cells(strip.units);
  if (strip.more || strip.start === 0 || free <= 0) return strip;
  return unitsFrom(text, back(text, strip.start, free, width, mask), width, mask);
}

/** The column as many cells before this one. */
function back(text: string, from: number, room: number, width: number, mask?: string): number {
  let column = from;
  for (let left = room; column > 0; ) {
    const before = unitStart(text, column, noPastes);
    left -= mask === undefined ? glyphOf(text.slice(before, column), 0, Math.max(1, width - 1)).width : 1;
    if (left < 0) break;
    column = before;
  }
  return column;
}

function cells(units: readonly StripUnit[]): number {
  return units.reduce((sum, { width }) => sum + width, 0);
}
