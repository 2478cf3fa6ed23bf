/**
 * Reads the words of a program by a table of the options that we have looked at. Whatever is not in the table, and
 * whatever may turn out to be an option, is not understood: hidden powers hide in abbreviations and rare letters.
 */
import type { Invocation, Word } from '../invocation.ts';

/** Letters stand in one string, long names in one string with blanks between them. */
export interface OptionTable {
  /** Stand alone and may be joined: `-l`, `-la`. */
  flags?: string;
  /** Take a number: `-n 5`, `-n5`, `-c 10K`. */
  numbers?: string;
  /** Take any value: `-e x`, `-ex`. */
  values?: string;
  /** May take what is written onto them, and nothing else: `-i`, `-i.bak`. */
  attached?: string;
  long?: string;
  /** `--lines=5`, `--lines 5`. */
  longNumbers?: string;
  longValues?: string;
  /** `--color`, `--color=always`. */
  longAttached?: string;
  /** Whole words that are an option by themselves: `-5`. */
  old?: RegExp;
  /** Options end with the first operand, everywhere: what follows belongs to something else. */
  ordered?: boolean;
}

interface Option {
  /** Without its dashes: `n`, `lines`. A whole word of the old kind is its own name. */
  name: string;
  /** Undefined when it has none, or when only the shell will know it. */
  value?: Word;
}

export interface Reading {
  options: readonly Option[];
  /** What is no option, as GNU programs see it. Undefined words are in it only after `--`. */
  operands: readonly Word[];
  /**
   * Everything from the first operand on. Where options end with the first operand (macOS, BSD), these are the operands:
   * a file named `-n` must not be opened unseen.
   */
  rest: readonly Word[];
}

export interface Misread {
  /** As the end of "because …". */
  why: string;
}

type Kind = 'flag' | 'number' | 'value' | 'attached';

/** Reads all but the name of the program. */
export function readInvocation({ words, open }: Invocation, table: OptionTable): Reading | Misread {
  if (open) return { why: 'it gets more words when it runs' };
  return readOptions(words.slice(1), table);
}

/** `words` without the name of the program. */
export function readOptions(words: readonly Word[], table: OptionTable): Reading | Misread {
  const options: Option[] = [];
  const operands: Word[] = [];
  let first: number | undefined;
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) return { why: 'one of its words is known only when it runs' };
    if (word === '--') {
      operands.push(...words.slice(at + 1));
      first ??= at + 1;
      break;
    }
    if (isOption(word)) {
      const read = readOption(word, words.slice(at + 1, at + 2), table);
      if (read === undefined) return { why: `its option ${shortened(word)} is not understood` };
      options.push(...read.options);
      at += read.taken;
      continue;
    }
    if (table.ordered) {
      operands.push(...words.slice(at));
      first ??= at;
      break;
    }
    operands.push(word);
    first ??= at;
    at++;
  }
  return { options, operands, rest: first === undefined ? [] : words.slice(first) };
}

export function isMisread(reading: Reading | Misread): reading is Misread {
  return 'why' in reading;
}

/** True when any of these options is given. */
export function has({ options }: Pick<Reading, 'options'>, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

/** The values of these options, in order. */
export function valuesOf({ options }: Pick<Reading, 'options'>, ...names: readonly string[]): Word[] {
  return options.flatMap((option) => (names.includes(option.name) ? [option.value] : []));
}

/** A lone dash is an operand: it means what comes in. */
function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

interface Taken {
  options: Option[];
  /** How many words it took. */
  taken: number;
}

/** `next`: the word after it, if there is one. */
function readOption(word: string, next: readonly Word[], table: OptionTable): Taken | undefined {
  if (table.old?.test(word)) return { options: [{ name: word }], taken: 1 };
  return word.startsWith('--') ? readLong(word.slice(2), next, table) : readLetters(word.slice(1), next, table);
}

function readLong(text: string, next: readonly Word[], table: OptionTable): Taken | undefined {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  const kind = longKind(name, table);
  if (kind === undefined) return undefined;
  if (equals !== -1) return kind === 'flag' ? undefined : withValue(name, kind, text.slice(equals + 1), 1, []);
  if (kind === 'flag' || kind === 'attached') return { options: [{ name }], taken: 1 };
  return next.length === 0 ? undefined : withValue(name, kind, next[0], 2, []);
}

function readLetters(letters: string, next: readonly Word[], table: OptionTable): Taken | undefined {
  const options: Option[] = [];
  for (let at = 0; at < letters.length; at++) {
    const name = letters.charAt(at);
    const kind = letterKind(name, table);
    if (kind === undefined) return undefined;
    const attached = letters.slice(at + 1);
    if (kind !== 'flag' && attached !== '') return withValue(name, kind, attached, 1, options);
    if (kind === 'number' || kind === 'value') {
      return next.length === 0 ? undefined : withValue(name, kind, next[0], 2, options);
    }
    options.push({ name });
  }
  return { options, taken: 1 };
}

function withValue(name: string, kind: Kind, value: Word, taken: number, before: readonly Option[]): Taken | undefined {
  if (kind === 'number' && !(value !== undefined && isNumber(value))) return undefined;
  return { options: [...before, { name, value }], taken };
}

/** With a unit, and with the sign that some give a meaning to. */
function isNumber(value: string): boolean {
  return /^[+-]?[0-9]+(\.[0-9]+)?[A-Za-z]{0,3}$/.test(value);
}

function letterKind(letter: string, { flags, numbers, values, attached }: OptionTable): Kind | undefined {
  if (flags?.includes(letter)) return 'flag';
  if (numbers?.includes(letter)) return 'number';
  if (values?.includes(letter)) return 'value';
  return attached?.includes(letter) ? 'attached' : undefined;
}

function longKind(name: string, table: OptionTable): Kind | undefined {
  if (isListed(name, table.long)) return 'flag';
  if (isListed(name, table.longNumbers)) return 'number';
  if (isListed(name, table.longValues)) return 'value';
  return isListed(name, table.longAttached) ? 'attached' : undefined;
}

function isListed(name: string, list: string | undefined): boolean {
  return list?.split(' ').includes(name) ?? false;
}

function shortened(word: string): string {
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}
