/**
 * Protected paths that do not exist. Folders by nature get a stub, so that the kernel keeps them; on other names a stub would
 * do harm (a tool that reads a file finds a folder, and git sees an empty file). Those are refused by the witness, and what
 * got past it, or where there is none, is put aside when the command has ended: under its name nothing is left to act.
 */
import { lstatSync, renameSync, unlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Launch, Violation } from '../sandbox.ts';
import { inFolderOf } from './in-folder.ts';
import type { Disk } from './places.ts';
import { realDisk } from './surroundings.ts';

export interface Missing {
  /** Made into stubs, or there already as a stub of somebody else. */
  stubbed: string[];
  /** Must not come to be. */
  unmade: string[];
}

/** The worst to be made by somebody else, each a folder that is as good as absent while it is empty. */
const stubNames: ReadonlySet<string> = new Set(['.git', '.tau', 'hooks', '.ssh', '.gnupg']);

export function missingAmong(paths: readonly string[], disk: Disk): Missing {
  const first = [...new Set(paths.map((path) => firstMissing(path, disk)))];
  const isStub = (path: string) => disk.kindOf(path) !== undefined || stubNames.has(basename(path));
  return { stubbed: first.filter(isStub), unmade: first.filter((path) => !isStub(path)) };
}

/** The first part of it that is missing: nothing can be made below that either. */
function firstMissing(path: string, disk: Disk): string {
  let at = path;
  for (let up = dirname(at); disk.kindOf(up) === undefined && up !== at; up = dirname(at)) at = up;
  return at;
}

const maxNames = 1000;

/**
 * What is there now, moved away, to be told. Nothing is deleted, and what came to be while a command ran in the background
 * is only told: in so long a time it may well be the user's.
 */
export function putAside(paths: readonly string[], { background = false }: Launch): Violation[] {
  const found = paths.filter((path) => realDisk.kindOf(path) !== undefined);
  return found.map((path) => {
    const aside = background ? undefined : moveAside(path);
    return { what: 'write', path, happened: true, ...(aside !== undefined && { aside }) };
  });
}

/** In the same folder, so that it can be moved at all and is found again. Undefined when it cannot be, or nothing is there. */
export function moveAside(path: string): string | undefined {
  return inFolderOf(path, (here) => {
    const end = freeEnd(here);
    if (end === undefined) return undefined;
    renameSync(here, `${here}${end}`);
    return `${path}${end}`;
  });
}

function freeEnd(path: string): string | undefined {
  for (let number = 1; number <= maxNames; number += 1) {
    const end = `.refused${number === 1 ? '' : `-${number}`}`;
    if (realDisk.kindOf(`${path}${end}`) === undefined) return end;
  }
  return undefined;
}

/**
 * Where a socket was that was gone when something was to be mounted on it, the sandbox program has made an empty file. One
 * that somebody uses is a socket again.
 */
export function clearPlacesOf(sockets: readonly string[]): void {
  for (const path of sockets) {
    inFolderOf(path, (here) => {
      const found = lstatSync(here);
      if (found.isFile() && found.size === 0) unlinkSync(here);
    });
  }
}
