/**
 * Where a path really leads, read as the kernel reads it: `..` after a symlink is the parent of the link's target,
 * so a path is never tidied as text before its links are followed.
 */
import { promises } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** As many as Linux follows before it gives up. */
const maxLinks = 40;

/** Where paths that are not absolute begin. */
export interface Base {
  cwd: string;
  /** What `~` means; models write it as a shell would take it. */
  home: string | undefined;
}

export async function resolvePath(base: Base, path: string): Promise<string> {
  const full = fullPath(base, path);
  // One call is enough for whatever exists; only the rest is walked.
  return promises.realpath(full).catch(() => walk(full));
}

export function fullPath({ cwd, home }: Base, path: string): string {
  if (home && (path === '~' || path.startsWith('~/'))) return home + path.slice(1);
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

/** Follows each link by hand, going on below what does not exist. A loop ends at one of its links. */
async function walk(full: string): Promise<string> {
  const ahead = full.split('/').reverse();
  let real = '/';
  let links = 0;
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      real = dirname(real);
      continue;
    }
    const next = join(real, part);
    const target = links < maxLinks ? await linkTarget(next) : undefined;
    if (target === undefined) {
      real = next;
      continue;
    }
    links += 1;
    if (isAbsolute(target)) real = '/';
    ahead.push(...target.split('/').reverse());
  }
  return real;
}

async function linkTarget(path: string): Promise<string | undefined> {
  return promises.readlink(path).catch(() => undefined);
}
