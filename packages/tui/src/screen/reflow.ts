/**
 * What a terminal makes of rows when its width changes. Most break what is too long and join it again, keeping the
 * cursor at its character; those of the xterm.js family move the cursor by every row that was added, wherever; some do
 * nothing.
 */
import { cellsOf } from '../text/cells.ts';
import { widthOf } from '../text/width.ts';

export type Reflow = 'exact' | 'xtermjs' | 'none';

/** How many rows above the cursor the first line begins, now that the terminal is `columns` wide. */
export function rowsAboveCursor(
  lines: readonly string[],
  cursor: { row: number; column: number },
  columns: number,
  reflow: Reflow,
): number {
  switch (reflow) {
    case 'none':
      return cursor.row;
    case 'xtermjs': {
      // From the last line up, every row that is added moves the cursor down; the line it is then in is left alone.
      let at = cursor.row;
      for (let row = lines.length - 1; row >= 0; row--) {
        if (row !== at) at += rowsAdded(lines[row] ?? '', columns);
      }
      return at;
    }
    case 'exact': {
      const above = lines.slice(0, cursor.row).map((line) => 1 + rowsAdded(line, columns));
      return sum(above) + rowOf(lines[cursor.row] ?? '', cursor.column, columns);
    }
    default:
      return reflow satisfies never;
  }
}

/** How many rows a line takes beside its first. */
export function rowsAdded(line: string, columns: number): number {
  return rowOf(line, Number.POSITIVE_INFINITY, columns);
}

/** The row, from 0, in which the column of a line is after it was broken; behind its end, the last one. */
function rowOf(line: string, column: number, columns: number): number {
  const width = widthOf(line);
  if (width <= columns) return 0;
  let row = 0;
  let inRow = 0;
  let passed = 0;
  for (const cell of cellsOf(line)) {
    if (inRow + cell.width > columns && inRow > 0) {
      row++;
      inRow = 0;
    }
    inRow += cell.width;
    passed += cell.width;
    if (passed > column) break;
  }
  return row;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
