/** A file's bytes in pieces of bounded size, from anywhere in it. The user may interrupt between two of them. */
import { TauError } from '@tau/core';
import type { OpenFile } from '@tau/host';

/** Even, so that no character of UTF-16 lies across two pieces. */
const chunkBytes = 256 * 1024;

/** Each piece is good until the next is asked for: they share their memory. */
export async function* chunksFrom(file: OpenFile, position: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let at = position; ; ) {
    stopIfInterrupted(signal);
    const filled = await file.read(buffer, at);
    if (filled > 0) yield buffer.subarray(0, filled);
    if (filled < chunkBytes) return;
    at += filled;
  }
}

/** The pieces before this position, the last one first. */
export async function* chunksBefore(
  file: OpenFile,
  range: { from: number; to: number },
  signal: AbortSignal,
): AsyncGenerator<{ chunk: Buffer; position: number }> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let end = range.to; end > range.from; ) {
    stopIfInterrupted(signal);
    // As far from the beginning as whole pieces are, which keeps the pairs of UTF-16 together.
    const position = range.from + Math.floor((end - range.from - 1) / chunkBytes) * chunkBytes;
    const filled = await file.read(buffer.subarray(0, end - position), position);
    yield { chunk: buffer.subarray(0, filled), position };
    end = position;
  }
}

/** All of it; undefined when it has more bytes than that. */
export async function wholeContent(file: OpenFile, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksFrom(file, 0, signal)) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    pieces.push(Buffer.from(chunk));
  }
  return Buffer.concat(pieces);
}

export function stopIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new TauError('usage', 'Not read: the user interrupted');
}
