/**
 * Keeps the end of a command's output in memory and, once that is not all of it, the whole in a private file. Memory
 * stays bounded however much is printed; what was cut is announced and can be found.
 */
import { type Log, openLog } from './log.ts';
import { outputTail } from './tail.ts';

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

export function outputCollector(logLimit?: number): Collector {
  const tail = outputTail();
  let log: Log | undefined;
  return {
    push(chunk) {
      tail.push(chunk);
      if (log) log.append(chunk);
      else if (tail.over()) {
        log = openLog(logLimit);
        log.append(tail.whole());
      }
    },

    finish() {
      log?.close();
      const text = tail.shown(() => log?.account() ?? '');
      return { text, truncated: log !== undefined, ...(log?.path !== undefined && { fullOutputPath: log.path }) };
    },
  };
}
