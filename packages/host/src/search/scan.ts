/** Looks for a pattern in the lines of a file, piece by piece, and keeps the lines around what it finds. */
import { isAscii } from 'node:buffer';
import { clip, longLineBytes } from './clip.ts';
import type { LinePattern } from './pattern.ts';
import type { FoundLine } from './search.ts';

interface Scan {
  lines: FoundLine[];
  matches: number;
  /** How many lines were seen. */
  seen: number;
}

export interface ScanLimits {
  context: number;
  /** Matches after which the rest of the file is not looked at. */
  limit: number;
  /** False to only count. */
  keep: boolean;
}

interface Held {
  number: number;
  text: string;
}

const newline = 0x0a;

export interface Scanner {
  scan: Scan;
  /** Takes whole lines. `last` when nothing follows. */
  feed(piece: Buffer, last: boolean): void;
}

export function createScanner(pattern: LinePattern, { context, limit, keep }: ScanLimits): Scanner {
  const scan: Scan = { lines: [], matches: 0, seen: 0 };
  let before: Held[] = [];
  let after = 0;

  function line(text: string, matchStart: number): void {
    scan.seen += 1;
    if (matchStart >= 0) {
      scan.matches += 1;
      if (!keep) return;
      for (const held of before) scan.lines.push({ number: held.number, ...clip(held.text, 0), isMatch: false });
      before = [];
      after = context;
      const shownFrom = isLong(text) ? 0 : matchStart;
      scan.lines.push({ number: scan.seen, ...clip(text, shownFrom), isMatch: true });
    } else if (after > 0) {
      after -= 1;
      scan.lines.push({ number: scan.seen, ...clip(text, 0), isMatch: false });
    } else if (context > 0) {
      before.push({ number: scan.seen, text });
      if (before.length > context) before.shift();
    }
  }

  return {
    scan,
    feed(piece, last) {
      const ascii = isAscii(piece);
      const inLine = ascii ? pattern.ascii : pattern.unicode;
      const inLines = ascii ? pattern.asciiLines : pattern.unicodeLines;
      const absent = pattern.bytes !== undefined && !piece.includes(pattern.bytes);
      const text = absent && context === 0 ? '' : piece.toString(ascii ? 'latin1' : 'utf8');
      if (context === 0 && (absent || !inLines.test(text))) {
        if (!last) scan.seen += countLines(piece);
        return;
      }
      for (let start = 0; start < text.length && scan.matches < limit; ) {
        const found = text.indexOf('\n', start);
        const end = found < 0 ? text.length : found;
        const bare = text.slice(start, text.charAt(end - 1) === '\r' && end > start ? end - 1 : end);
        line(bare, absent ? -1 : (inLine.exec(bare)?.index ?? -1));
        start = end + 1;
      }
    },
  };
}

function countLines(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) count += 1;
  return count;
}

function isLong(line: string): boolean {
  return line.length > longLineBytes / 4 && Buffer.byteLength(line) > longLineBytes;
}
