/**
 * The lines of an ignore file, read as ripgrep reads them: git's rules, and `{a,b}`. Matching is by bytes (`RawPath`),
 * and of a path itself only: whoever walks has not entered what is ignored.
 */
import type { RawPath } from './paths.ts';

export interface IgnoreRules {
  /** True: leave it out. False: keep it, whatever other files say. Undefined: nothing is said. */
  ignores(path: RawPath, isFolder: boolean): boolean | undefined;
  /** A line has so many stars that a path could be made to match for ever. */
  mayBeSlow: boolean;
}

/** Each star more can multiply the time by the length of the path. */
const safeStars = 2;

interface Line {
  regex: RegExp;
  keeps: boolean;
  foldersOnly: boolean;
  stars: number;
}

export function parseIgnoreRules(content: string): IgnoreRules | undefined {
  const lines = content
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split('\n')
    .map(parseLine)
    .filter((line) => line !== undefined)
    .reverse();
  if (lines.length === 0) return undefined;
  return {
    ignores(path, isFolder) {
      // The last line that speaks about a path decides.
      const last = lines.find(({ regex, foldersOnly }) => (isFolder || !foldersOnly) && regex.test(path));
      return last && !last.keeps;
    },
    mayBeSlow: lines.some(({ stars }) => stars > safeStars),
  };
}

function parseLine(written: string): Line | undefined {
  if (written.startsWith('#')) return undefined;
  let glob = written.endsWith('\\ ') ? written : written.replace(/[ \t\r\f\v]+$/, '');
  let keeps = false;
  let anchored = false;
  if (/^\\[!#]/.test(glob)) {
    glob = glob.slice(1);
  } else {
    keeps = glob.startsWith('!');
    if (keeps) glob = glob.slice(1);
    anchored = glob.startsWith('/');
    if (anchored) glob = glob.slice(1);
  }
  const foldersOnly = glob.endsWith('/');
  if (foldersOnly) glob = glob.slice(0, -1);
  if (glob === '' || (foldersOnly && glob.endsWith('\\'))) return undefined;
  if (!anchored && !glob.includes('/') && !glob.startsWith('**/')) glob = `**/${glob}`;
  if (glob.endsWith('/**')) glob += '/*';
  const source = globSource(glob.replaceAll(/(^|\/)(?:\*\*\/)+/g, '$1**/'));
  if (source === undefined) return undefined;
  return { regex: new RegExp(`^${source}$`, 's'), keeps, foldersOnly, stars: glob.match(/\*+/g)?.length ?? 0 };
}

/** Undefined for a glob that is not well formed; such a line says nothing. */
function globSource(glob: string): string | undefined {
  let source = '';
  let open = 0;
  for (let at = 0; at < glob.length; ) {
    const char = glob.charAt(at);
    const stars = char === '*' ? starsAt(glob, at, open > 0) : undefined;
    if (stars) {
      // A separator before the stars is a part of what they stand for.
      source = (stars.takesSlash ? source.slice(0, -1) : source) + stars.source;
      at += stars.length;
    } else if (char === '[') {
      const group = classAt(glob, at);
      if (!group) return undefined;
      source += group.source;
      at += group.length;
    } else if (char === '\\') {
      if (at + 1 >= glob.length) return undefined;
      source += escapeChar(glob.charAt(at + 1));
      at += 2;
    } else {
      if (char === '{') open += 1;
      if (char === '}') open -= 1;
      if (open < 0) return undefined;
      source += char === '{' ? '(?:' : char === '}' ? ')' : char === ',' && open > 0 ? '|' : plain(char);
      at += 1;
    }
  }
  return open === 0 ? source : undefined;
}

interface Stars {
  source: string;
  length: number;
  takesSlash: boolean;
}

/** One star stays within a name; two that fill a part of the path stand for any number of folders. */
function starsAt(glob: string, at: number, inBraces: boolean): Stars {
  const one = { source: '[^/]*', length: 1, takesSlash: false };
  if (glob.charAt(at + 1) !== '*') return one;
  const before = glob.charAt(at - 1);
  const after = glob.charAt(at + 2);
  const atStart = at === 0 || (inBraces && (before === '{' || before === ','));
  const atEnd = after === '' || (inBraces && (after === ',' || after === '}'));
  if ((!atStart && before !== '/') || (!atEnd && after !== '/')) return { ...one, length: 2 };
  if (atStart) return { source: '(?:/?|.*/)', length: after === '/' ? 3 : 2, takesSlash: false };
  if (atEnd) return { source: '/.*', length: 2, takesSlash: true };
  return { source: '(?:/|/.*/)', length: 3, takesSlash: true };
}

function classAt(glob: string, at: number): { source: string; length: number } | undefined {
  const negated = /[!^]/.test(glob.charAt(at + 1));
  const first = at + (negated ? 2 : 1);
  // A bracket right at the beginning is a member.
  const end = glob.indexOf(']', first + 1);
  if (end < 0) return undefined;
  const members = glob.slice(first, end).replace(/[\\\]^[]/g, '\\$&');
  const source = `[${negated ? '^' : ''}${members}]`;
  try {
    new RegExp(source);
  } catch {
    return undefined;
  }
  return { source, length: end + 1 - at };
}

function plain(char: string): string {
  return char === '?' ? '[^/]' : escapeChar(char);
}

function escapeChar(char: string): string {
  return /[$()*+.?[\\\]^{|}]/.test(char) ? `\\${char}` : char;
}
