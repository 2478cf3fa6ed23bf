/** What vim's operators do to a part of the text. */
import { compare, lineAt, ordered, type Position, type Range, textIn } from '../draft.ts';
import { asOne, change, type EditorState, move } from '../state.ts';
import { unitEnd, unitStart } from '../units.ts';
import type { Operator } from './command.ts';
import { type Machine, onUnit } from './machine.ts';
import { firstNonBlank, type Way } from './motions.ts';

/** A part of the text: without the unit at `to`, or whole lines. */
export interface Part {
  range: Range;
  lines: boolean;
}

const shift = '  ';

/** The part between the cursor and the end of a way. */
export function partOf(state: EditorState, way: Way): Part {
  const { draft, pastes } = state;
  const { from, to } = ordered(draft.cursor, way.to);
  switch (way.reach) {
    case 'lines':
      return { range: { from, to }, lines: true };
    case 'inclusive':
      return {
        range: { from, to: { line: to.line, column: unitEnd(lineAt(draft, to.line), to.column, pastes) } },
        lines: false,
      };
    case 'exclusive': {
      if (to.column > 0 || to.line === from.line) return { range: { from, to }, lines: false };
      // It would only take the line end along: not that, and from the start of a line whole lines.
      const end = { line: to.line - 1, column: lineAt(draft, to.line - 1).length };
      return { range: { from, to: end }, lines: from.column <= firstNonBlank(lineAt(draft, from.line)) };
    }
  }
}

export function operate(machine: Machine, operator: Operator, part: Part): Machine {
  const { vim, state } = machine;
  switch (operator) {
    case 'y':
      return { vim: { ...vim, register: taken(state, part) }, state: onUnit(move(state, yankCursor(state, part))) };
    case 'd':
      return { vim: { ...vim, register: taken(state, part) }, state: onUnit(removed(state, part)) };
    case 'c':
      return { vim: { ...vim, register: taken(state, part) }, state: emptied(state, part) };
    case '>':
    case '<':
      return { vim, state: asOne(state, (now) => shifted(now, part.range, operator)) };
    case 'g~':
      return { vim, state: mapped(state, part, swapCase) };
    case 'gu':
      return { vim, state: mapped(state, part, (text) => text.toLowerCase()) };
    case 'gU':
      return { vim, state: mapped(state, part, (text) => text.toUpperCase()) };
  }
}

function taken(state: EditorState, { range, lines }: Part): { text: string; lines: boolean } {
  return { text: textIn(state.draft, lines ? wholeLines(state, range) : range), lines };
}

function yankCursor({ draft }: EditorState, { range, lines }: Part): Position {
  if (!lines) return range.from;
  return compare(draft.cursor, range.from) < 0 ? draft.cursor : { line: range.from.line, column: range.from.column };
}

function removed(state: EditorState, { range, lines }: Part): EditorState {
  if (!lines) return change(state, range, '');
  const { draft } = state;
  const { from, to } = wholeLines(state, range);
  const behind = to.line + 1 < draft.lines.length;
  const before = from.line > 0;
  const gone = behind
    ? { from, to: { line: to.line + 1, column: 0 } }
    : before
      ? { from: { line: from.line - 1, column: lineAt(draft, from.line - 1).length }, to }
      : { from, to };
  const line = behind || !before ? from.line : from.line - 1;
  const next = change(state, gone, '');
  return atFirstNonBlank(next, line);
}

function emptied(state: EditorState, { range, lines }: Part): EditorState {
  if (!lines) return change(state, range, '');
  const { from, to } = wholeLines(state, range);
  const indent = lineAt(state.draft, from.line).slice(0, firstNonBlank(lineAt(state.draft, from.line)));
  return change(state, { from: { line: from.line, column: indent.length }, to }, '');
}

function shifted(state: EditorState, { from, to }: Range, direction: '>' | '<'): EditorState {
  let now = state;
  for (let line = from.line; line <= to.line; line++) {
    const text = lineAt(now.draft, line);
    const start = { line, column: 0 };
    if (direction === '>') {
      if (text !== '') now = change(now, { from: start, to: start }, shift);
    } else {
      const width = /^(?:\t| {1,2})/.exec(text)?.[0].length ?? 0;
      now = change(now, { from: start, to: { line, column: width } }, '');
    }
  }
  return atFirstNonBlank(now, from.line);
}

/** Changes the letters and leaves the markers of big pastes as they are. */
export function mapped(state: EditorState, part: Part, map: (text: string) => string): EditorState {
  const range = part.lines ? wholeLines(state, part.range) : part.range;
  const text = textIn(state.draft, range);
  const { texts } = state.pastes;
  const next = text
    .split(/(\[paste #[^\]]*\])/)
    .map((piece) => (texts.has(piece) ? piece : map(piece)))
    .join('');
  return onUnit(change(state, range, next, { cursor: part.range.from }));
}

export function swapCase(text: string): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return letter === lower ? letter.toUpperCase() : lower;
  });
}

export function wholeLines({ draft }: EditorState, { from, to }: Range): Range {
  return { from: { line: from.line, column: 0 }, to: { line: to.line, column: lineAt(draft, to.line).length } };
}

export function atFirstNonBlank(state: EditorState, line: number): EditorState {
  return onUnit(move(state, { line, column: firstNonBlank(lineAt(state.draft, line)) }));
}

/** Puts the register behind the cursor or before it. */
export function put({ vim, state }: Machine, where: 'behind' | 'before', count: number): EditorState {
  const { text, lines } = vim.register;
  const { draft, pastes } = state;
  const { line, column } = draft.cursor;
  const current = lineAt(draft, line);
  if (lines) {
    const block = Array.from({ length: count }, () => text).join('\n');
    const at = where === 'behind' ? { line, column: current.length } : { line, column: 0 };
    const next = change(state, { from: at, to: at }, where === 'behind' ? `\n${block}` : `${block}\n`);
    return atFirstNonBlank(next, where === 'behind' ? line + 1 : line);
  }
  if (text === '') return state;
  const at = { line, column: where === 'behind' ? unitEnd(current, column, pastes) : column };
  const next = change(state, { from: at, to: at }, text.repeat(count));
  const end = next.draft.cursor;
  // Behind several lines vim stays at their start, behind a word on its last letter.
  if (text.includes('\n')) return onUnit(move(next, at));
  return move(next, { line: end.line, column: unitStart(lineAt(next.draft, end.line), end.column, pastes) });
}
