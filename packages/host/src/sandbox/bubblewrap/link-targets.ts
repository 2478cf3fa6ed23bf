/**
 * What protected links lead to, for as long as the session lasts. While one is missing, because a command in the background
 * took it away, nobody could tell; and when it is made again it leads there.
 */
import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Disk } from './places.ts';
import { linksAmong } from './surroundings.ts';

export interface LinkTargets {
  /** The paths, and with them what the missing links among them led to. */
  withMissing(paths: readonly string[], disk: Disk): string[];
  /** It was missing, and leads where it did. */
  isBack(path: string): boolean;
}

export function linkTargets(): LinkTargets {
  const known = new Map<string, { text: string; place: string }>();
  return {
    withMissing(paths, disk) {
      for (const [path, text] of linksAmong(paths, disk)) known.set(path, { text, place: placeOf(path, text) });
      const led = paths.flatMap((path) => (disk.kindOf(path) === 'link' ? [] : (known.get(path)?.place ?? [])));
      return [...new Set([...paths, ...led])];
    },
    isBack(path) {
      const before = known.get(path);
      return before !== undefined && before.text === textOf(path);
    },
  };
}

function placeOf(path: string, text: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there yet.
    return resolve(dirname(path), text);
  }
}

function textOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
