/** What changed in a file. */
export interface FileDiff {
  change: 'modified' | 'added' | 'removed' | 'renamed' | 'copied' | 'mode';
  oldPath?: string;
  newPath?: string;
  hunks: readonly Hunk[];
  added: number;
  removed: number;
  /** Not text: there is nothing to show. */
  isBinary?: boolean;
  /** Why lines are missing, or are not compared one by one. */
  note?: string;
}

/** Lines that belong together, with the unchanged ones around them. */
export interface Hunk {
  oldStart: number;
  newStart: number;
  /** What the lines are inside of, as far as the diff says so. */
  title?: string;
  lines: readonly DiffLine[];
}

export interface DiffLine {
  kind: 'context' | 'added' | 'removed';
  text: string;
  /** In the old file for a line that went, else in the new one. */
  number: number;
  oldNumber?: number;
  /** The file ends here, without a line break. */
  isUnended?: boolean;
  /** Parts that differ from the line this one stands for: positions in the text, in order. */
  marks?: readonly Mark[];
}

export interface Mark {
  from: number;
  to: number;
}

/** Bounds of what is compared and of what is kept. */
export const diffLimits = {
  /** Characters of both texts together. */
  characters: 4_000_000,
  /** Lines that may differ before two texts are simply two texts. */
  edits: 1_500,
  /** Lines of a diff that comes as text. */
  lines: 20_000,
  /** Lines that went times lines that came, where it is not known which stands for which. */
  pairs: 400,
  /** Characters of a line that is compared word by word. */
  markedLine: 1_000,
  /** The least part of two lines that has to be the same for the rest to be pointed out. */
  alike: 0.4,
} as const;
