/** The editor's text as lines for the screen: the rows that are seen, the selection, the cursor, what is suggested. */
import { cursorMarker } from '../component.ts';
import { printable } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import type { Role, Theme } from '../theme/theme.ts';
import { type Draft, isEmpty, type Range, selectionOf } from './draft.ts';
import type { Pastes } from './pastes.ts';
import { type Cell, cellsOf, hasRow, type Rows } from './rows.ts';
import { type View, type Window, windowOf } from './view.ts';

export interface Scene {
  draft: Draft;
  pastes: Pastes;
  /** Whether the cursor is in the text. */
  cursor: boolean;
  /** The colours of the text and of what is selected. */
  text: Role;
  selected: Role;
  placeholder: string;
  /** How the text may go on, behind its end. */
  ghost: string;
  /** The selection has the unit at the cursor too, and whole lines: vim's. */
  selection?: Range;
  /** Parts of a line in colours of their own. */
  highlight?: Highlight;
}

/** Which parts of a line stand out: a command, a mention. Asked for the lines that are seen. */
export type Highlight = (text: string, line: number) => readonly Highlighted[];

interface Highlighted {
  from: number;
  to: number;
  role: Role;
}

/** Longer lines are not asked about: it would be done for every key. */
const longest = 4096;

export interface Drawing {
  rows: string[];
  window: Window;
}

export function drawText(scene: Scene, view: View, top: Window['top'], theme: Theme): Drawing {
  const { draft, pastes } = scene;
  const window = windowOf(draft, view, pastes, top);
  const selection = scene.selection ?? selectionOf(draft);
  const rows = window.rows.map(({ line, row }, index) => {
    const rows = view.rows(draft, line, pastes);
    const cursor = scene.cursor && index === window.cursor.row ? draft.cursor.column : undefined;
    return drawRow(rows, row, line, { scene, selection, cursor, theme });
  });
  const last = window.rows.at(-1);
  const atEnd = last !== undefined && last.line === draft.lines.length - 1;
  if (isEmpty(draft) && scene.placeholder !== '') {
    rows[0] = (rows[0] ?? '') + theme.paint('placeholder', cut(firstLine(scene.placeholder), view.width));
  } else if (atEnd && scene.ghost !== '' && window.cursor.row === rows.length - 1) {
    const room = view.width - window.cursor.cell;
    if (room > 1) rows[rows.length - 1] += theme.paint('ghostText', cut(firstLine(scene.ghost), room));
  }
  return { rows, window };
}

interface RowContext {
  scene: Scene;
  selection: Range | undefined;
  /** The cursor's column, if it is in this row. */
  cursor: number | undefined;
  theme: Theme;
}

function drawRow(rows: Rows, row: number, line: number, context: RowContext): string {
  const { scene, selection, cursor, theme } = context;
  const cells = cellsOf(rows, row);
  const isLast = !hasRow(rows, row + 1);
  const marks = rows.text.length > longest ? [] : (scene.highlight?.(rows.text, line) ?? []);
  let drawn = '';
  let run = '';
  let role = scene.text;
  let pending = cursor;
  const flush = () => {
    if (run !== '') drawn += theme.paint(role, run);
    run = '';
  };
  for (const cell of cells) {
    const next = roleOf(cell, line, selection, scene, marks);
    if (next !== role) flush();
    role = next;
    if (pending !== undefined && cell.to > pending) {
      flush();
      drawn += cursorMarker;
      pending = undefined;
    }
    run += cell.glyph;
  }
  flush();
  if (pending !== undefined) drawn += cursorMarker;
  // A selected line end is seen as a blank.
  const used = cells.reduce((sum, cell) => sum + cell.width, 0);
  if (isLast && selection !== undefined && used < rows.width && hasLineEnd(selection, line, rows.text.length)) {
    drawn += theme.paint(scene.selected, ' ');
  }
  return isRightToLeft(cells) ? `\u2068${drawn}\u2069` : drawn;
}

function roleOf(
  cell: Cell,
  line: number,
  selection: Range | undefined,
  scene: Scene,
  marks: readonly Highlighted[],
): Role {
  if (selection !== undefined && covers(selection, line, cell)) return scene.selected;
  if (cell.marker) return 'editorPaste';
  return marks.find(({ from, to }) => cell.from >= from && cell.to <= to)?.role ?? scene.text;
}

function covers({ from, to }: Range, line: number, cell: Cell): boolean {
  if (line < from.line || line > to.line) return false;
  return (line > from.line || cell.from >= from.column) && (line < to.line || cell.to <= to.column);
}

function hasLineEnd({ from, to }: Range, line: number, length: number): boolean {
  return line >= from.line && line < to.line && (line > from.line || from.column <= length);
}

/** The row is then isolated as a whole, so that nothing beside it moves. */
function isRightToLeft(cells: readonly Cell[]): boolean {
  if (cells.every(({ glyph }) => glyph.charCodeAt(0) < 0x590)) return false;
  return printable(cells.map(({ glyph }) => glyph).join('')).includes('\u2068');
}

function firstLine(text: string): string {
  const [first = '', ...more] = text.split('\n', 2);
  return printable(more.length > 0 ? `${first} …` : first);
}
