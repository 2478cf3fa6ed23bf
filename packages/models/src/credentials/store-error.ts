/** What the system says about a file of keys, as one sentence with a way out. */
import { TauError } from '@tau/core';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission was denied',
  EPERM: 'the system does not permit it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the limit for the size of files is reached',
  EROFS: 'the file system is read-only',
};

export function storeError(verb: 'read' | 'write', path: string, cause: unknown): TauError {
  const why = reasons[errorCode(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
  const remedy =
    verb === 'read'
      ? 'Check its owner and mode, and those of its folder'
      : 'What it held is unchanged. Free some space, or check the owner and mode of its folder, and try again';
  return new TauError('file', `Cannot ${verb} ${path}: ${why}`, { remedy, cause });
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
