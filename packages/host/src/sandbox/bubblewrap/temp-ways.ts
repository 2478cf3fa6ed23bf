/**
 * What is mounted within the private temporary folder. Commands write there, and bubblewrap follows the links it meets on
 * the way to a place for a mount, at a time when the whole disk can be written. So tau makes the folders on the way itself,
 * each is a mount that nobody can rename, and where a link lies in the way nothing is mounted.
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TauError } from '@tau/core';
import { inOrder, isIn, type Mount } from './places.ts';

export function withTempWays(mounts: readonly Mount[], temp: string): Mount[] {
  const kept: Mount[] = [];
  const ways = new Map<string, Mount>();
  for (const mount of mounts) {
    const { path } = mount;
    const around = mounts.findLast((other) => isIn(path, other.path));
    if (around?.kind !== 'temp') {
      kept.push(mount);
      continue;
    }
    const inside = (place: string) => join(temp, place.slice(around.path.length));
    const way = foldersBetween(around.path, path);
    if (way.every((place) => isMade(inside(place))) && !isLink(inside(path))) {
      kept.push(mount);
      for (const place of way) ways.set(place, { kind: 'writable', path: place, from: inside(place) });
    } else if (mount.kind !== 'readOnly') throw inTheWay(path);
  }
  return inOrder([...ways.values(), ...kept]);
}

/** From the outermost on, without the two. */
function foldersBetween(root: string, path: string): string[] {
  const found: string[] = [];
  for (let at = dirname(path); isIn(at, root); at = dirname(at)) found.unshift(at);
  return found;
}

/** A folder is there now, and is no link. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

function inTheWay(path: string): TauError {
  return new TauError('process', `The sandbox could not be made: a command put a link in the way to ${path}`, {
    remedy: 'Start a new session; it has a new temporary folder.',
  });
}
