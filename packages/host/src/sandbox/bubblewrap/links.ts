/**
 * A protected path that is a link: nothing can be mounted on a link, so it is looked at again when the command has ended.
 * What took its place is put aside, and it is made again.
 */
import { readlinkSync, symlinkSync } from 'node:fs';
import type { Violation } from '../sandbox.ts';
import { inFolderOf } from './in-folder.ts';
import { moveAside } from './missing.ts';

/** Tells which links were not there any more. What cannot be put right has happened, and is told as that. */
export function restoreLinks(links: ReadonlyMap<string, string>): Violation[] {
  const changed = [...links].filter(([path, target]) => leadsTo(path) !== target);
  return changed.map(([path, target]) => {
    const aside = moveAside(path);
    const isBack = makeLink(path, target);
    return {
      what: 'write',
      path,
      ...((aside !== undefined || !isBack) && { happened: true }),
      ...(aside !== undefined && { aside }),
    };
  });
}

function makeLink(path: string, target: string): boolean {
  const made = inFolderOf(path, (here) => {
    symlinkSync(target, here);
    return true;
  });
  return made === true;
}

function leadsTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
