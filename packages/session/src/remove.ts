/** Removing a session for good. */
import { rmSync } from 'node:fs';
import { describeError, TauError } from '@tau/core';
import { firstLine } from './folder.ts';
import { readHeader } from './lines.ts';
import { takeLock } from './lock.ts';

/** Refuses what is no session, and one that a process is using. */
export function deleteSession(path: string): void {
  try {
    readHeader(firstLine(path), path);
  } catch (cause) {
    if (cause instanceof TauError) throw cause;
    throw failed(path, cause);
  }
  const lock = takeLock(path);
  try {
    rmSync(path);
  } catch (cause) {
    throw failed(path, cause);
  } finally {
    lock.release();
  }
}

function failed(path: string, cause: unknown): TauError {
  return new TauError('file', `The session ${path} could not be deleted: ${describeError(cause)}`, {
    remedy: 'Check the path and who may write to its folder.',
    cause,
  });
}
