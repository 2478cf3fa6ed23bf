/** The text that edits are made in, an edit, and a place where it belongs. */
import { type Folding, fold } from './fold.ts';
import { type LineEnding, uniformEnding } from './lines.ts';

/** A text, and what several edits want to know about it, found out once. */
export interface Source {
  text: string;
  folded(folding: Folding): string;
  /** See `uniformEnding`. */
  ending(): LineEnding;
}

export function sourceOf(text: string): Source {
  const foldings = new Map<string, string>();
  let ending: LineEnding | undefined;
  return {
    text,
    folded(folding) {
      const key = JSON.stringify(folding);
      const folded = foldings.get(key) ?? fold(text, folding);
      foldings.set(key, folded);
      return folded;
    },
    ending() {
      ending ??= uniformEnding(text);
      return ending;
    },
  };
}

export interface Edit {
  oldText: string;
  newText: string;
  replaceAll: boolean;
}

/** A place, and the edit as it is meant there: at another indentation, both of its texts have been moved. */
export interface Hit {
  start: number;
  end: number;
  oldText: string;
  newText: string;
}
