/** Styled text made to fit: cut at the end, the start or in the middle, sliced by columns, filled up. */
import { type Cell, cellRuns, isAscii, lineOf } from './cells.ts';
import { widthOf, widthUpTo } from './width.ts';

/** At most `width` cells. What is cut off is shown by the ellipsis. */
export function cut(text: string, width: number, ellipsis = '…'): string {
  if (fits(text, width)) return text;
  const mark = markFor(width, ellipsis);
  return slice(text, 0, Math.max(0, width - widthOf(mark))) + mark;
}

/** Keeps the end: for a path whose last parts matter. */
export function cutStart(text: string, width: number, ellipsis = '…'): string {
  if (fits(text, width)) return text;
  const mark = markFor(width, ellipsis);
  const total = widthOf(text);
  return mark + slice(text, total - Math.max(0, width - widthOf(mark)), total);
}

/** Keeps both ends: for a path, whose root and name matter. The end gets the odd cell. */
export function cutMiddle(text: string, width: number, ellipsis = '…'): string {
  if (fits(text, width)) return text;
  const mark = markFor(width, ellipsis);
  const room = Math.max(0, width - widthOf(mark));
  const total = widthOf(text);
  return slice(text, 0, Math.floor(room / 2)) + mark + slice(text, total - Math.ceil(room / 2), total);
}

/** The columns from `from` up to `to`. A wide grapheme of which only a part is inside becomes spaces. */
export function slice(text: string, from: number, to: number): string {
  if (to <= from) return '';
  if (isAscii(text)) return text.slice(Math.max(0, from), to);
  const kept: Cell[] = [];
  // What takes no cell belongs to the grapheme before it; at the right edge it counts only where the text ends.
  const edge: Cell[] = [];
  let column = 0;
  for (const run of cellRuns(text)) {
    for (const cell of run) {
      if (cell.text === '\n') continue;
      if (cell.width === 0) {
        if (column === to) edge.push(cell);
        else if (column >= from && column < to) kept.push(cell);
        continue;
      }
      if (column >= to) return lineOf(kept);
      const end = column + cell.width;
      const inside = Math.min(end, to) - Math.max(column, from);
      if (inside === cell.width) kept.push(cell);
      else for (let blank = 0; blank < inside; blank++) kept.push({ ...cell, text: ' ', width: 1 });
      column = end;
    }
  }
  return lineOf([...kept, ...edge]);
}

/** Filled with spaces to `width` cells; cut if it is longer. */
export function pad(text: string, width: number, align: 'left' | 'right' | 'center' = 'left'): string {
  const missing = width - widthOf(text);
  if (missing <= 0) return cut(text, width);
  const before = align === 'left' ? 0 : align === 'right' ? missing : Math.floor(missing / 2);
  return ' '.repeat(before) + text + ' '.repeat(missing - before);
}

function fits(text: string, width: number): boolean {
  return text.length <= width && isAscii(text) ? true : widthUpTo(text, width) <= width;
}

function markFor(width: number, ellipsis: string): string {
  return widthOf(ellipsis) <= width ? ellipsis : '';
}
