/** Cuts the wanted lines out of a file's bytes, within a number of lines and of bytes, without decoding the rest. */

export interface Limits {
  lines: number;
  bytes: number;
}

export interface LineWindow {
  /** The lines as `N<tab>text`. */
  numbered: string;
  /** 0 when the window starts beyond the end. */
  firstLine: number;
  lastLine: number;
  totalLines: number;
  /** Set when the first line alone was too long: how many bytes it has, and how many are shown. */
  cutLine?: { bytes: number; shown: number };
}

const newline = 0x0a;

export function lineWindow(content: Buffer, firstLine: number, limits: Limits): LineWindow {
  const shown: string[] = [];
  let room = limits.bytes;
  let full = false;
  let line = 0;
  let cutLine: LineWindow['cutLine'];
  for (let start = 0; start < content.length; ) {
    const found = content.indexOf(newline, start);
    const end = found < 0 ? content.length : found;
    line += 1;
    if (line >= firstLine && !full) {
      const size = end - start;
      const prefix = `${line}\t`;
      const fits = prefix.length + size < room;
      if (fits) shown.push(prefix + content.toString('utf8', start, end));
      else if (shown.length === 0) {
        const stop = characterStart(content, start + limits.bytes);
        cutLine = { bytes: size, shown: stop - start };
        shown.push(prefix + content.toString('utf8', start, stop));
      }
      room -= prefix.length + size + 1;
      full = !fits || shown.length >= limits.lines;
    }
    start = end + 1;
  }
  const lastLine = shown.length === 0 ? 0 : firstLine + shown.length - 1;
  return {
    numbered: shown.join('\n'),
    firstLine: shown.length === 0 ? 0 : firstLine,
    lastLine,
    totalLines: line,
    ...(cutLine && { cutLine }),
  };
}

/** The nearest position at or before this one where a UTF-8 character starts. */
function characterStart(content: Buffer, position: number): number {
  let start = position;
  while (start > 0 && ((content[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
