/** What moves the cursor: pure steps from one state of the editor to the next. */
import { endOf, lineAt, origin, type Position, same, selectionOf } from './draft.ts';
import { cellOf, columnAt, hasRow, rowAt, rowEndColumn, rowStart } from './rows.ts';
import { type EditorState, move } from './state.ts';
import { unitEnd, unitStart } from './units.ts';
import { neighbour, type RowPosition, type View } from './view.ts';
import { backward, forward, wordEnd, wordStart } from './words.ts';

export type Motion =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'wordLeft'
  | 'wordRight'
  | 'lineStart'
  | 'lineEnd'
  | 'start'
  | 'end'
  | 'pageUp'
  | 'pageDown';

/** The state after the motion; the same state when there was nowhere to go. */
export function moved(state: EditorState, motion: Motion, view: View, select = false): EditorState {
  const { draft, pastes } = state;
  const selected = selectionOf(draft);
  if (selected !== undefined && !select) {
    if (motion === 'left') return move(state, selected.from);
    if (motion === 'right') return move(state, selected.to);
  }
  switch (motion) {
    case 'left':
      return go(state, backward(draft, draft.cursor, pastes), select);
    case 'right':
      return go(state, forward(draft, draft.cursor, pastes), select);
    case 'wordLeft':
      return go(state, wordStart(draft, draft.cursor, 'word', pastes), select);
    case 'wordRight':
      return go(state, wordEnd(draft, draft.cursor, 'word', pastes), select);
    case 'lineStart':
      return go(state, homeOf(state, view), select);
    case 'lineEnd':
      return go(state, lineEndOf(state, view), select);
    case 'start':
      return go(state, origin, select);
    case 'end':
      return go(state, endOf(draft), select);
    case 'up':
      return vertical(state, view, -1, 1, select);
    case 'down':
      return vertical(state, view, 1, 1, select);
    case 'pageUp':
      return vertical(state, view, -1, Math.max(1, view.height - 1), select);
    case 'pageDown':
      return vertical(state, view, 1, Math.max(1, view.height - 1), select);
  }
}

function go(state: EditorState, to: Position, select: boolean): EditorState {
  const unchanged = same(to, state.draft.cursor) && (select || state.draft.anchor === undefined);
  return unchanged ? state : move(state, to, { select });
}

/** The row's start; from there the line's. */
function homeOf({ draft, pastes }: EditorState, view: View): Position {
  const { line, column } = draft.cursor;
  const rows = view.rows(draft, line, pastes);
  const start = rowStart(rows, rowAt(rows, column));
  return { line, column: start === column ? 0 : start };
}

/** The row's end; from there the line's. */
function lineEndOf({ draft, pastes }: EditorState, view: View): Position {
  const { line, column } = draft.cursor;
  const rows = view.rows(draft, line, pastes);
  const end = rowEndColumn(rows, rowAt(rows, column));
  return { line, column: end === column ? lineAt(draft, line).length : end };
}

/** Up or down by rows. The cell it came from is kept in mind over shorter rows. */
function vertical(state: EditorState, view: View, by: 1 | -1, count: number, select: boolean): EditorState {
  const { draft, pastes } = state;
  const { cursor } = draft;
  const rows = view.rows(draft, cursor.line, pastes);
  const goal = state.goal ?? cellOf(rows, cursor.column);
  let at: RowPosition = { line: cursor.line, row: rowAt(rows, cursor.column) };
  let to = cursor;
  // A row inside of a long marker has no place for the cursor: then the one behind it is meant.
  for (let left = count; left > 0 || same(to, cursor); left--) {
    const next = neighbour(draft, view, pastes, at, by);
    if (next === undefined) break;
    at = next;
    to = { line: at.line, column: columnAt(view.rows(draft, at.line, pastes), at.row, goal) };
  }
  if (same(to, cursor)) return state;
  return move(state, to, { select, goal });
}

export function isOnFirstRow({ draft, pastes }: EditorState, view: View): boolean {
  const { line, column } = draft.cursor;
  return line === 0 && rowAt(view.rows(draft, 0, pastes), column) === 0;
}

export function isOnLastRow({ draft, pastes }: EditorState, view: View): boolean {
  const { line, column } = draft.cursor;
  if (line !== draft.lines.length - 1) return false;
  const rows = view.rows(draft, line, pastes);
  return !hasRow(rows, rowAt(rows, column) + 1);
}

/** To the next place of the character, over lines; the same state when it is nowhere. */
export function jump(state: EditorState, character: string, direction: 'forward' | 'backward'): EditorState {
  const { draft, pastes } = state;
  const { cursor } = draft;
  const step = direction === 'forward' ? 1 : -1;
  for (let line = cursor.line; line >= 0 && line < draft.lines.length; line += step) {
    const text = lineAt(draft, line);
    const here = line === cursor.line;
    const column =
      direction === 'forward'
        ? text.indexOf(character, here ? unitEnd(text, cursor.column, pastes) : 0)
        : here && cursor.column === 0
          ? -1
          : text.lastIndexOf(character, here ? unitStart(text, cursor.column, pastes) : text.length);
    if (column !== -1 && column < text.length) return move(state, { line, column });
  }
  return state;
}

export function selectAll(state: EditorState): EditorState {
  const { draft } = state;
  return { ...state, draft: { ...draft, anchor: origin, cursor: endOf(draft) }, last: undefined, goal: undefined };
}
