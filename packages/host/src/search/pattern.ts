/**
 * A pattern in ripgrep's syntax as JavaScript's regular expressions: other spellings are translated, and what means
 * something else or nothing there is refused rather than searched for wrongly.
 */
import { TauError } from '@tau/core';
import type { TextPattern } from './search.ts';

export interface LinePattern {
  /** For a line that is all ASCII, where words and digits are simple, and for any other. */
  ascii: RegExp;
  unicode: RegExp;
  /** For many lines at once: finds something if one of them matches, and perhaps if none does. */
  asciiLines: RegExp;
  unicodeLines: RegExp;
  /** Bytes that every line with a match has. */
  bytes?: Buffer;
}

const maxPatternLength = 10_000;

/** What no engine can do, said before any of them is asked. */
export function checkPattern({ pattern, literal = false }: TextPattern): void {
  if (pattern === '') throw badPattern('it is empty', literal);
  if (pattern.includes('\0')) throw badPattern('it has a zero byte, which no text has', literal);
  if (pattern.length > maxPatternLength) throw badPattern(`it has more than ${maxPatternLength} characters`, literal);
  if (/[\r\n]/.test(pattern) || (!literal && /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern))) {
    throw new TauError('usage', 'A pattern is tried on one line at a time, so it cannot hold a line break', {
      remedy: 'Search for one of the lines, with context to see those around it.',
    });
  }
}

export function badPattern(why: string, literal: boolean): TauError {
  return new TauError('usage', `The pattern is not a valid regular expression: ${why}`, {
    remedy: literal ? 'Change the pattern.' : 'Correct it, or set literal to true to search for it as plain text.',
  });
}

export function compilePattern(wanted: TextPattern): LinePattern {
  const { pattern, literal = false, ignoreCase = false } = wanted;
  const { flags, body } = literal ? { flags: '', body: pattern } : leadingFlags(pattern);
  const caseless = ignoreCase || flags.includes('i');
  const compile = (words: Words, extra: string) => {
    const source = literal ? escapeLiteral(pattern) : translate(body, words);
    try {
      return new RegExp(source, `v${extra}${caseless ? 'i' : ''}`);
    } catch (cause) {
      throw badPattern(cause instanceof Error ? cause.message.replace(/^.*\/[a-z]*: /s, '') : String(cause), literal);
    }
  };
  return {
    ascii: compile(asciiWords, ''),
    unicode: compile(unicodeWords, ''),
    asciiLines: compile(asciiWords, 'm'),
    unicodeLines: compile(unicodeWords, 'm'),
    ...(literal && !caseless && { bytes: Buffer.from(pattern) }),
  };
}

/** How the classes of words, digits and blanks are written. */
interface Words {
  escapes: Readonly<Record<string, string>>;
}

const asciiWords: Words = {
  escapes: {
    d: '\\d',
    D: '\\D',
    w: '\\w',
    W: '\\W',
    s: '\\s',
    S: '\\S',
    b: '\\b',
    B: '\\B',
    '<': '\\b(?=\\w)',
    '>': '\\b(?<=\\w)',
  },
};

const letters = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
const wordStart = `(?:(?<![${letters}])(?=[${letters}]))`;
const wordEnd = `(?:(?<=[${letters}])(?![${letters}]))`;
const unicodeWords: Words = {
  escapes: {
    d: '\\p{Nd}',
    D: '\\P{Nd}',
    w: `[${letters}]`,
    W: `[^${letters}]`,
    s: '\\p{White_Space}',
    S: '\\P{White_Space}',
    b: `(?:${wordStart}|${wordEnd})`,
    B: `(?!${wordStart}|${wordEnd})`,
    '<': wordStart,
    '>': wordEnd,
  },
};

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** The flags at the very beginning are those of the whole pattern. `m`, `s` and `u` are how lines are searched anyway. */
function leadingFlags(pattern: string): { flags: string; body: string } {
  const [whole = '', flags = ''] = /^(?:\(\?([imsu]+)\))/.exec(pattern) ?? [];
  return { flags, body: pattern.slice(whole.length) };
}

function translate(pattern: string, words: Words): string {
  let source = '';
  let at = 0;
  let quantified = '';
  while (at < pattern.length) {
    const rest = pattern.slice(at);
    const piece = pieceOf(rest, words, quantified);
    quantified = piece.quantifier ?? '';
    source += piece.source;
    at += piece.length;
  }
  return source;
}

interface Piece {
  source: string;
  length: number;
  /** Set when the piece repeats what is before it. */
  quantifier?: string;
}

function pieceOf(rest: string, words: Words, quantified: string): Piece {
  const char = rest.charAt(0);
  switch (char) {
    case '\\':
      return escapeOf(rest, words, false);
    case '[':
      return classOf(rest, words);
    case '(':
      return groupOf(rest);
    case '.':
      return { source: '[^\\r\\n]', length: 1 };
    case '{': {
      const [whole, from, comma = '', to = ''] = /^\{(\d*)(,?)(\d*)\}/.exec(rest) ?? [];
      if (whole === undefined || (from === '' && to === '')) throw badPattern('{ must be written \\{', false);
      return { source: `{${from || '0'}${comma}${to}}`, length: whole.length, quantifier: '{' };
    }
    case '*':
    case '+':
      // Twice the same is that once; to JavaScript it would be a mistake.
      return { source: quantified === char ? '' : char, length: 1, quantifier: char };
    case '?':
      return { source: char, length: 1, quantifier: char };
    case '}':
    case ']':
      return { source: `\\${char}`, length: 1 };
    default: {
      const whole = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      return { source: whole, length: whole.length };
    }
  }
}

function groupOf(rest: string): Piece {
  const named = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest);
  if (named) return { source: `(?<${named[1]}>`, length: named[0].length };
  if (rest.startsWith('(?:')) return { source: '(?:', length: 3 };
  if (/^\(\?<?[=!]/.test(rest)) throw badPattern('there is no look-ahead and no look-behind', false);
  if (rest.startsWith('(?')) throw badPattern('flags like (?i) can only be at its beginning', false);
  return { source: '(', length: 1 };
}

const controls: Readonly<Record<string, string>> = { t: '\\t', r: '\\r', f: '\\f', v: '\\v', a: '\\x07' };

function escapeOf(rest: string, { escapes }: Words, inClass: boolean): Piece {
  const code = /^\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{([0-9A-Fa-f]{1,6})\})/.exec(rest);
  if (code) {
    return { source: `\\u{${code[1] ?? code[2] ?? code[3] ?? code[4]}}`, length: code[0].length };
  }
  const property = /^\\([pP])(?:\{(\^?)([\w=]+)\}|(\w))/.exec(rest);
  if (property) {
    const [whole, kind, caret, long, short] = property;
    const letter = caret === '^' ? (kind === 'p' ? 'P' : 'p') : kind;
    return { source: `\\${letter}{${long ?? short}}`, length: whole.length };
  }
  const char = rest.charAt(1);
  if (char === '') throw badPattern('it ends in a backslash', false);
  if (/[0-9]/.test(char)) throw badPattern('there are no backreferences', false);
  const control = controls[char];
  if (control !== undefined) return { source: control, length: 2 };
  const known = Object.hasOwn(escapes, char) ? escapes[char] : undefined;
  if (known !== undefined && (!inClass || /[dDwWsS]/.test(char))) return { source: known, length: 2 };
  if (!inClass && char === 'A') return { source: '^', length: 2 };
  if (!inClass && char === 'z') return { source: '$', length: 2 };
  if (/[A-Za-z]/.test(char)) throw badPattern(`\\${char} has no meaning here`, false);
  return { source: escapeLiteral(char), length: 2 };
}

/** `[...]`, classes in it, and what is taken from or shared with them. JavaScript wants a class on either side of that. */
function classOf(rest: string, words: Words): Piece {
  const negated = rest.startsWith('[^');
  let at = negated ? 2 : 1;
  let left = '';
  let members = '';
  // A bracket right at the beginning is a member.
  if (rest.charAt(at) === ']') {
    members = '\\]';
    at += 1;
  }
  while (at < rest.length) {
    const ahead = rest.slice(at);
    if (ahead.startsWith(']')) {
      const body = left === '' ? members : `${left}[${members}]`;
      return { source: `[${negated ? '^' : ''}${body}]`, length: at + 1 };
    }
    const [operator] = /^(?:&&|--)/.exec(ahead) ?? [];
    if (operator !== undefined) {
      left = `${left === '' ? `[${members}]` : `[${left}[${members}]]`}${operator}`;
      members = '';
      at += 2;
      continue;
    }
    const piece = memberOf(ahead, words);
    members += piece.source;
    at += piece.length;
  }
  throw badPattern('a [ is not closed', false);
}

function memberOf(rest: string, words: Words): Piece {
  const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
  if (posix) {
    const [whole, caret, name = ''] = posix;
    const members = posixClasses[name];
    if (members === undefined) throw badPattern(`there is no class [:${name}:]`, false);
    return { source: `[${caret}${members}]`, length: whole.length };
  }
  if (rest.startsWith('[')) return classOf(rest, words);
  if (rest.startsWith('\\')) return escapeOf(rest, words, true);
  if (rest.startsWith('~~')) throw badPattern('~~ in a class is not supported', false);
  // Between two members it makes a range; beside a bracket it is itself.
  if (rest.startsWith('-') && !rest.startsWith('-]')) return { source: '-', length: 1 };
  const whole = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return { source: escapeLiteral(whole), length: whole.length };
}

function escapeLiteral(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
