/**
 * Words, as readline sees them: letters, digits and underscores. A marker of a big paste is a word of its own. A blank word
 * is anything up to the next white space.
 */
import { type Draft, endOf, lineAt, type Position, same } from './draft.ts';
import { markerEnd, markerStart, type Pastes } from './pastes.ts';
import { unitEnd, unitStart } from './units.ts';

export type Kind = 'space' | 'word' | 'other';
export type WordStyle = 'word' | 'blank';

/** What the unit at the column is. */
export function kindAt(line: string, column: number, pastes: Pastes): Kind {
  const code = line.charCodeAt(column);
  if (code < 0x80) {
    if (code === 0x20 || code === 0x09) return 'space';
    if ((code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a))
      return 'word';
    if (code === 0x5f || markerEnd(line, column, pastes) !== undefined) return 'word';
    return 'other';
  }
  // Ideographs, before anything that has to be looked up.
  if (code >= 0x4e00 && code < 0xa000) return 'word';
  const character = String.fromCodePoint(line.codePointAt(column) ?? 0);
  if (/\s/.test(character)) return 'space';
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? 'word' : 'other';
}

function inside(kind: Kind, style: WordStyle): boolean {
  return style === 'blank' ? kind !== 'space' : kind === 'word';
}

/** One unit on, over line ends too. */
export function forward(draft: Draft, { line, column }: Position, pastes: Pastes): Position {
  const text = lineAt(draft, line);
  if (column < text.length) return { line, column: unitEnd(text, column, pastes) };
  return line + 1 < draft.lines.length ? { line: line + 1, column: 0 } : { line, column };
}

export function backward(draft: Draft, { line, column }: Position, pastes: Pastes): Position {
  if (column > 0) return { line, column: unitStart(lineAt(draft, line), column, pastes) };
  return line > 0 ? { line: line - 1, column: lineAt(draft, line - 1).length } : { line, column };
}

/** The end of the word at or behind the position. */
export function wordEnd(draft: Draft, from: Position, style: WordStyle, pastes: Pastes): Position {
  let at = from;
  const end = endOf(draft);
  while (!same(at, end) && !inWord(draft, at, style, pastes)) at = forward(draft, at, pastes);
  const text = lineAt(draft, at.line);
  const marker = style === 'word' ? markerEnd(text, at.column, pastes) : undefined;
  if (marker !== undefined) return { line: at.line, column: marker };
  let { column } = at;
  while (column < text.length && inside(kindAt(text, column, pastes), style)) {
    if (style === 'word' && markerEnd(text, column, pastes) !== undefined) break;
    column = unitEnd(text, column, pastes);
  }
  return { line: at.line, column };
}

/** The start of the word at or before the position. */
export function wordStart(draft: Draft, from: Position, style: WordStyle, pastes: Pastes): Position {
  let at = from;
  for (;;) {
    if (at.line === 0 && at.column === 0) return at;
    const before = backward(draft, at, pastes);
    if (before.line === at.line && inWord(draft, before, style, pastes)) break;
    at = before;
  }
  const text = lineAt(draft, at.line);
  if (style === 'word' && markerStart(text, at.column, pastes) !== undefined) return backward(draft, at, pastes);
  let { column } = at;
  while (column > 0) {
    const start = unitStart(text, column, pastes);
    if (!inside(kindAt(text, start, pastes), style)) break;
    if (style === 'word' && markerEnd(text, start, pastes) !== undefined) break;
    column = start;
  }
  return { line: at.line, column };
}

function inWord(draft: Draft, { line, column }: Position, style: WordStyle, pastes: Pastes): boolean {
  const text = lineAt(draft, line);
  return column < text.length && inside(kindAt(text, column, pastes), style);
}
