/** Pieces of a document that can be shown one by one, in order, without knowing what comes after them. */
import type { ItemStart } from './lines.ts';

export type Piece =
  | { kind: 'blocks'; at: Place; source: string }
  /** The rest of a line too long for one piece: text, whatever it begins with. */
  | { kind: 'text'; at: Place; source: string }
  | { kind: 'item'; at: Place; source: string; start: ItemStart }
  /** What is left of a list item that was too long for one piece, no longer set in. */
  | { kind: 'rest'; at: Place; source: string; inner: number }
  | { kind: 'table'; at: Place; head: string; rows: readonly string[]; first: boolean }
  /** A partial one ends in the middle of a line. */
  | { kind: 'code'; at: Place; info: string; lines: readonly string[]; first: boolean; isPartial?: boolean };

export interface Place {
  /** A blank line stood before it. */
  gap: boolean;
  /** It goes on in the middle of what the piece before it began. */
  joined: boolean;
}

/** Sizes, in characters and lines, at which what is still open is cut. */
export const limits = {
  /** From here on it is cut at the next place where that cannot be seen. */
  soft: 4096,
  /** Here it is cut in any case. */
  hard: 8192,
  /** Lines of code given out together. */
  codeLines: 16,
  /** Rows by which the columns of a table are measured; those after them keep the widths. */
  tableRows: 200,
  moreRows: 50,
  /** Quotes and lists inside each other. */
  depth: 32,
} as const;
