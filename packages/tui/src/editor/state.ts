/** The editor as a plain value, and the two ways it goes on: a change of the text and a move of the cursor. */
import { clamp, type Draft, draftOf, lineAt, type Position, type Range, replace, same, selectionOf } from './draft.ts';
import { type KillRing, noKills } from './kills.ts';
import { noPastes, type Pastes } from './pastes.ts';
import { group, noUndo, record, type UndoLog } from './undo.ts';
import { snap } from './units.ts';

/** What was done last, for what goes on with it: typing, erasing and killing join, yank-pop needs its yank. */
type Last =
  | { kind: 'type'; at: Position; space: boolean }
  | { kind: 'erase'; at: Position; space: boolean }
  | { kind: 'kill'; at: Position }
  | { kind: 'yank'; range: Range; back: number };

export interface EditorState {
  draft: Draft;
  log: UndoLog;
  kills: KillRing;
  pastes: Pastes;
  last: Last | undefined;
  /** The cell that moves up and down aim for. */
  goal: number | undefined;
}

export function editorState(text = ''): EditorState {
  return { draft: draftOf(text), log: noUndo, kills: noKills, pastes: noPastes, last: undefined, goal: undefined };
}

export interface ChangeOptions {
  last?: Last;
  /** Becomes part of the undo step before it. */
  join?: boolean;
  /** Where the cursor goes, when not behind what was added. */
  cursor?: Position;
}

/** Puts text in the place of a range. */
export function change(state: EditorState, range: Range, text: string, options: ChangeOptions = {}): EditorState {
  if (same(range.from, range.to) && text === '') {
    return { ...move(state, options.cursor ?? range.from), last: options.last };
  }
  const result = replace(state.draft, range, text);
  // What is left may join over the gap: the cursor is never inside of a grapheme.
  const cursor = settle(result.draft, options.cursor ?? result.draft.cursor, state.pastes);
  const log = record(state.log, { ...result.change, after: cursor }, options.join ?? false);
  return { ...state, draft: { ...result.draft, cursor }, log, last: options.last, goal: undefined };
}

/** Puts the cursor somewhere. With `select` the selection follows, without it is given up. */
export function move(state: EditorState, to: Position, options: { select?: boolean; goal?: number } = {}): EditorState {
  const { draft } = state;
  const anchor = options.select ? (draft.anchor ?? draft.cursor) : undefined;
  const cursor = settle(draft, to, state.pastes);
  return { ...state, draft: { ...draft, cursor, anchor }, last: undefined, goal: options.goal };
}

function settle(draft: Draft, position: Position, pastes: Pastes): Position {
  const { line, column } = clamp(draft, position);
  return { line, column: snap(lineAt(draft, line), column, pastes) };
}

/** What typing replaces: the selection, or nothing at the cursor. */
export function target(state: EditorState): Range {
  return selectionOf(state.draft) ?? { from: state.draft.cursor, to: state.draft.cursor };
}

/** Several changes as one step of undo. */
export function asOne(state: EditorState, act: (state: EditorState) => EditorState): EditorState {
  const next = act(state);
  return { ...next, log: group(next.log, state.log.next) };
}
