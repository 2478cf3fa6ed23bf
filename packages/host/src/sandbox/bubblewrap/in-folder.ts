/**
 * What tau does in folders that a command could write to, it does through the open folder: by its path anybody could lead
 * it elsewhere, with a link in the place of a folder on the way.
 */
import { chmodSync, closeSync, constants, openSync, readdirSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { O_PATH } from '../../local/anchor.ts';

const { O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * `work` gets a way to the path that leads there whatever becomes of the folders above. Undefined when its folder is not
 * where the path says, or the work fails.
 */
export function inFolderOf<T>(path: string, work: (here: string) => T): T | undefined {
  const folder = dirname(path);
  try {
    return throughFolder(folder, (open) =>
      readlinkSync(open) === folder ? work(`${open}/${basename(path)}`) : undefined,
    );
  } catch {
    return undefined;
  }
}

/** The folder and all that is in it, as far as it can be: also what is closed. A link is removed, and not followed. */
export function removeTree(folder: string): void {
  try {
    throughFolder(folder, (open) => {
      chmodSync(open, 0o700);
      for (const entry of readdirSync(open, { withFileTypes: true })) {
        const path = `${open}/${entry.name}`;
        if (entry.isDirectory()) removeTree(path);
        else unlinkSync(path);
      }
    });
    rmdirSync(folder);
  } catch {
    // It is not empty, or not a folder any more.
  }
}

/** A link is no folder. Who may neither list nor enter it can hold it all the same. */
function throughFolder<T>(folder: string, work: (open: string) => T): T {
  const descriptor = openSync(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  try {
    return work(`/proc/self/fd/${descriptor}`);
  } finally {
    closeSync(descriptor);
  }
}
