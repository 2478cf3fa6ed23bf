/**
 * Where a path really leads, read as the kernel reads it: `..` after a symlink is the parent of the link's target,
 * so a path is never tidied as text before its links are followed.
 */
import { promises } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { TauError } from '@tau/core';

/** As many as Linux follows before it gives up. */
const maxLinks = 40;

/** Where paths that are not absolute begin. */
export interface Base {
  cwd: string;
  /** What `~` means; models write it as a shell would take it. */
  home: string | undefined;
}

/** No system opens a longer one, and following it would take for ever. */
const longestPath = 16_384;

export async function resolvePath(base: Base, path: string): Promise<string> {
  const full = fullPath(base, path);
  if (full.length > longestPath) {
    throw new TauError('file', `A path of ${full.length} characters is too long`, { remedy: 'Name a shorter one.' });
  }
  // One call is enough for whatever exists and has no link on its way; only the rest is walked.
  const real = await promises.realpath(full).catch(() => undefined);
  if (real === full) return real;
  const { place, magic } = await walk(full);
  return magic ? place : (real ?? canonical(place));
}

export function fullPath({ cwd, home }: Base, path: string): string {
  if (home && (path === '~' || path.startsWith('~/'))) return home + path.slice(1);
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

/** Where case does not count, the folders of what is not there yet have one true spelling too. */
async function canonical(place: string): Promise<string> {
  const parent = dirname(place);
  if (parent === place) return place;
  const real = await promises.realpath(parent).catch(() => undefined);
  return join(real ?? (await canonical(parent)), basename(place));
}

/**
 * Follows each link by hand, going on below what does not exist. A loop ends at one of its links. Links in `/proc` lead
 * wherever the process is that asks, which need not be this one: the way ends at the link, and the rest is appended.
 */
async function walk(full: string): Promise<{ place: string; magic: boolean }> {
  const ahead = full.split('/').reverse();
  let real = '/';
  let links = 0;
  let magic = false;
  let end: string | undefined;
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (real !== end) real = dirname(real);
      continue;
    }
    const next = join(real, part);
    const target = links < maxLinks && end === undefined ? await linkTarget(next) : undefined;
    if (target !== undefined && next.startsWith('/proc/')) {
      real = next;
      magic = true;
      // This one leads to its neighbour, so that what comes after it is told by its name.
      if (next !== '/proc/self') end = next;
      continue;
    }
    if (target === undefined) {
      real = next;
      continue;
    }
    links += 1;
    if (isAbsolute(target)) real = '/';
    ahead.push(...target.split('/').reverse());
  }
  return { place: real, magic };
}

async function linkTarget(path: string): Promise<string | undefined> {
  return promises.readlink(path).catch(() => undefined);
}
