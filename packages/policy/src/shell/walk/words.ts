/** What the words of a command become: quotes and backslashes gone, what is certain put in, the rest left open. */
import { isAbsolute } from 'node:path/posix';
import type { DoubleQuotedChild, Word as Node, WordPart } from 'unbash';
import type { Word } from '../invocation.ts';
import { expandBraces, mostWords } from './braces.ts';
import { pathsAt } from './folders.ts';
import { doubt, emitRedirect, limits, type Spot, type Walk } from './state.ts';
import { isNoSecret, isOwnName } from './variables.ts';

/** A word of a command, and where it comes from. */
export interface Arg {
  value: Word;
  /** Written as it is, without quotes, backslashes or anything the shell replaces. */
  plain: boolean;
  /** Something in it comes from the network. */
  network: boolean;
  /** One of the files that a pattern stands for. */
  globbed: boolean;
  /** Not known, but made by the line itself: what its commands print, what its variables hold. */
  derived: boolean;
}

interface Expanded {
  args: readonly Arg[];
  /** It may become any number of words. */
  open: boolean;
}

type Piece =
  | { kind: 'text'; value: string; quoted: boolean }
  | { kind: 'glob'; value: string }
  | { kind: 'list'; values: readonly string[] }
  /** `many`: it may become more or fewer than one word. */
  | { kind: 'unknown'; many: boolean; derived: boolean };

const longestPattern = 1000;
const anything: Piece = { kind: 'unknown', many: true, derived: false };
const oneThing: Piece = { kind: 'unknown', many: false, derived: true };
const manyThings: Piece = { kind: 'unknown', many: true, derived: true };

/** Nobody knows it, and it may be something of the environment. */
export function isHidden({ value, derived }: Arg): boolean {
  return value === undefined && !derived;
}

export function literal(value: Word): Arg {
  return { value, plain: false, network: false, globbed: false, derived: false };
}

export function expand(word: Node, spot: Spot, walk: Walk, network: boolean): Expanded {
  const arg = (value: Word, plain = false): Arg => ({ ...literal(value), plain, network });
  const { parts } = word;
  if (parts === undefined && isPlain(word.text)) return { args: [arg(word.text, true)], open: false };
  const pieces = withHome(piecesOf(word, spot, walk), walk);
  const unknown = pieces.filter((piece) => piece.kind === 'unknown');
  if (unknown.length > 0) {
    const open = unknown.some(({ many }) => many);
    const [only] = parts ?? [];
    // What a process substitution is given as is a name of the shell's own, of something to be read once.
    if (!open && parts?.length === 1 && only?.type === 'ProcessSubstitution') {
      return { args: [arg('/dev/stdin')], open: false };
    }
    return { args: [{ ...arg(undefined), derived: unknown.every(({ derived }) => derived) }], open };
  }
  const texts = combine(pieces);
  if (texts === undefined) return { args: [arg(undefined)], open: true };
  if (!pieces.some(({ kind }) => kind === 'glob')) {
    const isQuoted = pieces.some((piece) => piece.kind === 'text' && piece.quoted);
    // Nothing is left of an empty word, unless somebody quoted it.
    return { args: texts.filter((text) => isQuoted || text !== '').map((text) => arg(text)), open: false };
  }
  const found = texts.map((text) => matches(text, pieces, spot, walk));
  if (found.includes(undefined)) return { args: [arg(undefined)], open: true };
  const args = found.flatMap((names) => names ?? []).map((name) => ({ ...arg(name), globbed: true }));
  return { args, open: false };
}

/** The word as one string, where nothing is split and no pattern is followed: a value, the target of a redirection. */
export function single(word: Node, spot: Spot, walk: Walk): Word {
  const { args, open } = expand(word, spot, walk, false);
  const [only] = args;
  return open || args.length !== 1 || only?.globbed ? undefined : only?.value;
}

/** True when the word may hold something of the environment: what the line has not made itself. */
export function isForeign(word: Node, spot: Spot, walk: Walk): boolean {
  return expand(word, spot, walk, false).args.some(isHidden);
}

/** The same for the text of a here-document. */
export function holdsForeign(parts: readonly WordPart[], spot: Spot, walk: Walk): boolean {
  return parts.some((part) => {
    const piece = isQuotable(part) ? quotedPiece(part, spot, walk) : anything;
    return piece.kind === 'unknown' && !piece.derived;
  });
}

/** The text of a here-document or of any list of pieces, if it is certain. */
export function textOf(parts: readonly WordPart[], spot: Spot, walk: Walk): Word {
  let text = '';
  for (const part of parts) {
    const piece = isQuotable(part) ? quotedPiece(part, spot, walk) : oneThing;
    if (piece.kind !== 'text') return undefined;
    text += piece.value;
  }
  return text;
}

/** Nothing in it that a shell acts on. A lone bracket is the name of a program. */
function isPlain(text: string): boolean {
  return text === '[' || text === ']' || text === '{}' || /^[\w./=:,@%+^!#-]+$/.test(text);
}

function piecesOf(word: Node, spot: Spot, walk: Walk): Piece[] {
  if (mayBeBraces(word) || isMixed(word)) return [anything];
  if (word.parts === undefined) return [bare(word.text)];
  const pieces: Piece[] = [];
  for (const part of word.parts) {
    switch (part.type) {
      case 'Literal':
        pieces.push(bare(part.text));
        break;
      case 'SingleQuoted':
        pieces.push(part.text === `'${part.value}'` ? text(part.value) : anything);
        break;
      case 'AnsiCQuoted':
        pieces.push(isCertain(part.text) ? text(part.value) : anything);
        break;
      case 'DoubleQuoted':
        for (const child of part.parts) pieces.push(quotedPiece(child, spot, walk));
        if (part.parts.length === 0) pieces.push(text(''));
        break;
      case 'Glob':
        pieces.push(part.kind === 'bracket' ? anything : { kind: 'glob', value: part.text });
        break;
      case 'BraceExpansion': {
        const values = part.parts === undefined ? expandBraces(part.text) : undefined;
        pieces.push(values ? { kind: 'list', values } : anything);
        break;
      }
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        pieces.push(isNumber(part) ? oneThing : splitValue(variableValue(part, spot, walk), isMade(part, walk)));
        break;
      case 'ProcessSubstitution':
        pieces.push(oneThing);
        break;
      case 'ExtendedGlob':
        doubt(walk, 'a pattern in it means something only to some shells');
        pieces.push(anything);
        break;
      case 'LocaleString':
        pieces.push(anything);
        break;
      case 'CommandExpansion':
      case 'ArithmeticExpansion':
        pieces.push(manyThings);
        break;
    }
  }
  return pieces;
}

/** Braces around a comma or two dots that the parser took for text: nothing is made of them. */
function mayBeBraces({ text, parts }: Node): boolean {
  const texts = parts === undefined ? [text] : parts.map((part) => (part.type === 'Literal' ? part.text : ''));
  return /\{.*(,|\.\.).*\}/s.test(texts.join('').replace(/\\./gs, ''));
}

/** Braces come first: what stands beside them may then be another variable, or home. */
function isMixed({ parts = [] }: Node): boolean {
  if (!parts.some(({ type }) => type === 'BraceExpansion')) return false;
  return parts.some(
    ({ type, text }, at) => type === 'SimpleExpansion' || (at > 0 && type === 'Literal' && text.includes('~')),
  );
}

function text(value: string): Piece {
  return { kind: 'text', value, quoted: true };
}

/** Text outside quotes, its backslashes taken away by ourselves. */
function bare(written: string): Piece {
  const joined = written.replaceAll('\\\n', '');
  const unescaped = joined.replace(/\\(?:.|$)/gsu, '');
  // A lone dollar, brace or tilde inside a word means itself; whatever else is special should not be here.
  if (/[`"'*?[\]|&;<>()\s\\]/.test(unescaped) && !/^[[\]]$/.test(joined)) return anything;
  // After `=` and `:` a tilde may be home, or not.
  if (/[=:]~/.test(joined) || /\$[^\s/.,:%+=-]/.test(unescaped)) return anything;
  if (joined.startsWith('~') && joined.includes('\\')) return anything;
  const value = joined.replace(/\\(.)/gsu, '$1');
  return { kind: 'text', value, quoted: joined.startsWith('\\') };
}

type Quotable = DoubleQuotedChild;

function isQuotable(part: WordPart): part is Quotable {
  return ['Literal', 'SimpleExpansion', 'ParameterExpansion', 'CommandExpansion', 'ArithmeticExpansion'].includes(
    part.type,
  );
}

function quotedPiece(part: Quotable, spot: Spot, walk: Walk): Piece {
  switch (part.type) {
    case 'Literal': {
      // Inside double quotes a backslash only takes the meaning of these.
      const unescaped = part.text.replace(/\\[$`"\\\n]/g, '');
      return /`|\$[\w({[@*#?$!'"-]/.test(unescaped) ? anything : text(part.value);
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const value = variableValue(part, spot, walk);
      if (value !== undefined) return text(value);
      return { kind: 'unknown', many: part.text.includes('@'), derived: isMade(part, walk) };
    }
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
      return oneThing;
  }
}

/** What a variable holds, where that is certain. */
function variableValue(
  part: Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>,
  { values, folders }: Spot,
  walk: Walk,
): Word {
  const name = /^\$(?:(\w+)|\{(\w+)\})$/.exec(part.text)?.slice(1).join('') ?? '';
  const value = values.get(name);
  if (value !== undefined) return value;
  if (name !== 'HOME' && name !== 'PWD') return undefined;
  if (walk.mentions(name) > 0) return undefined;
  if (name === 'HOME') return walk.facts.home;
  return folders?.length === 1 && !/\/\.\.|.\/$/.test(folders[0] ?? '') ? folders[0] : undefined;
}

/** Outside quotes a value is split at blanks, its patterns are followed, and nothing is left of an empty one. */
function splitValue(value: Word, made: boolean): Piece {
  if (value === undefined && made) return manyThings;
  return value !== undefined && /^[^\s*?[\]\\]+$/.test(value) ? text(value) : anything;
}

/** Never empty and never split: how something ended, how many words there are, the shell's own number. */
function isNumber({ text }: { text: string }): boolean {
  return /^\$(?:[?#$]|\{[?#$]\})$/.test(text);
}

/** The line has set it before, or it is no secret. A part of such a value is none either. */
function isMade({ text }: { text: string }, { assigned, certain, foreign, trusted }: Walk): boolean {
  if (/^\$\{?[?#$!-]\}?$|^\$\{PIPESTATUS\[[\d@*]+\]\}$/.test(text)) return true;
  const name = /^\$\{?#?(\w+)(?:(?:[%#,^:]|\/)[^$`]*)?\}?$/.exec(text)?.[1] ?? '';
  if (isNoSecret(name)) return true;
  const made = isOwnName(name) && (assigned.has(name) || certain.has(name)) && !foreign.has(name);
  if (made) trusted.add(name);
  return made;
}

/** Escapes that mean the same to every bash in every language. */
function isCertain(text: string): boolean {
  return /^\$'(?:[^\\'\0]|\\[nt\\'"]|\\x[2-7][0-9a-fA-F](?![0-9a-fA-F]))*'$/.test(text);
}

/** A tilde at the beginning is home; followed by a name it is somebody else's. */
function withHome(pieces: readonly Piece[], { facts, mentions }: Walk): readonly Piece[] {
  const [first, ...rest] = pieces;
  if (first?.kind !== 'text' || first.quoted || !first.value.startsWith('~')) return pieces;
  const isHome = first.value.startsWith('~/') || (first.value === '~' && rest.length === 0);
  if (!isHome || mentions('HOME') > 0) return [anything];
  return [text(facts.home + first.value.slice(1)), ...rest];
}

/** All texts that the pieces make; undefined when they are too many. */
function combine(pieces: readonly Piece[]): string[] | undefined {
  let texts = [''];
  for (const piece of pieces) {
    if (piece.kind === 'unknown') return undefined;
    if (piece.kind !== 'list') texts = texts.map((text) => text + piece.value);
    else texts = texts.flatMap((text) => piece.values.map((value) => text + value));
    if (texts.length > mostWords) return undefined;
  }
  return texts;
}

/** The files a pattern stands for, in every folder it may be looked up in. */
function matches(pattern: string, pieces: readonly Piece[], spot: Spot, walk: Walk): string[] | undefined {
  const { facts, dirty } = walk;
  const special = pieces.some((piece) => piece.kind === 'text' && /[*?[\]\\]/.test(piece.value));
  if (special || pattern.length > longestPattern || pattern.includes('**')) return undefined;
  if (dirty || spot.again || facts.glob === undefined) return undefined;
  walk.patterns += 1;
  if (walk.patterns > limits.patterns) return undefined;
  const folders = isAbsolute(pattern) ? ['/'] : spot.folders;
  if (!looksInto(pattern, spot, walk)) return undefined;
  const names = new Set<string>();
  for (const folder of folders ?? []) {
    const found = facts.glob(pattern, folder);
    if (found === undefined) return undefined;
    for (const name of found.length === 0 ? [pattern] : found) names.add(name);
  }
  return folders === undefined ? undefined : [...names];
}

/** To follow a pattern is to read folders, which tells the names in them; those in the project's own are no secret. */
function looksInto(pattern: string, { folders }: Spot, walk: Walk): boolean {
  const { glob, cwd } = walk.facts;
  const segments = pattern.split('/');
  for (const [index, segment] of segments.entries()) {
    if (!/[*?]/.test(segment)) continue;
    const before = segments.slice(0, index).join('/') || (index > 0 ? '/' : '.');
    if (!/[*?]/.test(before)) {
      readsFolders(pathsAt(before, folders, cwd) ?? [], walk);
      continue;
    }
    for (const folder of isAbsolute(pattern) ? ['/'] : (folders ?? [])) {
      const found = glob?.(`${before}/.`, folder);
      if (found === undefined) return false;
      for (const name of found) readsFolders(pathsAt(name.slice(0, -2), [folder], cwd) ?? [], walk);
    }
  }
  return true;
}

function readsFolders(paths: readonly string[], walk: Walk): void {
  for (const path of paths) if (path !== '.') emitRedirect(walk, { kind: 'read', path });
}
