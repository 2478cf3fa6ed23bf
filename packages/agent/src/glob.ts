/** The names that a shell's pattern may stand for. More than the shell finds is no harm, fewer would be. */
import { opendirSync } from 'node:fs';

const maxFound = 500;
const maxFolders = 200;
const maxEntries = 20_000;

/**
 * `*` and `?` in any segments of a pattern, each name as the shell would put it in the line. Undefined when there are too
 * many, when a folder cannot be read, or for a pattern with more in it than these two.
 */
export function globNames(pattern: string, folder: string): readonly string[] | undefined {
  if (/[[\]{}()\\\0]/.test(pattern) || pattern === '') return undefined;
  const room = { folders: maxFolders, entries: maxEntries };
  const segments = pattern.split('/');
  let found: string[] = [''];
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    const next: string[] = [];
    for (const before of found) {
      const names = /[*?]/.test(segment) ? namesLike(segment, resolvedIn(before, folder), last, room) : [segment];
      if (!names) return undefined;
      for (const name of names) next.push(`${before}${name}${last ? '' : '/'}`);
      if (next.length > maxFound) return undefined;
    }
    found = next;
  }
  return found;
}

/** Not tidied: `..` after a link is the kernel's matter. */
function resolvedIn(path: string, folder: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}

function namesLike(
  segment: string,
  folder: string,
  last: boolean,
  room: { folders: number; entries: number },
): string[] | undefined {
  room.folders -= 1;
  if (room.folders < 0) return undefined;
  const names: string[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry; entry = open.readSync()) {
        room.entries -= 1;
        // A name that is no text cannot be told: whoever opened what stands here would open something else.
        if (room.entries < 0 || entry.name.includes('\uFFFD')) return undefined;
        if (!last && entry.isFile()) continue;
        if (isLike(entry.name, segment)) names.push(entry.name);
      }
    } finally {
      open.closeSync();
    }
  } catch (error) {
    // Nothing is found in what is not there, or is no folder.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined;
  }
  if (segment.startsWith('.')) names.push(...['.', '..'].filter((name) => isLike(name, segment)));
  return names.sort();
}

/** A dot at the beginning is only matched by a dot. */
function isLike(name: string, segment: string): boolean {
  if (name.startsWith('.') && !segment.startsWith('.')) return false;
  // Some locales count a letter as several characters.
  return matches(name, /^[ -~]*$/.test(name) ? segment : segment.replaceAll('?', '*'));
}

/** Goes back to the last star only, so that no pattern takes long. */
function matches(name: string, pattern: string): boolean {
  let at = 0;
  let star = -1;
  let after = 0;
  for (let next = 0; next < name.length; ) {
    if (pattern[at] === '*') {
      star = at++;
      after = next;
    } else if (pattern[at] === '?' || pattern[at] === name[next]) {
      at++;
      next++;
    } else if (star >= 0) {
      at = star + 1;
      next = ++after;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
