/** Puts a text in a file's place whole: nobody sees half of it, and what cannot be written leaves the old one. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describeError, TauError } from '@tau/core';

/** A link stays a link; a new file and its folders are for the user alone, an old one keeps its mode unless one is given. */
export function replaceFile(path: string, text: string, { mode }: { mode?: number } = {}): void {
  let temporary: string | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const old = statSync(path, { throwIfNoEntry: false });
    const target = old ? realpathSync.native(path) : path;
    temporary = join(dirname(target), `${basename(target)}.${crypto.randomUUID()}.tmp`);
    const file = openSync(temporary, 'wx', mode ?? (old ? old.mode & 0o777 : 0o600));
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (cause) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw new TauError('file', `${path} cannot be written: ${describeError(cause)}`, { cause });
  }
}
