/** Folders for output that is too long to show: readable by this user alone, and swept away after a day. */
import { lstatSync, mkdtempSync, opendirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileError } from './failure.ts';

const prefix = 'tau-out-';
const keepMs = 24 * 60 * 60 * 1000;
/** A temporary folder can hold anything: a sweep looks at so many names and removes so many folders, no more. */
const maxNames = 2000;
const maxRemoved = 100;

/** A new folder, mode 0700. Makes room first: what was made more than a day ago is removed. */
export function privateFolder(): string {
  const parent = tmpdir();
  sweep(parent);
  try {
    return closed(mkdtempSync(join(parent, prefix)));
  } catch (error) {
    throw fileError('make a folder in', parent, error);
  }
}

/** Not every file system keeps to what was asked for, and what others can read or change is no place for an output. */
function closed(path: string): string {
  const { mode, uid } = lstatSync(path);
  if ((mode & 0o077) === 0 && uid === process.getuid?.()) return path;
  rmdirSync(path);
  throw new Error('what is made there is open to others; set TMPDIR to a folder on another disk');
}

/** Best effort: what cannot be looked at or removed stays. */
function sweep(parent: string): void {
  const before = Date.now() - keepMs;
  let removed = 0;
  for (const name of someNames(parent)) {
    if (removed === maxRemoved) return;
    const path = join(parent, name);
    try {
      const found = lstatSync(path);
      if (!found.isDirectory() || found.uid !== process.getuid?.() || found.mtimeMs > before) continue;
      rmSync(path, { recursive: true });
      removed += 1;
    } catch {
      // Another tau may be sweeping too.
    }
  }
}

function someNames(parent: string): string[] {
  const names: string[] = [];
  try {
    const folder = opendirSync(parent);
    try {
      for (let seen = 0; seen < maxNames; seen++) {
        const name = folder.readSync()?.name;
        if (name === undefined) break;
        if (name.startsWith(prefix)) names.push(name);
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    // The making of the new folder says what is wrong.
  }
  return names;
}
