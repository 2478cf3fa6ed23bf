/** A log of JSON lines that several processes write to: private, appended to, and begun anew when it is long. */
import { closeSync, constants, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface LogFile {
  /** Throws when it cannot be written. */
  write(record: object): void;
  close(): void;
}

const maxLogBytes = 10 * 1024 * 1024;

interface OpenLog {
  file: number;
  ino: number;
  size: number;
}

export function createLogFile(path: string, maxBytes = maxLogBytes): LogFile {
  let log: OpenLog | undefined;

  /** Others write to the same file, and one of them may have put a new one in its place. */
  function current(): OpenLog {
    if (log && statSync(path, { throwIfNoEntry: false })?.ino === log.ino) return log;
    close();
    log = openLog(path);
    return log;
  }

  function close(): void {
    if (log) closeSync(log.file);
    log = undefined;
  }

  return {
    write(record) {
      let to = current();
      if (to.size >= maxBytes && rotate(path, maxBytes)) to = current();
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      // Half a line, when the disk is full, is ended by the next one.
      if (writeSync(to.file, line) < line.length) throw new Error('the disk is full');
      to.size += line.length;
    },
    close,
  };
}

function openLog(path: string): OpenLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A pipe that somebody left in the way must not be waited for.
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  const found = fstatSync(file);
  if (found.isFile()) return { file, ino: found.ino, size: found.size };
  closeSync(file);
  throw new Error('it is not a regular file');
}

const staleMs = 30_000;

/** One at a time, and only what is really too long: another process may have done it meanwhile. */
function rotate(path: string, maxBytes: number): boolean {
  const turn = `${path}.turn`;
  try {
    closeSync(openSync(turn, 'wx', 0o600));
  } catch {
    const made = statSync(turn, { throwIfNoEntry: false });
    if (made && Math.abs(Date.now() - made.mtimeMs) > staleMs) rmSync(turn, { force: true });
    return false;
  }
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < maxBytes) return true;
    renameSync(path, `${path}.1`);
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}
