/** Lines as components give them, made safe to write: no wider than the terminal, and nothing in them that moves. */
import { cursorMarker } from '../component.ts';
import { tokens } from '../text/ansi.ts';
import { cellsOf, lineOf } from '../text/cells.ts';
import { slice } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';

export interface FittedLine {
  text: string;
  /** The column of the cursor's mark, which is taken out. */
  cursor: number | undefined;
}

/** A line of the live region: what is too wide is cut. */
export function fitLine(line: string, columns: number): FittedLine {
  const at = line.indexOf(cursorMarker);
  const marked = at >= 0;
  const text = safe(marked ? line.replaceAll(cursorMarker, '') : line);
  const cursor = marked ? Math.min(widthOf(line.slice(0, at)), columns - 1) : undefined;
  return { text: widthOf(text) > columns ? slice(text, 0, columns) : text, cursor };
}

/** A committed line: it is final, so what is too wide goes on in the next row and nothing is lost. */
export function finalRows(line: string, columns: number): string[] {
  const text = safe(line.includes(cursorMarker) ? line.replaceAll(cursorMarker, '') : line);
  const width = widthOf(text);
  if (width <= columns) return [text];
  const rows: string[] = [];
  let row: ReturnType<typeof cellsOf> = [];
  let used = 0;
  for (const cell of cellsOf(text)) {
    // A cell that is wider than the terminal has no place on it.
    const shown = cell.width > columns ? { ...cell, text: ' ', width: 1 } : cell;
    if (used + shown.width > columns) {
      rows.push(lineOf(row));
      row = [];
      used = 0;
    }
    row.push(shown);
    used += shown.width;
  }
  return [...rows, lineOf(row)];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const control = /[\x00-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const string = /^\x1b[\]_P]/;

/** Styles, links and strings (marks, images) are let through; what would move the cursor or break the line is not. */
function safe(line: string): string {
  if (!control.test(line)) return line;
  const parts = tokens(line);
  const harmful = parts.some((part) =>
    part.kind === 'text' ? control.test(part.text) : part.kind === 'other' && !string.test(part.text),
  );
  return harmful ? lineOf(cellsOf(line).filter((cell) => cell.text !== '\n')) : line;
}
