/** The editor's text as rows of a width: which rows are seen, and what moving by rows needs to know. */
import { type Draft, lineAt } from './draft.ts';
import type { Pastes } from './pastes.ts';
import { cellOf, hasRow, type Rows, rowAt, rowCount, rowsOf } from './rows.ts';

export interface View {
  /** Cells in a row, the cursor's with them. */
  width: number;
  /** Rows that are seen at most. */
  height: number;
  rows(draft: Draft, line: number, pastes: Pastes): Rows;
}

/** From here on wrapping a line anew would be felt. */
const long = 2048;
/** How many long lines are remembered as they were wrapped. */
const kept = 16;

/** A view that remembers how long lines were wrapped, and after a change wraps only what is around it. */
export function createView(width: number, height: number): View {
  const known = new Map<number, Rows>();
  return {
    width,
    height,
    rows(draft, line, pastes) {
      const text = lineAt(draft, line);
      if (text.length < long) return rowsOf(text, width, pastes);
      const rows = rowsOf(text, width, pastes, known.get(line));
      known.delete(line);
      known.set(line, rows);
      if (known.size > kept) known.delete(known.keys().next().value ?? -1);
      return rows;
    },
  };
}

/** A row of a line. */
export interface RowPosition {
  line: number;
  row: number;
}

export interface Window {
  top: RowPosition;
  rows: readonly RowPosition[];
  /** Where the cursor is drawn. */
  cursor: { row: number; cell: number };
}

/** The rows to draw so that the cursor is among them, moved as little as possible from `top`. Looks at no other lines. */
export function windowOf(draft: Draft, view: View, pastes: Pastes, top: RowPosition): Window {
  const rows = view.rows(draft, draft.cursor.line, pastes);
  const at: RowPosition = { line: draft.cursor.line, row: rowAt(rows, draft.cursor.column) };
  const step = (from: RowPosition, by: 1 | -1) => neighbour(draft, view, pastes, from, by);
  let first = top.line < draft.lines.length && hasRow(view.rows(draft, top.line, pastes), top.row) ? top : at;
  if (before(at, first)) first = at;
  let shown = take(first, view.height, step);
  if (!shown.some((row) => row.line === at.line && row.row === at.row)) {
    first = back(at, view.height - 1, step);
    shown = take(first, view.height, step);
  }
  if (shown.length < view.height) {
    first = back(first, view.height - shown.length, step);
    shown = take(first, view.height, step);
  }
  const row = shown.findIndex((one) => one.line === at.line && one.row === at.row);
  return { top: first, rows: shown, cursor: { row, cell: cellOf(rows, draft.cursor.column) } };
}

/** The row above or below. */
export function neighbour(
  draft: Draft,
  view: View,
  pastes: Pastes,
  { line, row }: RowPosition,
  by: 1 | -1,
): RowPosition | undefined {
  if (by === -1) {
    if (row > 0) return { line, row: row - 1 };
    return line > 0 ? { line: line - 1, row: rowCount(view.rows(draft, line - 1, pastes)) - 1 } : undefined;
  }
  if (hasRow(view.rows(draft, line, pastes), row + 1)) return { line, row: row + 1 };
  return line + 1 < draft.lines.length ? { line: line + 1, row: 0 } : undefined;
}

type Step = (from: RowPosition, by: 1 | -1) => RowPosition | undefined;

function take(from: RowPosition, count: number, step: Step): RowPosition[] {
  const rows = [from];
  while (rows.length < count) {
    const next = step(rows.at(-1) ?? from, 1);
    if (next === undefined) break;
    rows.push(next);
  }
  return rows;
}

function back(from: RowPosition, count: number, step: Step): RowPosition {
  let first = from;
  for (let left = count; left > 0; left--) {
    const above = step(first, -1);
    if (above === undefined) break;
    first = above;
  }
  return first;
}

function before(a: RowPosition, b: RowPosition): boolean {
  return a.line < b.line || (a.line === b.line && a.row < b.row);
}
