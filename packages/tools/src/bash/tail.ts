/** The end of an output in memory, however much is printed, and how much there was. */
import { readable } from './readable.ts';

const maxLines = 2000;
const maxBytes = 50 * 1024;

export interface OutputTail {
  push(chunk: string): void;
  /** More came than is shown. */
  over(): boolean;
  /** Everything that came, as long as the push that took it over is the last one. */
  whole(): string;
  /** What a model is shown, with a notice in front when it is not everything. `account` says where the rest is. */
  shown(account: () => string): string;
}

/** `kind` in the notice: "the last 2000 lines of 5000 new ones". */
export function outputTail(kind = ''): OutputTail {
  let tail = '';
  let bytes = 0;
  let newlines = 0;
  let lineOpen = false;
  const totalLines = () => newlines + (lineOpen ? 1 : 0);
  const over = () => bytes > maxBytes || totalLines() > maxLines;
  return {
    push(chunk) {
      if (chunk === '') return;
      // A string unit is at least one byte, so this always holds the last bytes, and one more to see a line's start.
      if (tail.length > 2 * maxBytes) tail = tail.slice(-maxBytes - 1);
      bytes += Buffer.byteLength(chunk);
      newlines += countNewlines(chunk);
      lineOpen = !chunk.endsWith('\n');
      tail += chunk;
    },
    over,
    whole: () => tail,
    shown(account) {
      if (!over()) return readable(tail);
      const end = lastPart(tail);
      const part = end.midLine ? 'the end of the last line' : `the last ${end.lines} lines`;
      return `[output cut: showing ${part} of ${totalLines()}${kind}; ${account()}]\n${readable(end.text)}`;
    },
  };
}

/** The last lines that fit, whole if there is a whole one; else the end of the only line. */
function lastPart(tail: string): { text: string; lines: number; midLine: boolean } {
  let all = Buffer.from(tail);
  let midLine = false;
  if (all.length > maxBytes) {
    let start = all.length - maxBytes;
    while (((all[start] ?? 0) & 0xc0) === 0x80) start += 1;
    const lineStart = all.indexOf(0x0a, start - 1) + 1;
    midLine = lineStart === 0 || lineStart === all.length;
    all = all.subarray(midLine ? start : lineStart);
  }
  const closed = all.at(-1) === 0x0a;
  const lines = all.toString().split('\n');
  if (closed) lines.pop();
  const kept = lines.slice(-maxLines);
  return { text: kept.join('\n') + (closed ? '\n' : ''), lines: kept.length, midLine };
}

function countNewlines(chunk: string): number {
  let count = 0;
  for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) count += 1;
  return count;
}
