/**
 * A protected path that is a link: nothing can be mounted on a link, so it is looked at again when the command has ended.
 * What took its place is removed, and it is made again.
 */
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';

/** The links that had to be made again. */
export function restoreLinks(links: ReadonlyMap<string, string>): string[] {
  const changed = [...links].filter(([path, target]) => leadsTo(path) !== target);
  for (const [path, target] of changed) {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(target, path);
  }
  return changed.map(([path]) => path);
}

function leadsTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
