/** Where vim's motions lead. Pure: from a text and a place to a place, and how the way to it is taken by an operator. */
import { type Draft, endOf, lineAt, type Position, same } from '../draft.ts';
import type { Pastes } from '../pastes.ts';
import { unitEnd, unitStart } from '../units.ts';
import { type Kind, kindAt } from '../words.ts';

export interface Find {
  kind: string;
  character: string;
}

export interface Way {
  to: Position;
  /** Whether an operator takes the unit at the end too, or whole lines. */
  reach: 'exclusive' | 'inclusive' | 'lines';
  /** The column that j and k aim for from here. */
  goal?: number;
}

export interface MotionInput {
  draft: Draft;
  pastes: Pastes;
  from: Position;
  count: number | undefined;
  character: string | undefined;
  /** The last f, F, t or T. */
  find: Find | undefined;
  goal: number | undefined;
}

/** The way of a motion; undefined when it cannot be gone. */
export function wayOf(motion: string, input: MotionInput): Way | undefined {
  const { draft, pastes, from, count } = input;
  const times = count ?? 1;
  const text = lineAt(draft, from.line);
  switch (motion) {
    case 'h':
      return horizontal(input, times, -1);
    case 'l':
      return horizontal(input, times, 1);
    case 'j':
    case 'gj':
      return lines(input, from.line + times);
    case 'k':
    case 'gk':
      return lines(input, from.line - times);
    case '+':
      return toLine(draft, from.line + times);
    case '-':
      return toLine(draft, from.line - times);
    case '0':
      return { to: { line: from.line, column: 0 }, reach: 'exclusive' };
    case '^':
      return { to: { line: from.line, column: firstNonBlank(text) }, reach: 'exclusive' };
    case '_':
      return toLine(draft, from.line + times - 1);
    case '$':
      return lineEnd(input, times);
    case 'g_':
      return { to: { line: from.line, column: unitStart(text, text.trimEnd().length, pastes) }, reach: 'inclusive' };
    case '|':
      return { to: { line: from.line, column: Math.min(times - 1, text.length) }, reach: 'exclusive' };
    case 'gg':
      return toLine(draft, Math.min(times, draft.lines.length) - 1);
    case 'G':
      return toLine(draft, Math.min(count ?? draft.lines.length, draft.lines.length) - 1);
    case 'w':
    case 'W':
      return { to: repeat(times, from, (at) => nextWord(input, at, motion === 'W')), reach: 'exclusive' };
    case 'b':
    case 'B':
      return { to: repeat(times, from, (at) => previousWord(input, at, motion === 'B')), reach: 'exclusive' };
    case 'e':
    case 'E':
      return { to: repeat(times, from, (at) => nextEnd(input, at, motion === 'E')), reach: 'inclusive' };
    case 'ge':
    case 'gE':
      return { to: repeat(times, from, (at) => previousEnd(input, at, motion === 'gE')), reach: 'inclusive' };
    case '{':
    case '}':
      return { to: repeat(times, from, (at) => paragraph(draft, at, motion === '}' ? 1 : -1)), reach: 'exclusive' };
    case '%':
      return matching(draft, from);
    case 'f':
    case 'F':
    case 't':
    case 'T':
      return found(input, { kind: motion, character: input.character ?? '' }, times, false);
    case ';':
      return input.find && found(input, input.find, times, true);
    case ',':
      return input.find && found(input, { ...input.find, kind: turned(input.find.kind) }, times, true);
    default:
      return undefined;
  }
}

export function firstNonBlank(text: string): number {
  const column = text.search(/[^ \t]/);
  return column === -1 ? text.length : column;
}

function horizontal({ draft, pastes, from }: MotionInput, times: number, by: 1 | -1): Way | undefined {
  const text = lineAt(draft, from.line);
  let { column } = from;
  for (let left = times; left > 0; left--) {
    const next = by === 1 ? unitEnd(text, column, pastes) : unitStart(text, column, pastes);
    if (next === column) break;
    column = next;
  }
  return column === from.column ? undefined : { to: { line: from.line, column }, reach: 'exclusive' };
}

function lines({ draft, from, goal }: MotionInput, line: number): Way | undefined {
  if (line < 0 || line >= draft.lines.length) return undefined;
  const column = goal ?? from.column;
  return { to: { line, column: Math.min(column, lineAt(draft, line).length) }, reach: 'lines', goal: column };
}

function toLine(draft: Draft, line: number): Way | undefined {
  if (line < 0 || line >= draft.lines.length) return undefined;
  return { to: { line, column: firstNonBlank(lineAt(draft, line)) }, reach: 'lines' };
}

function lineEnd({ draft, pastes, from }: MotionInput, times: number): Way | undefined {
  const line = from.line + times - 1;
  if (line >= draft.lines.length) return undefined;
  const text = lineAt(draft, line);
  const goal = Number.MAX_SAFE_INTEGER;
  if (text === '') return { to: { line, column: 0 }, reach: 'exclusive', goal };
  return { to: { line, column: unitStart(text, text.length, pastes) }, reach: 'inclusive', goal };
}

function repeat(times: number, from: Position, step: (at: Position) => Position): Position {
  let at = from;
  for (let left = times; left > 0; left--) {
    const next = step(at);
    if (same(next, at)) break;
    at = next;
  }
  return at;
}

/** The kind of the unit there; an empty line is a word of its own, the end of a line is blank. */
function kindOf({ draft, pastes }: MotionInput, { line, column }: Position, big: boolean): Kind {
  const text = lineAt(draft, line);
  if (column >= text.length) return 'space';
  const kind = kindAt(text, column, pastes);
  return big && kind !== 'space' ? 'word' : kind;
}

function isEmptyLine({ draft }: MotionInput, { line }: Position): boolean {
  return lineAt(draft, line) === '';
}

function ahead({ draft, pastes }: MotionInput, { line, column }: Position): Position {
  const text = lineAt(draft, line);
  const next = unitEnd(text, column, pastes);
  if (next < text.length) return { line, column: next };
  return line + 1 < draft.lines.length ? { line: line + 1, column: 0 } : { line, column: text.length };
}

function behind({ draft, pastes }: MotionInput, { line, column }: Position): Position {
  if (column > 0) return { line, column: unitStart(lineAt(draft, line), column, pastes) };
  if (line === 0) return { line, column };
  const text = lineAt(draft, line - 1);
  return { line: line - 1, column: unitStart(text, text.length, pastes) };
}

function nextWord(input: MotionInput, from: Position, big: boolean): Position {
  const end = endOf(input.draft);
  const kind = kindOf(input, from, big);
  let at = from;
  if (kind !== 'space') {
    while (!same(at, end) && at.line === from.line && kindOf(input, at, big) === kind) at = ahead(input, at);
  } else if (isEmptyLine(input, at)) {
    at = ahead(input, at);
  }
  while (!same(at, end) && kindOf(input, at, big) === 'space') {
    if (isEmptyLine(input, at) && at.line !== from.line) return at;
    at = ahead(input, at);
  }
  return at;
}

function previousWord(input: MotionInput, from: Position, big: boolean): Position {
  let at = behind(input, from);
  for (;;) {
    if (at.line === 0 && at.column === 0) return at;
    if (kindOf(input, at, big) !== 'space' || isEmptyLine(input, at)) break;
    at = behind(input, at);
  }
  const kind = kindOf(input, at, big);
  while (kind !== 'space' && at.column > 0) {
    const before = behind(input, at);
    if (kindOf(input, before, big) !== kind) break;
    at = before;
  }
  return at;
}

function nextEnd(input: MotionInput, from: Position, big: boolean): Position {
  const end = endOf(input.draft);
  let at = ahead(input, from);
  while (!same(at, end) && kindOf(input, at, big) === 'space') at = ahead(input, at);
  return kindOf(input, at, big) === 'space' ? at : runEnd(input, at, big);
}

/** The last unit of the word, or of the blanks, at the place. */
export function runEnd(input: MotionInput, from: Position, big: boolean): Position {
  const kind = kindOf(input, from, big);
  for (let at = from; ; ) {
    const next = ahead(input, at);
    const inLine = next.line === at.line && next.column < lineAt(input.draft, at.line).length;
    if (!inLine || same(next, at) || kindOf(input, next, big) !== kind) return at;
    at = next;
  }
}

function previousEnd(input: MotionInput, from: Position, big: boolean): Position {
  const kind = kindOf(input, from, big);
  let at = from;
  while (kind !== 'space' && at.column > 0 && kindOf(input, at, big) === kind) {
    const before = behind(input, at);
    if (before.line !== at.line) break;
    at = before;
  }
  if (at.column === 0 && kind !== 'space' && kindOf(input, at, big) === kind) at = behind(input, at);
  while (kindOf(input, at, big) === 'space' && !isEmptyLine(input, at)) {
    const before = behind(input, at);
    if (same(before, at)) break;
    at = before;
  }
  return at;
}

/** The next empty line, or the text's end. */
function paragraph(draft: Draft, from: Position, by: 1 | -1): Position {
  let line = from.line;
  while (line >= 0 && line < draft.lines.length && lineAt(draft, line) === '') line += by;
  while (line >= 0 && line < draft.lines.length && lineAt(draft, line) !== '') line += by;
  if (line < 0) return { line: 0, column: 0 };
  return line < draft.lines.length ? { line, column: 0 } : endOf(draft);
}

const pairs: Record<string, string> = { '(': ')', '[': ']', '{': '}', ')': '(', ']': '[', '}': '{' };

/** The bracket that belongs to the one at or behind the cursor. */
function matching(draft: Draft, from: Position): Way | undefined {
  const text = lineAt(draft, from.line);
  const offset = text.slice(from.column).search(/[()[\]{}]/);
  if (offset === -1) return undefined;
  const column = from.column + offset;
  const open = text[column] ?? '';
  const close = pairs[open] ?? '';
  const by = '([{'.includes(open) ? 1 : -1;
  const to = bracket(draft, { line: from.line, column }, open, close, by);
  return to && { to, reach: 'inclusive' };
}

/** The bracket `close` at the depth of the `open` that stands at `from`. */
export function bracket(draft: Draft, from: Position, open: string, close: string, by: 1 | -1): Position | undefined {
  let depth = 0;
  for (let { line, column } = from; line >= 0 && line < draft.lines.length; ) {
    const text = lineAt(draft, line);
    for (; column >= 0 && column < text.length; column += by) {
      const character = text[column];
      if (character === open) depth++;
      else if (character === close && --depth === 0) return { line, column };
    }
    line += by;
    column = by === 1 ? 0 : lineAt(draft, line).length - 1;
  }
  return undefined;
}

function found({ draft, pastes, from }: MotionInput, find: Find, times: number, again: boolean): Way | undefined {
  const text = lineAt(draft, from.line);
  const { kind, character } = find;
  const onward = kind === 'f' || kind === 't';
  const till = kind === 't' || kind === 'T';
  // `;` after `t` would stay where it is: it looks one further.
  const nudge = till && again ? 1 : 0;
  let at = onward ? unitEnd(text, from.column, pastes) - 1 + nudge : from.column - nudge;
  for (let left = times; left > 0; left--) {
    at = onward ? text.indexOf(character, at + 1) : at === 0 ? -1 : text.lastIndexOf(character, at - 1);
    if (at === -1 || character === '') return undefined;
  }
  const column = till ? (onward ? unitStart(text, at, pastes) : unitEnd(text, at, pastes)) : at;
  return { to: { line: from.line, column }, reach: onward ? 'inclusive' : 'exclusive' };
}

function turned(kind: string): string {
  return kind === kind.toLowerCase() ? kind.toUpperCase() : kind.toLowerCase();
}
