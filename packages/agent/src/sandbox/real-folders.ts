/** Guarded paths by where their folders really are: a sandbox follows no links. */
import { readlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isBelow, realPlace } from '../place.ts';

export interface InRealFolders {
  paths: string[];
  /** On the way to them, and in folders that may be written to: another folder must not take their place. */
  links: string[];
}

export function inRealFolders(paths: readonly string[], writable: readonly string[]): InRealFolders {
  // Most are in the same few folders.
  const folders = new Map([...new Set(paths.map((path) => dirname(path)))].map((one) => [one, realPlace(one)]));
  const links = [...folders].flatMap(([folder, real]) => (folder === real ? [] : linksOnWay(folder)));
  return {
    paths: paths.map((path) => join(folders.get(dirname(path)) ?? dirname(path), basename(path))),
    links: [...new Set(links)].filter((link) => writable.some((folder) => isBelow(link, folder))),
  };
}

/** Each by its real place. */
function linksOnWay(folder: string): string[] {
  const up = dirname(folder);
  if (up === folder) return [];
  const place = join(realPlace(up), basename(folder));
  return [...linksOnWay(up), ...(isLink(place) ? [place] : [])];
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false;
  }
}
