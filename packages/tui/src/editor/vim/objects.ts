/** Vim's text objects: words, quotes, brackets, paragraphs. Each is a range, or whole lines. */
import { type Draft, lineAt, type Position, type Range } from '../draft.ts';
import type { Pastes } from '../pastes.ts';
import { unitEnd, unitStart } from '../units.ts';
import { type Kind, kindAt } from '../words.ts';
import { bracket } from './motions.ts';

export interface Found {
  /** Without the unit at `to`. */
  range: Range;
  lines: boolean;
}

export function objectAt(
  draft: Draft,
  pastes: Pastes,
  at: Position,
  object: string,
  around: boolean,
  count: number,
): Found | undefined {
  switch (object) {
    case 'w':
    case 'W':
      return word(draft, pastes, at, object === 'W', around, count);
    case '"':
    case "'":
    case '`':
      return quoted(lineAt(draft, at.line), at, object, around);
    case '(':
    case ')':
    case 'b':
      return bracketed(draft, at, '(', ')', around, count);
    case '[':
    case ']':
      return bracketed(draft, at, '[', ']', around, count);
    case '{':
    case '}':
    case 'B':
      return bracketed(draft, at, '{', '}', around, count);
    case '<':
    case '>':
      return bracketed(draft, at, '<', '>', around, count);
    case 'p':
      return paragraph(draft, at, around, count);
    default:
      return undefined;
  }
}

function word(
  draft: Draft,
  pastes: Pastes,
  at: Position,
  big: boolean,
  around: boolean,
  count: number,
): Found | undefined {
  const text = lineAt(draft, at.line);
  if (text === '') return { range: { from: at, to: at }, lines: false };
  const kindOf = (column: number): Kind | undefined => {
    if (column >= text.length) return undefined;
    const kind = kindAt(text, column, pastes);
    return big && kind !== 'space' ? 'word' : kind;
  };
  const runEnd = (column: number) => {
    const kind = kindOf(column);
    let end = column;
    while (end < text.length && kindOf(end) === kind) end = unitEnd(text, end, pastes);
    return end;
  };
  const runStart = (column: number) => {
    const kind = kindOf(column);
    let start = column;
    while (start > 0) {
      const before = unitStart(text, start, pastes);
      if (kindOf(before) !== kind) break;
      start = before;
    }
    return start;
  };
  const column = Math.min(at.column, unitStart(text, text.length, pastes));
  const onBlank = kindOf(column) === 'space';
  let start = runStart(column);
  let end = column;
  for (let left = count; left > 0 && end < text.length; left--) {
    const blank = kindOf(end) === 'space';
    end = runEnd(end);
    // A word takes the blanks behind it along, blanks the word behind them.
    if (around && (blank || kindOf(end) === 'space')) end = runEnd(end);
  }
  const hasBlanks = onBlank || kindOf(unitStart(text, end, pastes)) === 'space';
  // Without any behind it, those before it; but never the indentation.
  if (around && !hasBlanks && start > 0 && kindOf(unitStart(text, start, pastes)) === 'space') {
    const blanks = runStart(unitStart(text, start, pastes));
    if (blanks > 0) start = blanks;
  }
  return { range: { from: { line: at.line, column: start }, to: { line: at.line, column: end } }, lines: false };
}

/** The quotes around the cursor, or the next ones in the line. */
function quoted(text: string, at: Position, quote: string, around: boolean): Found | undefined {
  const places: number[] = [];
  for (let column = 0; column < text.length; column++) {
    if (text[column] === '\\') column++;
    else if (text[column] === quote) places.push(column);
  }
  for (let index = 0; index + 1 < places.length; index += 2) {
    const open = places[index] ?? 0;
    const close = places[index + 1] ?? 0;
    if (close < at.column) continue;
    const blanks = /^[ \t]*/.exec(text.slice(close + 1))?.[0].length ?? 0;
    const before = blanks === 0 && around ? (/[ \t]*$/.exec(text.slice(0, open))?.[0].length ?? 0) : 0;
    const from = around ? open - before : open + 1;
    const to = around ? close + 1 + blanks : close;
    return { range: { from: { line: at.line, column: from }, to: { line: at.line, column: to } }, lines: false };
  }
  return undefined;
}

function bracketed(
  draft: Draft,
  at: Position,
  open: string,
  close: string,
  around: boolean,
  count: number,
): Found | undefined {
  let start = enclosing(draft, at, open, close);
  for (let left = count - 1; left > 0 && start !== undefined; left--) start = outside(draft, start, open, close);
  const end = start && bracket(draft, start, open, close, 1);
  if (start === undefined || end === undefined) return undefined;
  if (around) return { range: { from: start, to: { line: end.line, column: end.column + 1 } }, lines: false };
  let from: Position = { line: start.line, column: start.column + 1 };
  let to = end;
  // Brackets on lines of their own: what is inside are the lines between them.
  const alone = lineAt(draft, start.line).length === start.column + 1;
  const indented = lineAt(draft, end.line).slice(0, end.column).trim() === '';
  if (alone && indented && end.line > start.line + 1) {
    from = { line: start.line + 1, column: 0 };
    to = { line: end.line - 1, column: lineAt(draft, end.line - 1).length };
    return { range: { from, to }, lines: true };
  }
  return { range: { from, to }, lines: false };
}

/** The opening bracket around the place, itself included. */
function enclosing(draft: Draft, at: Position, open: string, close: string): Position | undefined {
  const here = lineAt(draft, at.line)[at.column];
  if (here === open) return at;
  if (here === close) return bracket(draft, at, close, open, -1);
  return outside(draft, at, open, close);
}

function outside(draft: Draft, at: Position, open: string, close: string): Position | undefined {
  let depth = 0;
  let column = at.column - 1;
  for (let line = at.line; line >= 0; line--, column = lineAt(draft, line).length - 1) {
    const text = lineAt(draft, line);
    for (; column >= 0; column--) {
      if (text[column] === close) depth++;
      else if (text[column] === open && depth-- === 0) return { line, column };
    }
  }
  return undefined;
}

function paragraph(draft: Draft, at: Position, around: boolean, count: number): Found | undefined {
  const blank = (line: number) => lineAt(draft, line).trim() === '';
  const last = draft.lines.length - 1;
  const runEnd = (line: number) => {
    let end = line;
    while (end < last && blank(end + 1) === blank(line)) end++;
    return end;
  };
  let start = at.line;
  while (start > 0 && blank(start - 1) === blank(at.line)) start--;
  let end = runEnd(at.line);
  for (let left = around ? count : count - 1; left > 0 && end < last; left--) {
    end = runEnd(end + 1);
    if (around && left > 1 && end < last) end = runEnd(end + 1);
  }
  // At the end of the text the blank lines before it are taken instead.
  if (around && end === last && !blank(last) && !blank(at.line)) while (start > 0 && blank(start - 1)) start--;
  const to = { line: end, column: lineAt(draft, end).length };
  return { range: { from: { line: start, column: 0 }, to }, lines: true };
}
