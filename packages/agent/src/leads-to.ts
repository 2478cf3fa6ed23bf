/** Where a path leads, link by link: who made a link decides whether it is followed. */
import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many as the kernel follows. */
const maxLinks = 40;

/** Whether all of it is there or not. Undefined when a link on the way lies in a folder whose links are not followed. */
export function leadsTo(path: string, isClosed: (folder: string) => boolean, links = maxLinks): string | undefined {
  const above = dirname(path);
  if (above === path) return path;
  const folder = leadsTo(above, isClosed, links);
  if (folder === undefined) return undefined;
  const at = join(folder, basename(path));
  const target = linkAt(at);
  if (target === undefined) return at;
  return links === 0 || isClosed(folder) ? undefined : leadsTo(resolve(folder, target), isClosed, links - 1);
}

/** No link leads there: it is what it says. */
export function isStraight(path: string): boolean {
  return leadsTo(path, () => true) === path;
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    // What cannot be looked at leads nowhere.
    return undefined;
  }
}
