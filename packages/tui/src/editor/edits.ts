/** What changes the text: pure steps from one state of the editor to the next. */
import { lineAt, linesOf, type Position, type Range, same, selectionOf, textIn, textOf } from './draft.ts';
import { kill, killed } from './kills.ts';
import { expandPastes, isBig, keepPaste, markerEnd, markerStart } from './pastes.ts';
import { asOne, change, type EditorState, move, target } from './state.ts';
import { redo as redoStep, undo as undoStep } from './undo.ts';
import { backward, forward, wordEnd, wordStart } from './words.ts';

/** Typed text. A word is one step of undo, with the white space behind it. */
export function type(state: EditorState, text: string): EditorState {
  const { last } = state;
  const range = target(state);
  const space = /^\s+$/.test(text);
  const join =
    last?.kind === 'type' && same(last.at, state.draft.cursor) && same(range.from, range.to) && (space || !last.space);
  const next = change(state, range, text, { join });
  return { ...next, last: { kind: 'type', at: next.draft.cursor, space } };
}

/** Text from elsewhere: one step. */
export function insert(state: EditorState, text: string): EditorState {
  return change(state, target(state), text);
}

/** A paste; a big one becomes a marker. */
export function paste(state: EditorState, text: string): EditorState {
  const clean = linesOf(text).join('\n');
  if (!isBig(clean)) return insert(state, clean);
  const { pastes, marker } = keepPaste(state.pastes, clean, textOf(state.draft));
  return insert({ ...state, pastes }, marker);
}

/** Puts what it stands for in the place of the marker at the cursor, or of the only one in the line. */
export function expandMarker(state: EditorState): EditorState {
  const { draft, pastes } = state;
  const { line, column } = draft.cursor;
  const text = lineAt(draft, line);
  const start = markerEnd(text, column, pastes) !== undefined ? column : markerStart(text, column, pastes);
  const from = start ?? text.indexOf('[paste #');
  const to = from < 0 ? undefined : markerEnd(text, from, pastes);
  if (to === undefined) return state;
  const range = { from: { line, column: from }, to: { line, column: to } };
  return change(state, range, expandPastes(text.slice(from, to), pastes));
}

/** A new line with the indentation of this one. */
export function newline(state: EditorState): EditorState {
  const { from } = target(state);
  const indent = /^[ \t]*/.exec(lineAt(state.draft, from.line).slice(0, from.column))?.[0] ?? '';
  return insert(state, `\n${indent}`);
}

/** Enter behind a backslash at the end of a line: the backslash becomes a new line. Undefined anywhere else. */
export function continueLine(state: EditorState): EditorState | undefined {
  const { cursor } = state.draft;
  const text = lineAt(state.draft, cursor.line);
  const escaped = cursor.column === text.length && text.endsWith('\\') && /(^|[^\\])(\\\\)*\\$/.test(text);
  if (!escaped || selectionOf(state.draft) !== undefined) return undefined;
  return change(state, { from: { line: cursor.line, column: cursor.column - 1 }, to: cursor }, '\n');
}

export function eraseBackward(state: EditorState): EditorState {
  return erase(state, backward(state.draft, state.draft.cursor, state.pastes));
}

export function eraseForward(state: EditorState): EditorState {
  return erase(state, forward(state.draft, state.draft.cursor, state.pastes));
}

function erase(state: EditorState, to: Position): EditorState {
  const { cursor } = state.draft;
  const selected = selectionOf(state.draft);
  if (selected !== undefined) return change(state, selected, '');
  if (same(cursor, to)) return move(state, cursor);
  const range = span(cursor, to);
  const space = /^\s$/.test(textIn(state.draft, range));
  const { last } = state;
  const join = last?.kind === 'erase' && same(last.at, cursor) && last.space === space;
  const next = change(state, range, '', { join });
  return { ...next, last: { kind: 'erase', at: next.draft.cursor, space } };
}

export function killToLineEnd(state: EditorState): EditorState {
  const { cursor } = state.draft;
  const end = { line: cursor.line, column: lineAt(state.draft, cursor.line).length };
  return killTo(state, same(cursor, end) ? forward(state.draft, cursor, state.pastes) : end);
}

export function killToLineStart(state: EditorState): EditorState {
  const { cursor } = state.draft;
  return killTo(
    state,
    cursor.column === 0 ? backward(state.draft, cursor, state.pastes) : { line: cursor.line, column: 0 },
  );
}

export function killWordForward(state: EditorState): EditorState {
  const { draft, pastes } = state;
  const atEnd = draft.cursor.column === lineAt(draft, draft.cursor.line).length;
  const end = atEnd ? forward(draft, draft.cursor, pastes) : wordEnd(draft, draft.cursor, 'word', pastes);
  // The words of the next line are not meant.
  const to = !atEnd && end.line > draft.cursor.line ? lineEnd(state) : end;
  return killTo(state, to);
}

export function killWordBackward(state: EditorState): EditorState {
  return killBack(state, 'word');
}

/** Up to white space: readline's Ctrl+W. */
export function killBlankWordBackward(state: EditorState): EditorState {
  return killBack(state, 'blank');
}

function killBack(state: EditorState, style: 'word' | 'blank'): EditorState {
  const { draft, pastes } = state;
  const { cursor } = draft;
  const start = cursor.column === 0 ? backward(draft, cursor, pastes) : wordStart(draft, cursor, style, pastes);
  return killTo(state, cursor.column > 0 && start.line < cursor.line ? { line: cursor.line, column: 0 } : start);
}

/** Kills from the cursor to there, or the selection. Kills one after the other are one text in the ring. */
function killTo(state: EditorState, to: Position): EditorState {
  const { draft, last } = state;
  const selected = selectionOf(draft);
  const range = selected ?? span(draft.cursor, to);
  const direction = same(range.to, draft.cursor) ? 'backward' : 'forward';
  const join = selected === undefined && last?.kind === 'kill' && same(last.at, draft.cursor);
  const kills = kill(state.kills, textIn(draft, range), direction, join);
  const next = change({ ...state, kills }, range, '');
  return { ...next, last: { kind: 'kill', at: next.draft.cursor } };
}

export function yank(state: EditorState): EditorState {
  const text = killed(state.kills, 0);
  if (text === undefined) return move(state, state.draft.cursor);
  return yanked(state, target(state), text, 0);
}

/** Right after a yank: the kill before it instead. */
export function yankPop(state: EditorState): EditorState {
  if (state.last?.kind !== 'yank') return state;
  const back = state.last.back + 1;
  const { range } = state.last;
  return asOne(state, (now) => yanked(now, range, killed(state.kills, back) ?? '', back));
}

function yanked(state: EditorState, range: Range, text: string, back: number): EditorState {
  const next = change(state, range, text);
  return { ...next, last: { kind: 'yank', range: { from: range.from, to: next.draft.cursor }, back } };
}

/** Exchanges the two characters around the cursor; at the line's end the last two. */
export function transpose(state: EditorState): EditorState {
  const { draft, pastes } = state;
  const { line, column } = draft.cursor;
  const text = lineAt(draft, line);
  const middle = column === text.length ? backward(draft, draft.cursor, pastes).column : column;
  if (column === 0 || middle === 0) return state;
  const from = backward(draft, { line, column: middle }, pastes);
  const to = forward(draft, { line, column: middle }, pastes);
  const swapped = text.slice(middle, to.column) + text.slice(from.column, middle);
  return change(state, { from, to }, swapped);
}

export type Case = 'upper' | 'lower' | 'capital';

/** Changes the case of the rest of the word, and goes behind it. */
export function recase(state: EditorState, to: Case): EditorState {
  const { draft, pastes } = state;
  const end = wordEnd(draft, draft.cursor, 'word', pastes);
  const range = { from: draft.cursor, to: end };
  const text = textIn(draft, range);
  // A marker is found by its words: they stay.
  return expandPastes(text, pastes) === text ? change(state, range, cased(text, to)) : move(state, end);
}

function cased(text: string, to: Case): string {
  switch (to) {
    case 'upper':
      return text.toUpperCase();
    case 'lower':
      return text.toLowerCase();
    case 'capital':
      return text.toLowerCase().replace(/[\p{L}\p{N}]/u, (letter) => letter.toUpperCase());
  }
}

export function undo(state: EditorState): EditorState {
  const result = undoStep(state.log, state.draft);
  return result === undefined ? state : { ...state, ...result, last: undefined, goal: undefined };
}

export function redo(state: EditorState): EditorState {
  const result = redoStep(state.log, state.draft);
  return result === undefined ? state : { ...state, ...result, last: undefined, goal: undefined };
}

/** Joins the next line to this one with one blank between them. */
export function join(state: EditorState): EditorState {
  const { draft } = state;
  const { line } = draft.cursor;
  if (line + 1 >= draft.lines.length) return state;
  const text = lineAt(draft, line);
  const next = lineAt(draft, line + 1);
  const skip = /^[ \t]*/.exec(next)?.[0].length ?? 0;
  const glue = /(^|[ \t])$/.test(text) || skip === next.length || next[skip] === ')' ? '' : ' ';
  const at = { line, column: text.length };
  return change(state, { from: at, to: { line: line + 1, column: skip } }, glue, { cursor: at });
}

/** Replaces everything; one step, that undo takes back. */
export function replaceAll(state: EditorState, text: string): EditorState {
  const last = state.draft.lines.length - 1;
  const range = { from: { line: 0, column: 0 }, to: { line: last, column: lineAt(state.draft, last).length } };
  return change(state, range, text);
}

export function removeSelection(state: EditorState): EditorState {
  const selected = selectionOf(state.draft);
  return selected === undefined ? state : change(state, selected, '');
}

function span(a: Position, b: Position): Range {
  return a.line < b.line || (a.line === b.line && a.column <= b.column) ? { from: a, to: b } : { from: b, to: a };
}

function lineEnd({ draft }: EditorState): Position {
  return { line: draft.cursor.line, column: lineAt(draft, draft.cursor.line).length };
}
