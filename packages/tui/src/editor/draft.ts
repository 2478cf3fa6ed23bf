/**
 * What is being written: lines, a cursor and perhaps a selection. A plain value; every change makes a new one and shares
 * the lines that stayed. Columns count UTF-16 units of their line.
 */
export interface Position {
  line: number;
  column: number;
}

export interface Draft {
  /** Never empty. */
  lines: readonly string[];
  cursor: Position;
  /** Where the selection began; the cursor is its other end. */
  anchor: Position | undefined;
}

/** A part of the text that became another: all that undo needs. */
export interface Change {
  at: Position;
  removed: string;
  added: string;
  /** The cursor before and after. */
  before: Position;
  after: Position;
}

export interface Range {
  from: Position;
  to: Position;
}

export const origin: Position = { line: 0, column: 0 };

export function draftOf(text: string): Draft {
  const lines = linesOf(text);
  return { lines, cursor: lastOf(lines), anchor: undefined };
}

export function linesOf(text: string): string[] {
  return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).split('\n');
}

export function textOf(draft: Draft): string {
  return draft.lines.length === 1 ? lineAt(draft, 0) : draft.lines.join('\n');
}

export function lineAt(draft: Draft, line: number): string {
  return draft.lines[line] ?? '';
}

export function endOf(draft: Draft): Position {
  return lastOf(draft.lines);
}

function lastOf(lines: readonly string[]): Position {
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}

export function isEmpty(draft: Draft): boolean {
  return draft.lines.length === 1 && lineAt(draft, 0) === '';
}

export function compare(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

export function same(a: Position, b: Position): boolean {
  return a.line === b.line && a.column === b.column;
}

export function ordered(a: Position, b: Position): Range {
  return compare(a, b) <= 0 ? { from: a, to: b } : { from: b, to: a };
}

/** What is selected, if anything is. */
export function selectionOf(draft: Draft): Range | undefined {
  if (draft.anchor === undefined || same(draft.anchor, draft.cursor)) return undefined;
  return ordered(draft.anchor, draft.cursor);
}

export function textIn(draft: Draft, { from, to }: Range): string {
  const first = lineAt(draft, from.line);
  if (from.line === to.line) return first.slice(from.column, to.column);
  const middle = draft.lines.slice(from.line + 1, to.line);
  return [first.slice(from.column), ...middle, lineAt(draft, to.line).slice(0, to.column)].join('\n');
}

/** The place of a position in the text as one string, and the way back. */
export function offsetOf(draft: Draft, position: Position): number {
  let offset = position.column;
  for (let line = 0; line < position.line; line++) offset += lineAt(draft, line).length + 1;
  return offset;
}

export function positionAt(draft: Draft, offset: number): Position {
  let left = Math.max(0, offset);
  for (let line = 0; line < draft.lines.length; line++) {
    const { length } = lineAt(draft, line);
    if (left <= length) return { line, column: left };
    left -= length + 1;
  }
  return endOf(draft);
}

/** Where text ends that is put at a position. */
export function after(at: Position, text: string): Position {
  const newline = text.lastIndexOf('\n');
  if (newline === -1) return { line: at.line, column: at.column + text.length };
  let line = at.line;
  for (let found = text.indexOf('\n'); found !== -1; found = text.indexOf('\n', found + 1)) line++;
  return { line, column: text.length - newline - 1 };
}

/** The one way text changes. The cursor goes behind what was added unless the caller knows better. */
export function replace(draft: Draft, { from, to }: Range, text: string): { draft: Draft; change: Change } {
  const added = linesOf(text);
  const clean = added.length === 1 && !text.includes('\r') ? text : added.join('\n');
  const removed = textIn(draft, { from, to });
  const head = lineAt(draft, from.line).slice(0, from.column);
  const tail = lineAt(draft, to.line).slice(to.column);
  const end: Position = {
    line: from.line + added.length - 1,
    column: (added.length === 1 ? head.length : 0) + (added.at(-1)?.length ?? 0),
  };
  added[0] = head + (added[0] ?? '');
  added[added.length - 1] += tail;
  // `concat` and not a spread: a paste can have more lines than a call may have arguments.
  const lines = draft.lines.slice(0, from.line).concat(added, draft.lines.slice(to.line + 1));
  const change: Change = { at: from, removed, added: clean, before: draft.cursor, after: end };
  return { draft: { lines, cursor: end, anchor: undefined }, change };
}

/** Takes the position into the text, whatever it was. */
export function clamp(draft: Draft, position: Position): Position {
  const line = Math.min(Math.max(0, position.line), draft.lines.length - 1);
  return { line, column: Math.min(Math.max(0, position.column), lineAt(draft, line).length) };
}
