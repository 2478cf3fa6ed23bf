/** Where the last lines of a file begin, found from its end. */
import type { OpenFile } from '@tau/host';
import { chunksBefore, chunksFrom } from './chunks.ts';
import type { Newlines } from './newlines.ts';

export interface Place {
  position: number;
  /** The number of the line there; counted from the end, and negative, where counting from the start would take too long. */
  line: number;
}

/** `textStart`: where the text begins, behind a byte order mark. */
export async function placeOfLast(
  file: OpenFile,
  lines: number,
  options: { newlines: Newlines; textStart: number; countBytes: number; signal: AbortSignal },
): Promise<Place> {
  const { newlines, textStart, countBytes, signal } = options;
  const end = file.stat.size;
  const position = await startOfLast(file, lines, { newlines, from: textStart, to: end }, signal);
  if (position - textStart > countBytes) return { position, line: -lines };
  return { position, line: 1 + (await newlinesBefore(file, { from: textStart, to: position }, newlines, signal)) };
}

async function startOfLast(
  file: OpenFile,
  lines: number,
  { newlines, from, to }: { newlines: Newlines; from: number; to: number },
  signal: AbortSignal,
): Promise<number> {
  let needed = lines;
  for await (const { chunk, position } of chunksBefore(file, { from, to }, signal)) {
    for (let at = newlines.last(chunk, chunk.length); at >= 0; at = newlines.last(chunk, at)) {
      const next = position + at + newlines.length;
      // The newline at the very end closes the last line and begins none.
      if (next >= to) continue;
      needed -= 1;
      if (needed === 0) return next;
    }
  }
  return from;
}

async function newlinesBefore(
  file: OpenFile,
  { from, to }: { from: number; to: number },
  newlines: Newlines,
  signal: AbortSignal,
): Promise<number> {
  let found = 0;
  let left = to - from;
  for await (const chunk of chunksFrom(file, from, signal)) {
    found += newlines.count(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return found;
}
