/**
 * What a command line will do. The shell is unknown except for a few words that only look; everything that is not
 * proved harmless is an unproved `exec`.
 */
import type { Effect } from '@tau/core';
import type { SimpleCommand } from './words.ts';
import { splitCommands } from './words.ts';

/** The shell does these itself, and they read nothing but their arguments. */
const builtinWords: readonly string[] = ['pwd', 'echo', 'true', 'false'];
/** A program that reads nothing but its arguments. */
const silentWords: readonly string[] = ['sleep'];
/** These read the files they are given. */
const readingWords: readonly string[] = ['ls', 'cat', 'head', 'tail', 'wc'];

/** `trustedPath`: a plain name starts the system's program, see `isTrustedPath`. Else no program is proved harmless. */
export function shellEffects(command: string, { trustedPath }: { trustedPath: boolean }): Effect[] {
  const reads: Effect[] = [];
  for (const simple of splitCommands(command) ?? [undefined]) {
    const paths = simple === undefined ? undefined : readPaths(simple, trustedPath);
    if (paths === undefined) return [{ kind: 'exec', command, readOnly: false }];
    for (const path of paths) reads.push({ kind: 'read', path });
  }
  return [{ kind: 'exec', command, readOnly: true }, ...reads];
}

/** The paths a proved read-only command reads, or undefined when it is not proved. */
export function readPaths(command: SimpleCommand, trustedPath: boolean): string[] | undefined {
  const [name = '', ...words] = command.words;
  if (!command.bare || !words.every(isUnderstood)) return undefined;
  if (builtinWords.includes(name)) return [];
  if (!trustedPath) return undefined;
  if (silentWords.includes(name)) return [];
  if (!readingWords.includes(name)) return undefined;
  if (name === 'tail' && words.some(mayFollow)) return undefined;
  const paths = operands(name, words);
  return name === 'ls' && paths.length === 0 ? ['.'] : paths;
}

/** A short flag, a lone dash, or no option at all. Long options have abbreviations and hidden powers. */
function isUnderstood(word: string): boolean {
  return !word.startsWith('-') || word === '-' || /^-[A-Za-z0-9]+$/.test(word);
}

/** `-f`, `-F`, and the old forms `-5f` and `+5f` never end. */
function mayFollow(word: string): boolean {
  return /^-.*[fF]/.test(word) || /^\+.*[^0-9]/.test(word);
}

/**
 * The words that may be opened as files. Some systems stop reading options at the first operand, so from there on a
 * flag counts as a path too: a file named `-n` must not be read unseen.
 */
function operands(name: string, words: readonly string[]): string[] {
  const paths: string[] = [];
  let afterCount = false;
  for (const word of words) {
    const isFlag = word.startsWith('-') && word !== '-';
    const isCount = afterCount && /^[+-]?[0-9]+$/.test(word);
    if (paths.length > 0 || !(isFlag || isCount || word === '-')) paths.push(word);
    afterCount = (name === 'head' || name === 'tail') && /^-[A-Za-z0-9]*[nc]$/.test(word);
  }
  return paths;
}
