/**
 * A file that only grows, by whole lines, and that one process at a time writes. Each append is one write; when it
 * returns the bytes are with the system, and when it throws the file is as it was.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describeError, TauError } from '@tau/core';
import { type SessionLock, takeLock } from './lock.ts';

interface LineStore {
  /** Returns where in the file the text begins. */
  append(text: Buffer): number;
  /** Undefined until something was written. */
  size(): number | undefined;
  close(): void;
}

interface StoreOptions {
  /** A new file, made with the first append. */
  create: boolean;
  /** What was read of the file: where it ended, and whether that was inside a line, so that a new one is begun. */
  read?: { size: number; midLine: boolean };
  lock?: SessionLock;
}

export function lineStore(path: string, options: StoreOptions): LineStore {
  let fd: number | undefined;
  let { lock } = options;
  let midLine = options.read?.midLine ?? false;
  let end: number | undefined;

  function open(): number {
    if (options.create) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const before = lock;
    lock ??= takeLock(path);
    try {
      // One that has gone is not made anew: it would be empty.
      const file = options.create
        ? openSync(path, 'ax', 0o600)
        : openSync(path, constants.O_WRONLY | constants.O_APPEND);
      if (options.read !== undefined) refuseChanged(file, options.read.size);
      return file;
    } catch (error) {
      if (before === undefined) {
        lock.release();
        lock = undefined;
      }
      throw error;
    }
  }

  /** Entries that were not read would be left on a branch that nobody asked for. */
  function refuseChanged(file: number, size: number): void {
    if (fstatSync(file).size === size) return;
    closeSync(file);
    throw new TauError('session', `${path} was changed by another process after it was read`, {
      remedy: 'Open it again to go on from its new end.',
    });
  }

  /** What is written to a file that has gone, or behind a piece that somebody cut off, is lost. */
  function refuseTouched({ size, nlink, ino }: Stats): void {
    if (nlink === 0 && statSync(path, { throwIfNoEntry: false })?.ino !== ino) {
      throw new TauError('session', `${path} was deleted or replaced while the session was in use`, {
        remedy: 'Nothing more can be kept in it: start a new session.',
      });
    }
    if (end === undefined || size === end) return;
    throw new TauError('session', `${path} was changed by another process while the session was in use`, {
      remedy: 'Open it again to go on from its new end.',
    });
  }

  function write(target: number, bytes: Uint8Array): number {
    const found = fstatSync(target);
    refuseTouched(found);
    const { size } = found;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(target, bytes, written);
    } catch (error) {
      if (written > 0 && !cutBack(target, size, written)) {
        midLine = true;
        end = undefined;
      }
      throw error;
    }
    end = size + bytes.length;
    return size;
  }

  return {
    append(text) {
      try {
        lock?.check();
        fd ??= open();
        const before = midLine ? 1 : 0;
        const start = write(fd, midLine ? Buffer.concat([Buffer.from('\n'), text]) : text) + before;
        midLine = false;
        return start;
      } catch (cause) {
        if (cause instanceof TauError) throw cause;
        throw new TauError('file', `The session could not be saved to ${path}: ${describeError(cause)}`, {
          remedy:
            'Free some space or check that folder; or keep sessions elsewhere (--session-dir) or not at all (--no-session)',
          cause,
        });
      }
    },
    size: () => end,
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
      lock?.release();
      lock = undefined;
    },
  };
}

/** Removes the beginning of a line that could not be finished, unless somebody else has written behind it. */
function cutBack(fd: number, size: number, written: number): boolean {
  try {
    if (fstatSync(fd).size !== size + written) return false;
    ftruncateSync(fd, size);
    return true;
  } catch {
    return false;
  }
}
