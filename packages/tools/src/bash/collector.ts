/**
 * Keeps the end of a command's output in memory and, once that is not all of it, the whole in a private file. Memory
 * stays bounded however much is printed; what was cut is announced and can be found.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder } from '@tau/host';

const maxLines = 2000;
const maxBytes = 50 * 1024;
/** A command that prints without end must not fill the disk. */
const maxLogBytes = 1024 ** 3;

export interface Collected {
  /** The end of the output, with a notice in front when it is not the whole. */
  text: string;
  truncated: boolean;
  fullOutputPath?: string;
}

export interface Collector {
  push(chunk: string): void;
  /** Ends the collection; nothing may be pushed after it. */
  finish(): Collected;
}

export function outputCollector(logLimit = maxLogBytes): Collector {
  let tail = '';
  let bytes = 0;
  let newlines = 0;
  let lineOpen = false;
  let log: Log | undefined;

  const totalLines = () => newlines + (lineOpen ? 1 : 0);

  return {
    push(chunk) {
      if (chunk === '') return;
      bytes += Buffer.byteLength(chunk);
      newlines += countNewlines(chunk);
      lineOpen = !chunk.endsWith('\n');
      tail += chunk;
      if (log) log.append(chunk);
      else if (bytes > maxBytes || totalLines() > maxLines) {
        log = openLog(logLimit);
        log.append(tail);
      }
      // A string unit is at least one byte, so this always holds the last bytes, and one more to see a line's start.
      if (log && tail.length > 2 * maxBytes) tail = tail.slice(-maxBytes - 1);
    },

    finish() {
      if (!log) return { text: tail, truncated: false };
      log.close();
      const end = lastPart(tail);
      const part = end.midLine ? 'the end of the last line' : `the last ${end.lines} lines`;
      const notice = `[output cut: showing ${part} of ${totalLines()}; ${log.account()}]`;
      return {
        text: `${notice}\n${end.text}`,
        truncated: true,
        ...(log.path !== undefined && { fullOutputPath: log.path }),
      };
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

interface Log {
  path: string | undefined;
  append(chunk: string): void;
  close(): void;
  /** Where the whole output is, or why it is not. */
  account(): string;
}

/** Written at once and not queued: a queue would hold in memory what the disk is slow to take. */
function openLog(limit: number): Log {
  let file: number | undefined;
  let path: string | undefined;
  let problem: string | undefined;
  let written = 0;
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error);
    }
  };
  attempt(() => {
    path = join(privateFolder(), 'output.log');
    file = openSync(path, 'wx', 0o600);
  });
  return {
    path,
    append(chunk) {
      const target = file;
      if (target === undefined || problem !== undefined) return;
      if (written + Buffer.byteLength(chunk) > limit) {
        problem = `the limit is ${limit} bytes`;
        return;
      }
      attempt(() => {
        const data = Buffer.from(chunk);
        for (let done = 0; done < data.length; ) done += writeSync(target, data, done);
        written += data.length;
      });
    },
    close() {
      const target = file;
      if (target !== undefined) attempt(() => closeSync(target));
    },
    account() {
      if (problem === undefined) return `whole output in ${path}`;
      const part = path === undefined ? 'it was not kept' : `only its first ${written} bytes are in ${path}`;
      return `the whole output could not be kept (${problem}), ${part}`;
    },
  };
}
