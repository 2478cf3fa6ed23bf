/**
 * What may be a pattern without being written as one: outside quotes a shell follows what a variable or a command brings,
 * and to follow a pattern is to list a folder.
 */
import type { Word as Node, Script, WordPart } from 'unbash';
import { printedWords } from './printing.ts';
import { doubt, limits, type Spot, type Walk } from './state.ts';
import { type Expansion, variableValue } from './values.ts';
import { isHarmlessVariable, isOwnName } from './variables.ts';

export const followsPattern = 'what a word of it becomes may be a pattern, which lists a folder';

interface Holding {
  /** There may be a pattern in it. */
  pattern: boolean;
  /** There is one in it if there is one in any of these variables of the line's own. */
  names: readonly string[];
}

const none: Holding = { pattern: false, names: [] };
const some: Holding = { pattern: true, names: [] };

/** Some shells take a backslash for the beginning of a pattern too. */
export function isPatternLike(text: string): boolean {
  return /[*?[\\]/.test(text);
}

/** The variable gets what the word becomes, as it is. */
export function hold(name: string, word: Node, spot: Spot, walk: Walk): void {
  const { pattern, names } = ofWord(word, spot, walk, 0);
  if (pattern) walk.patterned.add(name);
  for (const source of names) {
    const copies = walk.copies.get(source) ?? new Set();
    walk.copies.set(source, copies.add(name));
  }
}

/** True when a variable that the line has followed, or one that it was made of, may hold a pattern. For its end. */
export function hasFollowed({ patterned, copies, followed }: Walk): boolean {
  const all = new Set(patterned);
  for (const name of all) for (const copy of copies.get(name) ?? []) all.add(copy);
  return [...followed].some((name) => all.has(name));
}

/** The word stands where the shell follows what is outside quotes. What is certain of it is looked at as text. */
export function followParts({ parts = [] }: Node, spot: Spot, walk: Walk): void {
  const waiting: WordPart[] = [...parts];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    switch (part.type) {
      case 'Glob':
      case 'BraceExpansion':
        for (const inner of part.parts ?? []) waiting.push(inner);
        break;
      case 'SimpleExpansion':
      case 'ParameterExpansion':
      case 'CommandExpansion': {
        if (part.type !== 'CommandExpansion' && variableValue(part, spot, walk) !== undefined) break;
        const { pattern, names } = ofPart(part, spot, walk, 0);
        if (pattern) doubt(walk, followsPattern);
        for (const name of names) walk.followed.add(name);
        break;
      }
      default:
    }
  }
}

function all(holdings: readonly Holding[]): Holding {
  return { pattern: holdings.some(({ pattern }) => pattern), names: holdings.flatMap(({ names }) => names) };
}

function ofText(text: string): Holding {
  return isPatternLike(text) ? some : none;
}

/** Outside quotes a backslash goes, and what it stood before stays. */
function ofBare(text: string): Holding {
  return ofText(text.replace(/\\(.)/gsu, '$1'));
}

function ofWord({ text, parts }: Node, spot: Spot, walk: Walk, depth: number): Holding {
  return parts === undefined ? ofBare(text) : all(parts.map((part) => ofPart(part, spot, walk, depth)));
}

function ofPart(part: WordPart, spot: Spot, walk: Walk, depth: number): Holding {
  if (depth > limits.depth) return some;
  switch (part.type) {
    case 'Literal':
      return ofBare(part.text);
    case 'SingleQuoted':
      return ofText(part.value);
    case 'AnsiCQuoted':
      return ofText(part.text);
    case 'DoubleQuoted':
      return all(
        part.parts.map((child) =>
          child.type === 'Literal' ? ofText(child.value) : ofPart(child, spot, walk, depth + 1),
        ),
      );
    case 'BraceExpansion':
      return part.parts === undefined
        ? ofBare(part.text)
        : all(part.parts.map((inner) => ofPart(inner, spot, walk, depth + 1)));
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return ofVariable(part, spot, walk, depth);
    case 'CommandExpansion':
      return part.script === undefined ? some : ofScript(part.script, spot, walk, depth);
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return none;
    case 'Glob':
    case 'ExtendedGlob':
    case 'LocaleString':
      return some;
  }
}

function ofVariable(part: Expansion, spot: Spot, walk: Walk, depth: number): Holding {
  // How something ended, how many there are, how long it is.
  if (/^\$(?:[?#$!-]|\{[?#$!-]\}|\{#\w+(?:\[[@*\d]+\])?\})$/.test(part.text)) return none;
  const value = variableValue(part, spot, walk);
  if (value !== undefined) return ofText(value);
  if (part.type === 'SimpleExpansion') return ofName(part.text.slice(1), spot, walk);
  if (part.prefix !== undefined) return some;
  const own = ofName(part.parameter, spot, walk);
  switch (part.operation?.type) {
    case undefined:
    case 'Remove':
    case 'Slice':
    case 'CaseModification':
      return own;
    case 'Default':
      return all([own, ofWord(part.operation.operand, spot, walk, depth + 1)]);
    case 'Replace':
      return all([own, ofWord(part.operation.replacement, spot, walk, depth + 1)]);
    case 'Transform':
    case 'Names':
    case 'Unknown':
      return some;
  }
}

/** Filled by the shell itself, with words that the line has. */
const filled = /^(\d+|[@*_]|REPLY|DIRSTACK|FUNCNAME|OPTARG|MAPFILE|COPROC|BASH_(?!VERSION$|VERSINFO$)\w+)$/;

/** The environment is the user's. To set a variable that is not the line's own is a doubt by itself. */
function ofName(name: string, spot: Spot, walk: Walk): Holding {
  if (filled.test(name)) return some;
  if (name === 'PWD') return isClear(spot) ? none : some;
  if (name === 'OLDPWD') return walk.mentions('cd') + walk.mentions('pushd') + walk.mentions('popd') > 0 ? some : none;
  if (isHarmlessVariable(name)) return walk.mentions(name) > 0 ? some : none;
  return isOwnName(name) ? { pattern: false, names: [name] } : none;
}

/** Wherever it is, the path has nothing in it that could be a pattern. */
function isClear({ folders }: Spot): boolean {
  return folders?.every((folder) => !isPatternLike(folder) && (folder === '/' || !folder.endsWith('/'))) ?? false;
}

/** What a script prints. */
function ofScript(script: Script, spot: Spot, walk: Walk, depth: number): Holding {
  const { words, place } = printedWords(script) ?? {};
  if (words === undefined || (place && !isClear(spot))) return some;
  return all(words.map((word) => ofWord(word, spot, walk, depth + 1)));
}
