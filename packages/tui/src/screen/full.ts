/** Draws a view on the whole of the alternate screen, by rows that changed. */
import type { InputEvent } from '../input/event.ts';
import { fitLine } from './line.ts';
import type { Place } from './patch.ts';

/** What fills a screen: a viewer, a picker over everything. It scrolls by itself. */
export interface FullView {
  /** At most `height` lines. The same array as before means that nothing changed. */
  render(width: number, height: number): readonly string[];
  handleInput(event: InputEvent): boolean;
}

interface FullFrame {
  /** What to write, without the place of the cursor. Empty when nothing changed. */
  out: string;
  cursor: Place | undefined;
}

export interface FullCanvas {
  frame(columns: number, rows: number): FullFrame;
  /** Something else was drawn over it. */
  forget(): void;
}

export function createFullCanvas(view: FullView): FullCanvas {
  let drawn: readonly string[] | undefined;
  let size = { columns: 0, rows: 0 };
  let rendered: readonly string[] | undefined;
  let cursor: Place | undefined;

  return {
    frame(columns, rows) {
      const all = view.render(columns, rows);
      const resized = columns !== size.columns || rows !== size.rows;
      if (all === rendered && !resized) return { out: '', cursor };
      rendered = all;
      size = { columns, rows };
      cursor = undefined;
      const known = resized ? undefined : drawn;
      const next: string[] = [];
      let out = '';
      for (let row = 0; row < rows; row++) {
        const line = fitLine(all[row] ?? '', columns);
        if (line.cursor !== undefined) cursor = { row, column: line.cursor };
        next.push(line.text);
        if (known?.[row] !== line.text) out += `\u001b[${row + 1};1H\u001b[K${line.text}`;
      }
      drawn = next;
      return { out, cursor };
    },
    forget() {
      drawn = undefined;
      rendered = undefined;
    },
  };
}

/** From the row of the cursor, where nothing is below it: every row above it goes into the scrollback, and no blank one. */
export function scrollAway(rows: number): string {
  return '\r\n'.repeat(rows - 1);
}

/** Takes a view away where no other screen comes back by itself. */
export function eraseRows(rows: number): string {
  let out = '';
  for (let row = rows; row > 0; row--) out += `\u001b[${row};1H\u001b[K`;
  return out;
}
