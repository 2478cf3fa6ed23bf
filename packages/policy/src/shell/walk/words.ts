/** What the words of a command become: quotes and backslashes gone, what is certain put in, the rest left open. */
import type { DoubleQuotedChild, Word as Node, WordPart } from 'unbash';
import type { Word } from '../invocation.ts';
import { expandBraces, mostWords } from './braces.ts';
import { listFolders, marked, matches } from './globs.ts';
import { followParts, followsPattern, hold, isPatternLike } from './holding.ts';
import { doubt, type Spot, type Walk } from './state.ts';
import { variableValue } from './values.ts';
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
  /** `many`: it may become more or fewer than one word. `strange`: it may be a pattern as it is written. */
  | { kind: 'unknown'; many: boolean; derived: boolean; strange?: boolean };

const anything: Piece = { kind: 'unknown', many: true, derived: false };
const strangeThing: Piece = { kind: 'unknown', many: true, derived: false, strange: true };
const oneThing: Piece = { kind: 'unknown', many: false, derived: true };
const manyThings: Piece = { kind: 'unknown', many: true, derived: true };

/** Nobody knows it, and it may be something of the environment. */
export function isHidden({ value, derived }: Arg): boolean {
  return value === undefined && !derived;
}

export function literal(value: Word): Arg {
  return { value, plain: false, network: false, globbed: false, derived: false };
}

/** What a word becomes where the shell splits what is outside quotes and follows its patterns. */
export function follow(word: Node, spot: Spot, walk: Walk, network: boolean): Expanded {
  if (word.parts !== undefined) followParts(word, spot, walk);
  return expand(word, spot, walk, { network, followed: true });
}

/** The same for words that a variable gets, one after the other. */
export function followInto(name: string, words: readonly Node[], spot: Spot, walk: Walk): Expanded[] {
  return words.map((word) => {
    const expanded = follow(word, spot, walk, false);
    if (expanded.open || expanded.args.some(({ value }) => value === undefined)) hold(name, word, spot, walk);
    if (expanded.args.some(({ value }) => value !== undefined && isPatternLike(value))) walk.patterned.add(name);
    return expanded;
  });
}

function expand(
  word: Node,
  spot: Spot,
  walk: Walk,
  { network = false, followed = false }: { network?: boolean; followed?: boolean } = {},
): Expanded {
  const arg = (value: Word, plain = false): Arg => ({ ...literal(value), plain, network });
  const { parts } = word;
  if (parts === undefined && isPlain(word.text)) return { args: [arg(word.text, true)], open: false };
  const pieces = withHome(piecesOf(word, spot, walk), walk);
  const unknown = pieces.filter((piece) => piece.kind === 'unknown');
  const globbed = pieces.some(({ kind }) => kind === 'glob');
  if (followed && unknown.some(({ strange }) => strange)) doubt(walk, followsPattern);
  if (followed && globbed) listFolders(patternsOf(pieces), spot, walk);
  if (unknown.length > 0) {
    const open = globbed || unknown.some(({ many }) => many);
    const [only] = parts ?? [];
    // What a process substitution is given as is a name of the shell's own, of something to be read once.
    if (!open && parts?.length === 1 && only?.type === 'ProcessSubstitution') {
      return { args: [arg('/dev/stdin')], open: false };
    }
    return { args: [{ ...arg(undefined), derived: unknown.every(({ derived }) => derived) }], open };
  }
  const texts = combine(pieces);
  if (texts === undefined) return { args: [arg(undefined)], open: true };
  if (!globbed) {
    const isQuoted = pieces.some((piece) => piece.kind === 'text' && piece.quoted);
    // Nothing is left of an empty word, unless somebody quoted it.
    return { args: texts.filter((text) => isQuoted || text !== '').map((text) => arg(text)), open: false };
  }
  const found = followed ? texts.map((text) => matches(text, spot, walk)) : [undefined];
  // Which folders the names are in is told, so they are no secret of the environment.
  if (found.includes(undefined)) return { args: [{ ...arg(undefined), derived: true }], open: true };
  const args = found.flatMap((names) => names ?? []).map((name) => ({ ...arg(name), globbed: true }));
  return { args, open: false };
}

/** All that the last pattern in it and what stands before that may be; undefined when nobody knows. */
function patternsOf(pieces: readonly Piece[]): string[] | undefined {
  return combine(pieces.slice(0, pieces.findLastIndex(({ kind }) => kind === 'glob') + 1));
}

/** The word as one string, where nothing is split and no pattern is followed: a value, the target of a redirection. */
export function single(word: Node, spot: Spot, walk: Walk): Word {
  const { args, open } = expand(word, spot, walk);
  const [only] = args;
  return open || args.length !== 1 || only?.globbed ? undefined : only?.value;
}

/** True when the word may hold something of the environment: what the line has not made itself. */
export function isForeign(word: Node, spot: Spot, walk: Walk): boolean {
  return expand(word, spot, walk).args.some(isHidden);
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
  if (mayBeBraces(word) || isMixed(word)) return [mayBePattern(word) ? strangeThing : anything];
  if (word.parts === undefined) return bare(word.text);
  const pieces: Piece[] = [];
  for (const part of word.parts) {
    switch (part.type) {
      case 'Literal':
        pieces.push(...bare(part.text));
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
        // What is put in between the brackets may have a slash in it.
        if (part.parts?.some(({ type }) => type !== 'Literal' && type !== 'SingleQuoted')) pieces.push(anything);
        pieces.push({ kind: 'glob', value: marked(part.text) });
        break;
      case 'BraceExpansion': {
        const values = part.parts === undefined ? expandBraces(part.text) : undefined;
        pieces.push(values ? { kind: 'list', values } : mayBePattern(part) ? strangeThing : anything);
        break;
      }
      case 'SimpleExpansion':
      case 'ParameterExpansion':
        if (isNumber(part)) pieces.push(oneThing);
        else pieces.push(...splitValue(variableValue(part, spot, walk), isMade(part, walk)));
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

/** Where braces are: `$v{1,2}` is `$v1 $v2`, and nobody knows what those hold. */
function mayBePattern({ text }: Pick<Node, 'text'>): boolean {
  return isPatternLike(text) || /[$`]/.test(text);
}

/** Text outside quotes. The parser leaves a bracket in it that nothing closes. */
function bare(written: string): Piece[] {
  const joined = written.replaceAll('\\\n', '');
  const at = /^(?:[^\\*?[]|\\.)*(?=[*?[])/su.exec(joined)?.[0].length;
  if (at === undefined) return [unescaped(joined)];
  const before = at === 0 ? [] : [unescaped(joined.slice(0, at))];
  return [...before, { kind: 'glob', value: marked(joined.slice(at)) }];
}

/** Its backslashes are taken away by ourselves. */
function unescaped(joined: string): Piece {
  const plain = joined.replace(/\\(?:.|$)/gsu, '');
  // A lone dollar, brace or tilde inside a word means itself; whatever else is special should not be here.
  if (/[`"'|&;<>()\s\\]/.test(plain) || /\$[^\s/.,:%+=-]/.test(plain)) return strangeThing;
  if (/[*?[\]]/.test(plain) && !/^[[\]]$/.test(joined)) return anything;
  // After `=` and `:` a tilde may be home, or not.
  if (/[=:]~/.test(joined)) return anything;
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

/** Outside quotes a value is split at blanks, its patterns are followed, and nothing is left of an empty one. */
function splitValue(value: Word, made: boolean): Piece[] {
  if (value === undefined) return [made ? manyThings : anything];
  if (/^[^\s*?[\]\\]+$/.test(value)) return [text(value)];
  if (!isPatternLike(value)) return [anything];
  const [, before = '', pattern] = /^([^\s*?[\]\\]*)([*?[][^\s\\]*)$/.exec(value) ?? [];
  return pattern === undefined ? [strangeThing] : [text(before), { kind: 'glob', value: marked(pattern) }];
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
  if (!isHome || mentions('HOME') > 0) return [anything, ...rest];
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
