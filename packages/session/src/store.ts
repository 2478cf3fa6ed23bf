/**
 * A file that only grows, by whole lines. Each append is one write; when it returns the bytes are with the system, and
 * when it throws the file is as it was.
 */
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeError, TauError } from '@tau/core';

interface LineStore {
  append(text: string): void;
  close(): void;
}

/** `create`: a new file, made with the first append. `midLine`: the file ends inside a line, so a new one is begun. */
export function lineStore(path: string, options: { create: boolean; midLine: boolean }): LineStore {
  let fd: number | undefined;
  let { midLine } = options;

  function open(): number {
    if (!options.create) return openSync(path, 'a');
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'ax', 0o600);
  }

  function write(target: number, bytes: Uint8Array): void {
    const { size } = fstatSync(target);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(target, bytes, written);
    } catch (error) {
      if (written > 0 && !cutBack(target, size, written)) midLine = true;
      throw error;
    }
    midLine = false;
  }

  return {
    append(text) {
      try {
        fd ??= open();
        write(fd, Buffer.from(midLine ? `\n${text}` : text));
      } catch (cause) {
        throw new TauError('file', `The session could not be saved to ${path}: ${describeError(cause)}`, {
          remedy:
            'Free some space or check that folder; or keep sessions elsewhere (--session-dir) or not at all (--no-session)',
          cause,
        });
      }
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
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
