/**
 * Paths in rules, as git's ignore files write them: `*`, `?` and `[abc]` within a name, `**` over any number of folders.
 *
 * - `src/x.ts`, `./x`: from the project. `/x`: from the root of the disk. `~/x`: from home. `//x` is the root as well: in
 *   Claude Code's files (`dialect: 'claude'`) `/x` belongs to the folder of the settings.
 * - `src:*`, `src/**` and `src/`: the folder and everything below it.
 * - A name alone (`.env`, `*.pem`) that asks or denies is meant at any depth of the project; an allow means the one in
 *   the project's folder (at any depth too in Claude Code's files). `./.env` is that one only. In Claude Code's files that
 *   holds for `src/**` too where it asks or denies.
 * - What asks or denies a folder covers what is below it, and the removal of a folder that holds what it names.
 *   Case and look-alike spellings do not matter then; to an allow they do.
 */
import { isAbsolute, normalize } from 'node:path/posix';
import type { Outcome } from '@tau/core';
import { absolutePath, foldPath, isWithin, type PathScope } from '../paths/scope.ts';
import { compileGlob, type Glob, globMatches, hasOpenClass, hasWildcard, literalGlob, unescaped } from './glob.ts';

export interface PathPattern {
  kind: 'exact' | 'prefix' | 'wildcard';
  /** A path as written, or for `wildcard` a pattern. */
  value: string;
  /** A name at any depth of the project. */
  anywhere?: true;
  /** Everything below what it names as well. A `prefix` always covers that. */
  below?: true;
}

export interface Dialect {
  /** Whose files the rules stand in. */
  dialect?: 'tau' | 'claude';
  /** The folder that `/x` belongs to in Claude Code's files. */
  base?: string;
  /** The file of another agent that they stand in, as a person knows it. */
  file?: string;
}

/** The pattern, or what is wrong with it. */
export function readPathPattern(outcome: Outcome, source: string, { dialect, base }: Dialect): PathPattern | string {
  const folder = folderOf(source);
  const written = (folder ?? source).replace(/^\/\/+/, '/');
  if (written.trim() === '') return 'its pattern is empty';
  if (source.startsWith('!')) return 'a ! at its beginning makes no exception here; \\! is a name that begins with one';
  if (hasOpenClass(written)) return 'a [ is not closed; \\[ is the character';
  if (/(^|[^\\])(\\\\)*\{[^}]*,/.test(written)) return 'it has a list in braces; write a rule for each';
  if (/:\*/.test(written)) return ':* stands only at its end';
  const claude = dialect === 'claude';
  const placed =
    claude && /^\/(?!\/)/.test(source) ? (base === undefined ? '.' : literalGlob(base)) + written : written;
  const kind = hasWildcard(placed) ? 'wildcard' : folder === undefined ? 'exact' : 'prefix';
  // To Claude Code `src/**` is the folder of the project where it allows, and any of that name where it does not.
  const named =
    !written.includes('/') &&
    written !== '~' &&
    written !== '.' &&
    (!/(\/\*\*|:\*)$/.test(source) || (claude && outcome !== 'allow'));
  return {
    kind,
    value: kind === 'wildcard' ? placed : unescaped(placed),
    ...(named && (claude || outcome !== 'allow') && { anywhere: true }),
    ...((claude || (folder !== undefined && kind === 'wildcard')) && { below: true }),
  };
}

/** What is written before `:*`, `/**` or a last `/`: a folder with all that is in it. */
function folderOf(source: string): string | undefined {
  const [, before] = /^(.*?)(?::\*|\/\*\*|\/)$/s.exec(source) ?? [];
  if (before === undefined || /(^|[^\\])(\\\\)*\\$/.test(before)) return undefined;
  const folder = before.replace(/\/+$/, '');
  return folder === '' && source.startsWith('/') ? '/' : folder;
}

/** For rules that allow: the path itself, letter by letter. */
export function pathAllowed(path: string, pattern: PathPattern, scope: PathScope): boolean {
  return matcher(pattern, scope, { below: pattern.below === true, fold: (text) => text })(path);
}

/** For rules that ask or deny: also what is below, and however it is spelled. Given folded paths. */
export function pathRestriction(pattern: PathPattern, scope: PathScope): (folded: string) => boolean {
  return matcher(pattern, scope, { below: true, fold: foldPath });
}

/** True when what the pattern names would go with the folder. */
export function holdsRestricted(folder: string, pattern: PathPattern, scope: PathScope): boolean {
  return bases(pattern, scope).some((base) => isWithin(foldPath(base), foldPath(folder)));
}

/** The same, or the folder is one of those in which the pattern looks. */
export function mayHoldRestricted(folder: string, pattern: PathPattern, scope: PathScope): boolean {
  if (holdsRestricted(folder, pattern, scope)) return true;
  const wide = pattern.anywhere === true || pattern.kind === 'wildcard';
  return wide && bases(pattern, scope).some((base) => isWithin(foldPath(folder), foldPath(base)));
}

/** The pattern means this one path and nothing else. */
export function namesOnly(path: string, pattern: PathPattern, scope: PathScope): boolean {
  return pattern.kind === 'exact' && path === absolutePath(pattern.value, scope);
}

interface Way {
  below: boolean;
  fold(path: string): string;
}

function matcher({ kind, value, anywhere }: PathPattern, scope: PathScope, way: Way): (path: string) => boolean {
  const below = way.below || kind === 'prefix';
  const plain = kind === 'wildcard' ? undefined : way.fold(absolutePath(value, scope));
  const name = kind === 'wildcard' ? value : literalGlob(value);
  const globs = anywhere
    ? scope.roots.map((root) => `${literalGlob(root)}/**/${name}`)
    : plain === undefined
      ? [absolutePattern(name, scope)]
      : [];
  const wanted = globs.map((glob) => ({ glob: compileSegments(way.fold(glob), below), sign: signOf(way.fold(glob)) }));
  return (path) => {
    if (plain !== undefined && (path === plain || (below && isWithin(path, plain)))) return true;
    const likely = wanted.filter(({ sign }) => path.includes(sign));
    if (likely.length === 0) return false;
    const segments = segmentsOf(path);
    return likely.some(({ glob }) => segmentsMatch(segments, glob));
  };
}

/** The last name without a wildcard, which is in every path that matches: most paths are told apart by that alone. */
function signOf(pattern: string): string {
  return unescaped(segmentsOf(pattern).findLast((segment) => !hasWildcard(segment)) ?? '');
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** A name, or any number of folders. A name like `[slug]` is also meant as it stands. */
type SegmentGlob = '**' | { text: string; glob?: Glob };

function compileSegments(pattern: string, below: boolean): SegmentGlob[] {
  const segments = segmentsOf(pattern).map((text): SegmentGlob => {
    if (text === '**') return text;
    return hasWildcard(text) ? { text, glob: compileGlob(text) } : { text: unescaped(text) };
  });
  return below ? [...segments, '**'] : segments;
}

/** As with the stars of a name: only the last `**` is ever tried again. */
function segmentsMatch(path: readonly string[], wanted: readonly SegmentGlob[]): boolean {
  let at = 0;
  let step = 0;
  let star = -1;
  let resume = 0;
  while (at < path.length) {
    const segment = wanted[step];
    const name = path[at] ?? '';
    if (segment === '**') {
      star = step++;
      resume = at;
    } else if (segment !== undefined && (segment.text === name || (segment.glob && globMatches(name, segment.glob)))) {
      step++;
      at++;
    } else if (star >= 0) {
      step = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (wanted[step] === '**') step++;
  return step === wanted.length;
}

/** The pattern from the root of the disk. The project's own name is no pattern. */
function absolutePattern(value: string, { roots, home }: PathScope): string {
  const whole = /^~(\/|$)/.test(value)
    ? literalGlob(home) + value.slice(1)
    : isAbsolute(value)
      ? value
      : `${literalGlob(roots[0] ?? '/')}/${value}`;
  return normalize(whole);
}

/** The folders that everything it names is in, or the path that it names. */
function bases({ kind, value, anywhere }: PathPattern, scope: PathScope): string[] {
  if (anywhere) return [...scope.roots];
  if (kind !== 'wildcard') return [absolutePath(value, scope)];
  return [unescaped(splitPattern(absolutePattern(value, scope)).base)];
}

/** The folders before the first wildcard, and the rest. */
export function splitPattern(pattern: string): { base: string; rest: string } {
  const segments = pattern.split('/');
  const first = segments.findIndex(hasWildcard);
  if (first < 0) return { base: pattern, rest: '' };
  return { base: segments.slice(0, first).join('/'), rest: segments.slice(first).join('/') };
}
