/**
 * Patterns with `*` (any run), `?` (one character), `[a-z]` and `[!a-z]` (one of them, or none of them) and `\` before
 * what is meant as it stands. The work is bounded by the text times the pattern: only the last star is ever tried again.
 */

type Token = { kind: 'star' } | { kind: 'any' } | { kind: 'char'; char: string } | Class;

interface Class {
  kind: 'class';
  negated: boolean;
  ranges: readonly (readonly [string, string])[];
}

export type Glob = readonly Token[];

/** A `[` that nothing closes is a plain character here; who reads rules reports it. */
export function compileGlob(source: string): Glob {
  const chars = [...source];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const found = char === '[' ? classAt(chars, at) : undefined;
    if (found !== undefined) {
      tokens.push(found.token);
      at = found.end;
    } else if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (char === '?') {
      tokens.push({ kind: 'any' });
    } else {
      if (char === '\\' && at + 1 < chars.length) at++;
      tokens.push({ kind: 'char', char: chars[at] ?? '' });
    }
  }
  return tokens;
}

export function globMatches(text: string, glob: Glob): boolean {
  const chars = [...text];
  let at = 0;
  let token = 0;
  let star = -1;
  let resume = 0;
  while (at < chars.length) {
    const wanted = glob[token];
    if (wanted?.kind === 'star') {
      star = token++;
      resume = at;
    } else if (wanted !== undefined && accepts(wanted, chars[at] ?? '')) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (glob[token]?.kind === 'star') token++;
  return token === glob.length;
}

function accepts(token: Token, char: string): boolean {
  switch (token.kind) {
    case 'star':
    case 'any':
      return true;
    case 'char':
      return token.char === char;
    case 'class':
      return token.negated !== token.ranges.some(([first, last]) => first <= char && char <= last);
  }
}

/** The class that begins at a `[`, and where its `]` is. A `]` that comes first is one of its characters. */
function classAt(chars: readonly string[], start: number): { token: Class; end: number } | undefined {
  let at = start + 1;
  const negated = chars[at] === '!' || chars[at] === '^';
  if (negated) at++;
  const members: string[] = [];
  const ranges: [string, string][] = [];
  for (; at < chars.length; at++) {
    const char = chars[at] ?? '';
    if (char === ']' && members.length + ranges.length > 0) {
      ranges.push(...members.map((member): [string, string] => [member, member]));
      return { token: { kind: 'class', negated, ranges }, end: at };
    }
    if (char === '\\' && at + 1 < chars.length) {
      members.push(chars[++at] ?? '');
      continue;
    }
    const last = chars[at + 2];
    if (chars[at + 1] === '-' && last !== undefined && last !== ']') {
      ranges.push([char, last]);
      at += 2;
    } else {
      members.push(char);
    }
  }
  return undefined;
}

/** True when something in it is more than itself. */
export function hasWildcard(source: string): boolean {
  return /[*?[]/.test(source.replace(/\\./gs, ''));
}

/** True for a `[` that no `]` closes. */
export function hasOpenClass(source: string): boolean {
  const chars = [...source];
  for (let at = 0; at < chars.length; at++) {
    if (chars[at] === '\\') at++;
    else if (chars[at] === '[') {
      const found = classAt(chars, at);
      if (found === undefined) return true;
      at = found.end;
    }
  }
  return false;
}

/** The text as a pattern that means nothing but itself. */
export function literalGlob(text: string): string {
  return text.replace(/[*?[\]{}!\\]/g, '\\$&');
}

/** What a pattern without wildcards says. */
export function unescaped(source: string): string {
  return source.replace(/\\([*?[\]{}!\\])/g, '$1');
}
