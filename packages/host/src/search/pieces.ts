/** The content of a file in pieces of whole lines, whatever its size, as UTF-8. */
import { close, constants, open, read } from 'node:fs';
import { type RawPath, toSystem } from './paths.ts';

const pieceBytes = 256 * 1024;
/** A longer line is searched up to here. */
const maxLineBytes = 16 * 1024 * 1024;
/** A larger file in UTF-16 counts as binary. */
const maxUtf16Bytes = 64 * 1024 * 1024;
const newline = 0x0a;

/** One file that is being read. */
export interface Source {
  /** The next piece. `last` when the file ends with it; undefined when it cannot be read. */
  next(): Promise<{ piece: Buffer; last: boolean } | undefined>;
  close(): void;
}

export function pieceBuffers(count: number): Buffer[] {
  return Array.from({ length: count }, () => Buffer.allocUnsafeSlow(pieceBytes));
}

/** The buffer is used for every piece, so a piece is gone when the next is asked for. */
export function openSource(path: RawPath, buffer: Buffer = Buffer.allocUnsafeSlow(pieceBytes)): Source {
  let file: number | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  // Bytes of a line that is longer than what is looked at.
  let skipping = false;

  async function take(): Promise<{ piece: Buffer; last: boolean } | undefined> {
    // A link or a pipe that has taken the file's place is neither followed nor waited for.
    file ??= await opened(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (file === undefined) return undefined;
    const parts = rest.length > 0 ? [rest] : [];
    let size = rest.length;
    for (;;) {
      const chunk = await filled(file, buffer);
      if (chunk === undefined) return undefined;
      const ended = chunk.length < pieceBytes;
      if (ended) closeFile();
      const lineEnd = chunk.lastIndexOf(newline);
      if (ended || lineEnd >= 0 || size + chunk.length > maxLineBytes) {
        const cut = ended ? chunk.length : lineEnd + 1;
        const isTooLong = cut === 0;
        parts.push(isTooLong ? chunk : chunk.subarray(0, cut));
        rest = isTooLong ? Buffer.alloc(0) : Buffer.from(chunk.subarray(cut));
        return { piece: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), last: ended };
      }
      parts.push(Buffer.from(chunk));
      size += chunk.length;
    }
  }

  function closeFile(): void {
    // Nobody waits for it, and there is nothing to be done if it fails.
    if (file !== undefined) close(file, () => {});
    file = undefined;
  }

  async function whole(first: Buffer, last: boolean): Promise<Buffer | undefined> {
    const parts = [Buffer.from(first)];
    let size = first.length;
    for (let ended = last; !ended; ) {
      const more = await take();
      if (!more || size > maxUtf16Bytes) return undefined;
      parts.push(Buffer.from(more.piece));
      size += more.piece.length;
      ended = more.last;
    }
    return Buffer.concat(parts);
  }

  return {
    async next() {
      const taken = await take();
      if (!taken) return undefined;
      const { last } = taken;
      let { piece } = taken;
      if (isFirst) {
        isFirst = false;
        const encoding = utf16In(piece);
        if (encoding) {
          const content = await whole(piece, last);
          return content && { piece: Buffer.from(new TextDecoder(encoding).decode(content)), last: true };
        }
        if (piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) piece = piece.subarray(3);
      }
      if (skipping) {
        const end = piece.indexOf(newline);
        piece = piece.subarray(end < 0 ? piece.length : end + 1);
        skipping = end < 0;
      }
      if (!last && !skipping && piece.length > 0 && piece[piece.length - 1] !== newline) skipping = true;
      return { piece, last };
    },
    close: closeFile,
  };
}

function utf16In(piece: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (piece[0] === 0xff && piece[1] === 0xfe) return 'utf-16le';
  return piece[0] === 0xfe && piece[1] === 0xff ? 'utf-16be' : undefined;
}

// With callbacks: a promise and a handle for each of fifty thousand files is most of the time they take.
function opened(path: RawPath, flags: number): Promise<number | undefined> {
  return new Promise((resolve) => open(toSystem(path), flags, (error, file) => resolve(error ? undefined : file)));
}

/** A full piece, or what was left of the file. */
function filled(file: number, buffer: Buffer): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const more = (have: number) => {
      read(file, buffer, have, pieceBytes - have, null, (error, count) => {
        if (error) resolve(undefined);
        else if (count === 0) resolve(buffer.subarray(0, have));
        else if (have + count === pieceBytes) resolve(buffer);
        else more(have + count);
      });
    };
    more(0);
  });
}
