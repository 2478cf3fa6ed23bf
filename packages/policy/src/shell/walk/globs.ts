/** Patterns: the folders that a shell lists to follow one, and the names it finds. */
import { isAbsolute } from 'node:path/posix';
import { pathsAt } from './folders.ts';
import { isPatternLike } from './holding.ts';
import { doubt, emitRedirect, limits, type Spot, type Walk } from './state.ts';

/** Before each character that is a pattern and no text. No line has this one in it. */
const mark = '\0';
const longestPattern = 1000;
const listsUnseen = 'a pattern in it lists a folder that is known only when it runs';

export function marked(pattern: string): string {
  return pattern.replace(/[*?[]/g, `${mark}$&`);
}

function unmarked(text: string): string {
  return text.replaceAll(mark, '');
}

/** Undefined: what stands before the pattern is known only when it runs. */
export function listFolders(patterns: readonly string[] | undefined, spot: Spot, walk: Walk): void {
  if (patterns === undefined) doubt(walk, listsUnseen);
  for (const pattern of patterns ?? []) if (!listsFolders(pattern, spot, walk)) doubt(walk, listsUnseen);
}

/** To follow a pattern is to read folders, which tells the names in them; those in the project's own are no secret. */
function listsFolders(pattern: string, spot: Spot, walk: Walk): boolean {
  const segments = pattern.split('/');
  return segments.every((segment, index) => {
    if (!segment.includes(mark)) return true;
    const before = segments.slice(0, index).join('/') || (index > 0 ? '/' : '.');
    return before.includes(mark) ? readsFound(before, spot, walk) : reads(before, spot.folders, walk);
  });
}

/** The folders that a pattern stands for, if that is certain. */
function readsFound(pattern: string, spot: Spot, walk: Walk): boolean {
  if (!isCountable(pattern, spot, walk)) return false;
  return (
    placesOf(pattern, spot)?.every(
      (folder) =>
        walk.facts
          .glob?.(`${unmarked(pattern)}/.`, folder)
          ?.every((name) => reads(name.slice(0, -2), [folder], walk)) ?? false,
    ) ?? false
  );
}

function reads(folder: string, from: Spot['folders'], walk: Walk): boolean {
  const paths = pathsAt(folder, from, walk.facts.cwd);
  for (const path of paths ?? []) if (path !== '.') emitRedirect(walk, { kind: 'read', path });
  return paths !== undefined;
}

function placesOf(pattern: string, { folders }: Spot): Spot['folders'] {
  return isAbsolute(pattern) ? ['/'] : folders;
}

/** Nobody changes what is found, and there is nothing in it but `*` and `?`. */
function isCountable(pattern: string, { again }: Spot, walk: Walk): boolean {
  const isPlain = !isPatternLike(pattern.replace(/\0[*?]/g, '')) && !unmarked(pattern).includes('**');
  if (!isPlain || pattern.length > longestPattern || walk.dirty || again) return false;
  walk.patterns += 1;
  return walk.patterns <= limits.patterns;
}

/** The files a pattern stands for, in every folder it may be looked up in. */
export function matches(pattern: string, spot: Spot, walk: Walk): string[] | undefined {
  const { facts } = walk;
  const folders = placesOf(pattern, spot);
  if (facts.glob === undefined || folders === undefined || !isCountable(pattern, spot, walk)) return undefined;
  const names = new Set<string>();
  for (const folder of folders) {
    const found = facts.glob(unmarked(pattern), folder);
    if (found === undefined) return undefined;
    for (const name of found.length === 0 ? [unmarked(pattern)] : found) names.add(name);
  }
  return [...names];
}
