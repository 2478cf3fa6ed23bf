/** Where paths lead and what counts as inside. Segments are compared, never characters: /w/app is not /w/app-evil. */
import { isAbsolute, join, normalize, relative } from 'node:path/posix';
import type { ResolvedEffect } from '@tau/core';

/** The folders a decision knows. All are real paths: symlinks followed. */
export interface PathScope {
  /** The project first, then added folders. */
  roots: readonly string[];
  temp: readonly string[];
  /** May be read, not written. */
  toolchain: readonly string[];
  home: string;
  /** Of the user by the list of users, where HOME says another: the keys may be there. */
  accountHome?: string;
  tauHome: string;
  /** What the user opens to commands in a sandbox, and is there. Outside the project for everything else. */
  writable?: readonly string[];
  /** What the user hides, by every path it is known under. */
  unreadable?: readonly string[];
}

/** What a written path is read against. */
type Base = Pick<PathScope, 'roots' | 'home'>;

export type PathEffect = Extract<ResolvedEffect, { kind: 'read' | 'write' }>;

export function isPathEffect(effect: ResolvedEffect): effect is PathEffect {
  return effect.kind === 'read' || effect.kind === 'write';
}

/** A path as written, made absolute: `~/` is home, a relative path belongs to the project. */
export function absolutePath(path: string, scope: Base): string {
  if (path === '~' || path.startsWith('~/')) return tidy(join(scope.home, path.slice(1)));
  return tidy(isAbsolute(path) ? path : join(scope.roots[0] ?? '/', path));
}

/** Both forms of an effect's path, as written and as resolved; the second is missing if nobody could follow it. */
export function pathForms(effect: PathEffect, scope: Base): string[] {
  const written = absolutePath(effect.path, scope);
  return effect.resolved === undefined ? [written] : [written, tidy(effect.resolved)];
}

/** True when both forms satisfy the test. A path nobody could follow never does. */
function bothForms(effect: PathEffect, scope: PathScope, test: (path: string) => boolean): boolean {
  return effect.resolved !== undefined && pathForms(effect, scope).every(test);
}

/** True when the effect stays in the folders, whichever way its path is read. */
export function isInside(effect: PathEffect, scope: PathScope, folders: readonly string[]): boolean {
  return bothForms(effect, scope, (path) => folders.some((folder) => isWithin(path, folder)));
}

/** A path for a person: as written, and where it leads if that is not what it says. */
export function place({ path, resolved }: PathEffect, scope: Base): string {
  return resolved === undefined || resolved === absolutePath(path, scope) ? path : `${path} (${resolved})`;
}

/** A segment that is empty or dots, also as the last. */
const untidy = /\/\.{0,2}(?:\/|$)/;

/** True when `path` is `base` or below it. */
export function isWithin(path: string, base: string): boolean {
  if (!isAbsolute(path) || !isAbsolute(base)) return false;
  // Mostly both are tidy, and to walk along them costs far more.
  if (!untidy.test(path) && !untidy.test(base)) return path === base || path.startsWith(`${base}/`);
  const way = relative(base, path);
  return way !== '..' && !way.startsWith('../');
}

/**
 * A path as the most forgiving file system would see it: case, compatibility forms, invisible characters and trailing
 * dots do not count. Guards compare folded paths, permissions never do.
 */
export function foldPath(path: string): string {
  const plain = /^[ -~]*$/.test(path) ? path : withoutFinery(path);
  return plain.toLowerCase().split('/').map(withoutTrailingDots).join('/');
}

/** Upper case first: there are letters that only then become plain ones, as the sharp s does. */
function withoutFinery(path: string): string {
  const visible = path.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.toUpperCase().normalize('NFKC');
}

function withoutTrailingDots(segment: string): string {
  let end = segment.length;
  while (segment[end - 1] === '.' || segment[end - 1] === ' ') end--;
  return segment.slice(0, end);
}

function tidy(path: string): string {
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}
