/** The editor's actions that only change its text or move its cursor, by name. */
import * as edits from './edits.ts';
import { type Motion, moved, selectAll } from './moves.ts';
import type { EditorState } from './state.ts';
import type { View } from './view.ts';

type Transition = (state: EditorState, view: View) => EditorState;

const moves: Record<string, Motion> = {
  cursorLeft: 'left',
  cursorRight: 'right',
  cursorUp: 'up',
  cursorDown: 'down',
  wordLeft: 'wordLeft',
  wordRight: 'wordRight',
  lineStart: 'lineStart',
  lineEnd: 'lineEnd',
  start: 'start',
  end: 'end',
  pageUp: 'pageUp',
  pageDown: 'pageDown',
};

const selections: Record<string, Motion> = {
  selectLeft: 'left',
  selectRight: 'right',
  selectUp: 'up',
  selectDown: 'down',
  selectWordLeft: 'wordLeft',
  selectWordRight: 'wordRight',
  selectLineStart: 'lineStart',
  selectLineEnd: 'lineEnd',
  selectStart: 'start',
  selectEnd: 'end',
};

const changes: Record<string, Transition> = {
  selectAll,
  deleteBackward: edits.eraseBackward,
  deleteForward: edits.eraseForward,
  killToLineEnd: edits.killToLineEnd,
  killToLineStart: edits.killToLineStart,
  killWordForward: edits.killWordForward,
  killWordBackward: edits.killWordBackward,
  killBlankWordBackward: edits.killBlankWordBackward,
  yank: edits.yank,
  yankPop: edits.yankPop,
  transpose: edits.transpose,
  upperCase: (state) => edits.recase(state, 'upper'),
  lowerCase: (state) => edits.recase(state, 'lower'),
  capitalCase: (state) => edits.recase(state, 'capital'),
  undo: edits.undo,
  redo: edits.redo,
  newLine: edits.newline,
  joinLines: edits.join,
  expandPaste: edits.expandMarker,
};

const prefix = 'tui.editor.';

/** All of them, for tests that want to try each. */
export const editingActions: readonly string[] = [
  ...Object.keys(moves),
  ...Object.keys(selections),
  ...Object.keys(changes),
].map((name) => prefix + name);

/** What the action makes of the state; undefined when it is none of these. */
export function applyAction(action: string, state: EditorState, view: View): EditorState | undefined {
  if (!action.startsWith(prefix)) return undefined;
  const name = action.slice(prefix.length);
  const motion = own(moves, name);
  if (motion !== undefined) return moved(state, motion, view);
  const selected = own(selections, name);
  if (selected !== undefined) return moved(state, selected, view, true);
  return own(changes, name)?.(state, view);
}

function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
