/** Whether something is a link or has links below it: moved elsewhere, they may lead elsewhere. */
import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

const maxEntries = 5_000;

/** False is certain: what is too much to look through, or cannot be looked at, may hold one. */
export function holdsLinks(path: string): boolean {
  const waiting = [path];
  let entries = 0;
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) return true;
    if (!stat?.isDirectory()) return false;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const folder = opendirSync(next);
      try {
        for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
          entries += 1;
          if (entries > maxEntries || entry.isSymbolicLink()) return true;
          if (entry.isDirectory()) waiting.push(join(next, entry.name));
        }
      } finally {
        folder.closeSync();
      }
    }
    return false;
  } catch {
    return true;
  }
}
