/** The whole of an output, in a private file. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder } from '@tau/host';

/** A command that prints without end must not fill the disk. */
const maxLogBytes = 1024 ** 3;

export interface Log {
  path: string | undefined;
  append(chunk: string): void;
  close(): void;
  /** Where the whole output is, or why it is not. */
  account(): string;
}

/** Written at once and not queued: a queue would hold in memory what the disk is slow to take. */
export function openLog(limit = maxLogBytes): Log {
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
      file = undefined;
      if (target !== undefined) attempt(() => closeSync(target));
    },
    account() {
      if (problem === undefined) return `whole output in ${path}`;
      const part = path === undefined ? 'it was not kept' : `only its first ${written} bytes are in ${path}`;
      return `the whole output could not be kept (${problem}), ${part}`;
    },
  };
}
