/** What is kept of what was found: of a long line the part that matters, of many lines those that were wanted. */
import type { FoundLine } from './search.ts';

/** Characters of a line that are shown. */
const maxChars = 500;
/** Of them, before the match. */
const lead = 100;
/** A line of more bytes than this is shown from its start. */
export const longLineBytes = 1024 * 1024;

export function clip(line: string, matchStart: number): { text: string; isCut: boolean } {
  if (line.length <= maxChars) return { text: line, isCut: false };
  const start = Math.max(0, Math.min(matchStart - lead, line.length - maxChars));
  // Never half of a character.
  const from = isSecondHalf(line, start) ? start + 1 : start;
  const to = isSecondHalf(line, start + maxChars) ? start + maxChars - 1 : start + maxChars;
  const text = `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
  return { text, isCut: true };
}

function isSecondHalf(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The lines up to the last match that is wanted, with what follows it before the next. */
export function upTo(lines: readonly FoundLine[], matches: number, context: number): FoundLine[] {
  let left = matches;
  let after = 0;
  const kept: FoundLine[] = [];
  if (matches === 0) return kept;
  for (const line of lines) {
    if (line.isMatch) left -= 1;
    if (left < 0 || (left === 0 && after > context)) break;
    if (left === 0) after += 1;
    kept.push(line);
  }
  return kept;
}
