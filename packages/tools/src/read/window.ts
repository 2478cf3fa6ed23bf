/** Cuts the wanted lines out of a stream of pieces, within a number of lines and of bytes, and holds nothing else. */
import { decode, type Encoding } from '../text/encoding.ts';
import { newlinesIn } from './newlines.ts';

export interface Wanted {
  /** The number of the line the pieces begin with. Counted from the end, it is negative. */
  line: number;
  firstLine: number;
  lines: number;
  bytes: number;
  /** How much is read only to count the lines that are left. */
  countBytes: number;
}

export interface LineWindow {
  /** The bytes of each line, without its end. */
  lines: Buffer[];
  /** The number of the line after the last one that was counted. */
  nextLine: number;
  /** False when lines were left uncounted. */
  counted: boolean;
  /** Set when the first line alone was too long: how many bytes it has, and how many are shown. */
  cutLine?: { bytes: number; shown: number };
}

export async function lineWindow(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding,
  wanted: Wanted,
): Promise<LineWindow> {
  const newlines = newlinesIn(encoding);
  const open = openLine(wanted.bytes);
  const lines: Buffer[] = [];
  let cutLine: LineWindow['cutLine'];
  let room = wanted.bytes;
  let line = wanted.line;
  let full = false;
  let leftToCount = wanted.countBytes;
  /** Whether the line that is under way has any bytes: a file's last newline begins no line. */
  let begun = false;

  const endLine = () => {
    if (line >= wanted.firstLine) {
      const { kept, size } = open.take();
      const shownBytes = `${line}\t`.length + textBytes(kept, encoding);
      const fits = size === kept.length && shownBytes < room;
      if (fits) lines.push(kept);
      else if (lines.length === 0) {
        const shown = firstCharacters(kept, wanted.bytes, encoding);
        cutLine = { bytes: size, shown: shown.length };
        lines.push(shown);
      }
      room -= shownBytes + 1;
      full = !fits || lines.length >= wanted.lines;
    }
    line += 1;
    begun = false;
  };

  for await (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length && !full) {
      const found = newlines.next(chunk, at);
      const end = found < 0 ? chunk.length : found;
      begun = true;
      if (line >= wanted.firstLine) open.add(chunk.subarray(at, end));
      if (found >= 0) endLine();
      at = found < 0 ? chunk.length : found + newlines.length;
    }
    if (at === chunk.length) continue;
    if (leftToCount <= 0) return { lines, nextLine: line, counted: false, ...(cutLine && { cutLine }) };
    const rest = chunk.subarray(at);
    leftToCount -= rest.length;
    line += newlines.count(rest);
    begun = newlines.last(rest, rest.length) !== rest.length - newlines.length;
  }
  if (begun && !full) endLine();
  else if (begun) line += 1;
  return { lines, nextLine: line, counted: true, ...(cutLine && { cutLine }) };
}

/** The line under way: its first bytes, and how many it has. */
function openLine(maxKept: number) {
  let pieces: Buffer[] = [];
  let kept = 0;
  let size = 0;
  return {
    add(piece: Buffer): void {
      size += piece.length;
      if (kept > maxKept || piece.length === 0) return;
      // One byte more than may be shown, to tell that there is more. A copy, because pieces share their memory.
      const part = Buffer.from(piece.subarray(0, maxKept + 1 - kept));
      pieces.push(part);
      kept += part.length;
    },
    take(): { kept: Buffer; size: number } {
      const taken = { kept: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces), size };
      pieces = [];
      kept = 0;
      size = 0;
      return taken;
    },
  };
}

/** What the bytes will take as UTF-8, which is what a model is sent. */
function textBytes(line: Buffer, encoding: Encoding): number {
  return encoding.name === 'utf-8' ? line.length : Buffer.byteLength(decode(line, { ...encoding, bom: false }));
}

/** As many bytes as surely fit once they are text, not ending within a character where that can be told. */
function firstCharacters(line: Buffer, maxBytes: number, { name }: Encoding): Buffer {
  if (name !== 'utf-8') {
    const bytes = Math.floor(maxBytes / 3);
    return line.subarray(0, bytes - (bytes % 2));
  }
  let stop = Math.min(line.length, maxBytes);
  while (stop > 0 && ((line[stop] ?? 0) & 0xc0) === 0x80) stop -= 1;
  return line.subarray(0, stop);
}
