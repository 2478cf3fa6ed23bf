/**
 * Who needs which stub: an empty folder that stands where a protected path does not exist yet, because a mount needs
 * something to lie on. Several commands, and several taus of the same user, may need the same one; the last to go removes
 * it. A stub is removed by `rmdir` only, so nothing that somebody put there is ever lost.
 */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TauError } from '@tau/core';
import { errorCode } from '../../local/failure.ts';
import { inFolderOf } from './in-folder.ts';
import { forget, isAlive, locked, lockScript, processSpace, readLines } from './lock.ts';
import { isIn } from './places.ts';

export interface Ledger {
  folder: string;
  /** What the names of its own entries begin with. */
  prefix: string;
  /**
   * Those of the paths at which nothing real is: each is an empty folder from now on, until the release of the last who
   * needs it.
   */
  claim(paths: readonly string[]): Promise<Claim>;
}

export interface Claim {
  stubs: readonly string[];
  release(): Promise<void>;
}

/** `folder`: shared by all taus of a user; made at the first claim, and there for good: others may be about to use it. */
export function openLedger(folder: string): Ledger {
  let claims = 0;
  const prefix = `${process.pid}.${spaceNumber()}-${Math.random().toString(36).slice(2, 10)}-`;
  return {
    folder,
    prefix,
    async claim(paths) {
      refuseLineBreaks(paths);
      // Most of the time everything is there, and nobody needs to be asked.
      if (!paths.some((path) => isMissing(path) || mayBeStub(path))) return { stubs: [], release: async () => {} };
      claims += 1;
      const entry = join(folder, `${prefix}${claims}`);
      let needed: string[] = [];
      const stubs = await locked(folder, () => {
        const known = usedByOthers(folder, entry);
        const wanted = paths.filter((path) => known.has(path) || isMissing(path));
        if (wanted.length === 0) return [];
        // Stubs of others that these lie in are needed as well.
        const above = [...known].filter((stub) => !wanted.includes(stub) && wanted.some((path) => isIn(path, stub)));
        // Written before they are made: who dies in between leaves no stub that nobody knows of.
        writeFileSync(entry, lines([...wanted, ...above]));
        const made = wanted.filter(makeStub);
        needed = [...made, ...above];
        if (made.length === 0) forget(entry);
        else if (made.length < wanted.length) writeFileSync(entry, lines(needed));
        return made.filter((path) => !isMissing(path));
      });
      let released = false;
      return {
        stubs,
        async release() {
          if (released || stubs.length === 0) return;
          released = true;
          await locked(folder, () => {
            const known = usedByOthers(folder, entry);
            removeStubs(needed.filter((path) => !known.has(path)));
            // Last: who dies before has left word of what is still there.
            forget(entry);
          });
        },
      };
    },
  };
}

/**
 * What a shell does with the entries of a process that is gone: the folder and their prefix are its first arguments. Under
 * the lock as everybody: a stub that goes away under a mount takes the mount with it. The deepest go first, and each from
 * the very folder that it was made in.
 */
export const clearScript = lockScript(
  [
    'stubs=$(cat "$1/$2"* 2>/dev/null | sort -ru); rm -f "$1/$2"*',
    'printf "%s\\n" "$stubs" | while IFS= read -r stub; do',
    '  grep -qxF -- "$stub" "$1"/*-* 2>/dev/null && continue',
    '  folder=$(dirname -- "$stub"); name=$(basename -- "$stub")',
    '  (cd -P -- "$folder" && [ "$(pwd -P)" = "$folder" ] && rmdir -- "$name") 2>/dev/null',
    'done',
  ].join('\n'),
);

function lines(paths: readonly string[]): string {
  return paths.map((path) => `${path}\n`).join('');
}

function refuseLineBreaks(paths: readonly string[]): void {
  const odd = paths.find((path) => /[\n\0]/.test(path));
  if (odd === undefined) return;
  throw new TauError('process', `The sandbox cannot protect ${JSON.stringify(odd)}: its name has a line break`, {
    remedy: 'Rename it.',
  });
}

/** The stubs of everybody else who is alive. Those of the dead are removed on the way. */
function usedByOthers(folder: string, own: string): Set<string> {
  const used = new Set<string>();
  const orphans: string[] = [];
  const here = spaceNumber();
  for (const name of readdirSync(folder)) {
    const [, pid, space = here] = /^(\d+)(?:\.(\d*))?-/.exec(name) ?? [];
    const entry = join(folder, name);
    if (pid === undefined || entry === own) continue;
    const stubs = readLines(entry);
    if (space === here ? isAlive(Number(pid)) : isRecent(entry)) for (const path of stubs) used.add(path);
    else {
      orphans.push(...stubs);
      forget(entry);
    }
  }
  removeStubs(orphans.filter((path) => !used.has(path)));
  return used;
}

function spaceNumber(): string {
  return /\d+/.exec(processSpace())?.[0] ?? '';
}

/** Whether somebody in another container lives cannot be known; their entry counts for a day. */
function isRecent(entry: string): boolean {
  const made = lstatSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - made < 24 * 60 * 60 * 1000;
}

/** False when something real came to be there just now. */
function makeStub(path: string): boolean {
  const made = inFolderOf(path, (here) => {
    try {
      mkdirSync(here, { mode: 0o755 });
      return true;
    } catch (error) {
      // An old stub of ours and of others is fine; a parent that cannot be written needs no protection.
      return errorCode(error) === 'EEXIST' && isEmptyFolder(here);
    }
  });
  return made === true;
}

/** The deepest first. One that is not empty any more, or gone, is not ours to remove. */
function removeStubs(paths: readonly string[]): void {
  for (const path of paths.toSorted().toReversed()) inFolderOf(path, (here) => rmdirSync(here));
}

function isMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** A stub of somebody else looks like this, and so do empty folders of the user: the entries tell. */
function mayBeStub(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && isEmptyFolder(path);
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
