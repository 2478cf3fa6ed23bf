/** The lines of a file, one pass, a piece at a time: the memory it takes does not depend on the size of the file. */
import { readSync } from 'node:fs';
import { headBytes } from './head.ts';

/**
 * A line by where it begins, its length in bytes without the newline, its first bytes (one character each) and its last.
 */
export type VisitLine = (offset: number, length: number, front: string, lastByte: number | undefined) => void;

const pieceBytes = 1 << 20;
const newline = 0x0a;

/** The answer says how many bytes there were, and whether the last line has no newline. */
export function scanLines(fd: number, sizeHint: number, visit: VisitLine): { size: number; midLine: boolean } {
  const buffer = Buffer.allocUnsafe(Math.max(4096, Math.min(pieceBytes, sizeHint + 1)));
  let position = 0;
  let offset = 0;
  /** Of a line that began in an earlier piece. */
  let begun: string | undefined;
  let lastByte: number | undefined;
  for (;;) {
    const count = readSync(fd, buffer, 0, buffer.length, position);
    if (count === 0) break;
    const piece = buffer.subarray(0, count);
    let at = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, at)) {
      const front = begun ?? piece.toString('latin1', at, Math.min(end, at + headBytes));
      const last = end > at ? piece[end - 1] : begun === undefined ? undefined : lastByte;
      visit(offset, position + end - offset, front, last);
      begun = undefined;
      at = end + 1;
      offset = position + at;
    }
    if (at < count) {
      begun ??= piece.toString('latin1', at, Math.min(count, at + headBytes));
      lastByte = piece[count - 1];
    }
    position += count;
  }
  const midLine = offset < position;
  if (midLine) visit(offset, position - offset, begun ?? '', lastByte);
  return { size: position, midLine };
}

/** A line longer than this is taken for damage: no entry is, and it need not fit into memory. */
const longestLine = 128 << 20;

/** A line as text; nothing where it is not there any more or cannot be a line. */
export function readText(fd: number, offset: number, length: number): string | undefined {
  if (length > longestLine) return undefined;
  const buffer = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const count = readSync(fd, buffer, got, length - got, offset + got);
    if (count === 0) return undefined;
    got += count;
  }
  return buffer.toString('utf8');
}
