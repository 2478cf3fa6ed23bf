/** Where lines end in a piece of a file: at a byte, or at a pair of bytes in UTF-16. */
import type { Encoding } from '../text/encoding.ts';

const lineFeed = 0x0a;

export interface Newlines {
  /** The bytes a line's end takes. */
  length: number;
  /** Where the first one from here on is, or -1. */
  next(chunk: Buffer, from: number): number;
  /** Where the last one before this position is, or -1. */
  last(chunk: Buffer, before: number): number;
  count(chunk: Buffer): number;
}

export function newlinesIn({ name }: Encoding): Newlines {
  if (name === 'utf-16le') return pairs(0);
  return name === 'utf-16be' ? pairs(1) : bytes;
}

/** In every encoding but UTF-16 this byte is a line feed and never a part of something else. */
const bytes: Newlines = {
  length: 1,
  next: (chunk, from) => chunk.indexOf(lineFeed, from),
  // A negative offset of `lastIndexOf` would count from the end.
  last: (chunk, before) => (before > 0 ? chunk.lastIndexOf(lineFeed, before - 1) : -1),
  count(chunk) {
    let found = 0;
    for (let at = 0; at < chunk.length; at++) if (chunk[at] === lineFeed) found += 1;
    return found;
  },
};

/** `low`: which byte of the pair is the line feed, the other being zero. Pieces begin between two pairs. */
function pairs(low: 0 | 1): Newlines {
  const isNewline = (chunk: Buffer, pair: number) => chunk[pair + low] === lineFeed && chunk[pair + 1 - low] === 0;
  return {
    length: 2,
    next(chunk, from) {
      for (let pair = from; pair + 1 < chunk.length; pair += 2) if (isNewline(chunk, pair)) return pair;
      return -1;
    },
    last(chunk, before) {
      for (let pair = before - (before % 2) - 2; pair >= 0; pair -= 2) if (isNewline(chunk, pair)) return pair;
      return -1;
    },
    count(chunk) {
      let found = 0;
      for (let pair = 0; pair + 1 < chunk.length; pair += 2) if (isNewline(chunk, pair)) found += 1;
      return found;
    },
  };
}
