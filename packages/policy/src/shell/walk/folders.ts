/** The folders a command may run in, and what the paths it is given mean there. */
import { isAbsolute, normalize } from 'node:path/posix';
import type { Effect } from '@tau/core';
import type { Finding, Word } from '../invocation.ts';

/**
 * Absolute paths, each once. Undefined: it may be anywhere. None: nobody gets here. With a slash at its end the shell knows
 * the folder by its real path, so that nobody knows here what it takes for the folder above.
 */
export type Folders = readonly string[] | undefined;

const most = 8;
/** No machine opens a longer one at once, and to follow it piece by piece takes for ever. */
const longestPath = 4096;

export function merge(...all: readonly Folders[]): Folders {
  const found = new Set<string>();
  for (const folders of all) {
    if (folders === undefined) return undefined;
    for (const folder of folders) found.add(folder);
  }
  return found.size > most ? undefined : [...found];
}

/**
 * Where `cd` leads. The shell takes `..` away by text, and follows links only when that leads nowhere: then both are
 * possible. With `physical` it follows them at once.
 */
export function changed(folders: Folders, target: Word, physical: boolean): Folders {
  if (target === undefined) return undefined;
  if (isAbsolute(target)) return wayTo('', target, physical);
  return folders === undefined ? undefined : merge(...folders.map((folder) => wayTo(folder, target, physical)));
}

function wayTo(folder: string, target: string, physical: boolean): Folders {
  const written = withoutEnd(`${folder}/${target}`);
  const byText = withoutEnd(normalize(written));
  const isReal = folder.length > 1 && /\/$|\/\.\./.test(folder);
  if (isReal && target.includes('..')) return undefined;
  if (physical || isReal) return [written.includes('..') || byText === '/' ? written : `${byText}/`];
  return climbsBack(target) ? [byText, written] : [byText];
}

/** True when a `..` takes back a name of the same path, which may be a link. */
function climbsBack(target: string): boolean {
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  return names.lastIndexOf('..') > names.findIndex((name) => name !== '..') && names.some((name) => name !== '..');
}

function withoutEnd(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** A path as it is given in one of these folders: relative to where the line starts if it is below, else absolute. */
export function pathsAt(path: string, folders: Folders, cwd: string): readonly string[] | undefined {
  if (path.length > longestPath) return undefined;
  if (isAbsolute(path)) return [path];
  return folders?.map((folder) => pathAt(path, folder, cwd));
}

function pathAt(path: string, folder: string, cwd: string): string {
  // A name that begins with a tilde here is a name: the shell has replaced what meant home.
  const written = path.startsWith('~') ? `./${path}` : path;
  const place = withoutEnd(folder);
  if (place === cwd) return written;
  const below = place.startsWith(`${cwd}/`) ? place.slice(cwd.length + 1) : place;
  if (path === '.' || path === '') return below;
  return `${below === '/' ? '' : below}/${path.startsWith('./') ? path.slice(2) : path}`;
}

/** What a program does, with its paths told from where the line starts. */
export function placed(finding: Finding, folders: Folders, cwd: string): Finding {
  const effects: Effect[] = [];
  let lost = false;
  for (const effect of finding.effects) {
    const paths = effect.kind === 'read' || effect.kind === 'write' ? pathsAt(effect.path, folders, cwd) : undefined;
    if (effect.kind !== 'read' && effect.kind !== 'write') effects.push(effect);
    else if (paths === undefined) lost = true;
    else for (const path of paths) effects.push({ ...effect, path });
  }
  if (!lost) return { ...finding, effects };
  return { ...finding, effects, known: false, why: finding.why ?? 'which folder it runs in is not known' };
}
