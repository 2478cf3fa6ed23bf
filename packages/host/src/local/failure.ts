/** Turns what the operating system reports into one sentence with a reason and a way out. */
import { TauError } from '@tau/core';

const reasons: Readonly<Record<string, { why: string; remedy: string }>> = {
  ENOENT: { why: 'there is no such file', remedy: 'Check the path.' },
  EACCES: { why: 'permission was denied', remedy: 'Check its owner and mode, and those of its folder.' },
  EPERM: { why: 'the system does not permit it', remedy: 'Check its owner and mode, and those of its folder.' },
  EISDIR: { why: 'it is a folder', remedy: 'Name a file in it.' },
  ENOTDIR: { why: 'a part of the path is a file, not a folder', remedy: 'Check the path.' },
  EEXIST: { why: 'a part of the path is a file, not a folder', remedy: 'Check the path.' },
  ELOOP: { why: 'its symbolic links form a loop', remedy: 'Repair or remove the links.' },
  ENAMETOOLONG: { why: 'the name is too long', remedy: 'Choose a shorter name.' },
  ENOSPC: { why: 'the disk is full', remedy: 'Free some space.' },
  EDQUOT: { why: 'the disk quota is used up', remedy: 'Free some space.' },
  EROFS: { why: 'the file system is read-only', remedy: 'Choose another place.' },
  EBUSY: { why: 'it is mounted or in use', remedy: 'Change it with a command through bash.' },
  EXDEV: { why: 'the new place is on another file system', remedy: 'Move it with mv through bash.' },
  ERR_INVALID_ARG_VALUE: { why: 'the path holds a NUL character', remedy: 'Check the path.' },
  // Our own: see `anchor.ts`.
  EMOVED: { why: 'where it leads changed after it was judged', remedy: 'Nothing was touched. Try again.' },
  EMFILE: { why: 'too many files are open', remedy: 'Try again when less is running.' },
};

export function fileError(
  verb: 'read' | 'write' | 'move' | 'remove' | 'list' | 'search' | 'inspect' | 'make a folder in',
  path: string,
  cause: unknown,
): TauError {
  const known = reasons[errorCode(cause) ?? ''];
  if (known) return new TauError('file', `Cannot ${verb} ${path}: ${known.why}`, { remedy: known.remedy, cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  return new TauError('file', `Cannot ${verb} ${path}: ${why}`, { cause });
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
