/** Whether a plain name in a command line can mean a program that the project brought along. */
import { isAbsolute, normalize } from 'node:path/posix';
import { foldPath, isWithin } from '../paths/scope.ts';

/**
 * True when no entry of a PATH is empty (which is the current folder), relative, or within a folder where others may
 * put programs. Both are compared as text: the caller follows the links first. Without a PATH the shell has its own,
 * which may hold the current folder.
 */
export function isTrustedPath(path: string | undefined, untrusted: readonly string[]): boolean {
  const folded = untrusted.map(foldPath);
  return (path ?? '').split(':').every((entry) => {
    if (!isAbsolute(entry)) return false;
    const place = foldPath(normalize(entry));
    return !folded.some((folder) => isWithin(place, folder));
  });
}
