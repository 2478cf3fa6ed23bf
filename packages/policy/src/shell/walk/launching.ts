/** What a launcher starts, as far as its words say. Where its options are not known, the first name of a program counts. */
import type { Word } from '../invocation.ts';
import { type Launcher, launcherOf } from '../launchers.ts';
import { isProgram } from '../programs/table.ts';
import { baseName, wordsOf } from './calls.ts';
import { isFinder } from './finders.ts';
import { isShell } from './shells.ts';
import type { Arg } from './words.ts';
import { wrappers } from './wrappers.ts';

export interface Launched {
  /** What it starts; empty when that is not told. */
  inner: readonly Arg[];
  /** What it has a shell read. */
  lines: readonly string[];
  remote: boolean;
  /** Something in it is not known that may be any command. */
  hidden: boolean;
}

export function launched(base: string, args: readonly Arg[], stdin: Word): Launched | undefined {
  const words = wordsOf(args);
  const found = launcherOf(base, words);
  if (found === undefined) return undefined;
  const { launcher, at } = found;
  const begin = launcher.only ? words.length : innerAt(launcher, words, at);
  const inner = args.slice(begin);
  const lines = [...linesGiven(launcher, words.slice(0, begin), at), ...linesIn(launcher, wordsOf(inner))];
  if (launcher.reads && inner.length === 0 && stdin !== undefined) lines.push(stdin);
  // Words that were read as a line are no program and its words.
  const taken = lines.length > 0 && (launcher.joins || launcher.texts || inner.length === 1);
  const unknown = words.slice(inner.length > 0 && !launcher.joins ? words.length : at).includes(undefined);
  const hidden = unknown || isHiddenLine(launcher, words);
  return { inner: taken ? [] : inner, lines, remote: launcher.remote === true, hidden };
}

/** `npx -c "$X"`. */
function isHiddenLine({ lines }: Launcher, words: readonly Word[]): boolean {
  return words.some((word, at) => word === undefined && lines.has(words[at - 1] ?? ''));
}

/** The values of options that a shell reads: `-c x`, `--call=x`. */
function linesGiven({ lines }: Launcher, words: readonly Word[], from: number): string[] {
  return words.flatMap((word, at) => {
    if (word === undefined || at < from) return [];
    if (lines.has(word)) return words[at + 1] ?? [];
    const equals = word.indexOf('=');
    return equals > 0 && word.startsWith('--') && lines.has(word.slice(0, equals)) ? word.slice(equals + 1) : [];
  });
}

/** A word with blanks in it is no name of a program. */
function linesIn({ joins, texts }: Launcher, words: readonly Word[]): string[] {
  const known = words.filter((word) => word !== undefined);
  if (joins && known.length > 0 && known.length === words.length) {
    return isName(words[0]) || known.length === 1 ? [known.join(' ')] : [known.join(' '), ...known.filter(hasBlanks)];
  }
  return joins || texts || words.length === 1 ? known.filter(hasBlanks) : [];
}

/** Where the words of the program begin; at the end when that is not told. */
function innerAt(launcher: Launcher, words: readonly Word[], from: number): number {
  const { operands, values, lines } = launcher;
  // `nix develop -c make test`: what follows such an option may also be the program.
  const after = words.findIndex((_, at) => at > from && lines.has(words[at - 1] ?? '') && isName(words[at]));
  if (after > 0 && after < words.length - 1) return after;
  const dashes = words.indexOf('--', from) + 1;
  let left = operands;
  let first: number | undefined;
  for (let at = from; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    if (word === '--') return at + 1;
    if (word.startsWith('-')) {
      if (values.has(word) || lines.has(word)) at++;
      continue;
    }
    if (left > 0) {
      left--;
      continue;
    }
    if (isAssignment(word)) continue;
    if (isName(word)) return at;
    first ??= at;
    const before = words[at - 1] ?? '';
    const mayBeValue = at > from && operands === 0 && before.startsWith('-') && !before.includes('=');
    if (!launcher.finds && !mayBeValue) break;
  }
  if (dashes > 0) return dashes;
  return launcher.finds ? words.length : (first ?? words.length);
}

function hasBlanks(word: string): boolean {
  return /\s/.test(word);
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word);
}

/** The name of a program that more is known about. */
function isName(word: Word): boolean {
  if (word === undefined || word === '') return false;
  const base = baseName(word);
  return (
    isProgram(base) || isShell(base) || isFinder(base) || wrappers.has(base) || launcherOf(base, [base]) !== undefined
  );
}
