/** Long text shortened to a number of lines as they are seen: its beginning, its end, and how much is between them. */
import { rowsOf } from './rows.ts';

export interface Folded {
  head: readonly string[];
  /** Lines that are not shown, counted as they would be at this width. */
  hidden: number;
  tail: readonly string[];
}

export interface FoldSize {
  head: number;
  tail: number;
}

/** Each line may take several on the screen; what counts is what is seen. */
export function truncateToVisualLines(lines: readonly string[], width: number, { head, tail }: FoldSize): Folded {
  const seen: string[] = [];
  for (const line of lines) for (const part of rowsOf(line, width)) seen.push(part);
  return foldLines(seen, { head, tail });
}

/** Lines that fit already. A fold that would hide one line shows it instead: the note takes a line, too. */
export function foldLines(lines: readonly string[], { head, tail }: FoldSize): Folded {
  const hidden = lines.length - head - tail;
  if (hidden <= 1) return { head: lines, hidden: 0, tail: [] };
  return { head: lines.slice(0, head), hidden, tail: tail > 0 ? lines.slice(-tail) : [] };
}
