/** How most judges are made: the words are read by a table of options, then it is said what happens. */
import type { CommandClass } from '@tau/core';
import type { Finding, Invocation, Judge, ShellFacts, Word } from '../invocation.ts';
import { defined, likelyPaths, looksAt, notKnown, reads, writes } from './findings.ts';
import { isMisread, type OptionTable, type Reading, readInvocation } from './options.ts';

export type Told = (reading: Reading, invocation: Invocation, facts: ShellFacts) => Finding;

/**
 * For programs that look. A call that is not understood may do anything: rare options write files and run programs. A
 * value that is not known could be a secret of the environment, which the program then prints.
 */
export function looker(table: OptionTable, told: Told): Judge {
  return searcher(table, told, []);
}

/** For programs that look, and never print what these options say. */
export function searcher(table: OptionTable, told: Told, kept: readonly string[]): Judge {
  return byOptions(table, told, (why, words) => notKnown('unknown', why, defined(reads(likelyPaths(words)))), kept);
}

/** For programs that change files. */
export function changer(table: OptionTable, told: Told, kind: CommandClass = 'write'): Judge {
  return byOptions(table, told, (why, words) => notKnown(kind, why, defined(writes(likelyPaths(words)))));
}

/** For programs that look at the files they are given and at nothing else. */
export function reader(table: OptionTable): Judge {
  return looker(table, ({ rest }) => looksAt(rest));
}

/** For programs that look at no file at all, whatever words they are given. */
export function silent(table: OptionTable): Judge {
  return looker(table, ({ operands }) =>
    operands.includes(undefined) ? notKnown('unknown', 'one of its words is known only when it runs') : looksAt([]),
  );
}

export function byOptions(
  table: OptionTable,
  told: Told,
  otherwise: (why: string, words: readonly Word[]) => Finding,
  kept: readonly string[] = [],
): Judge {
  return (invocation, facts) => {
    if (asksForHelp(invocation)) return looksAt([]);
    const reading = readInvocation(invocation, table);
    if (isMisread(reading)) return otherwise(reading.why, invocation.words.slice(1));
    const why = hiddenValue(reading, kept);
    return why === undefined ? told(reading, invocation, facts) : otherwise(why, invocation.words.slice(1));
  };
}

/** Why a value that nobody knows is too much: a program complains about what makes no sense to it. */
export function hiddenValue({ options }: Reading, kept: readonly string[] = []): string | undefined {
  const hidden = options.some((one) => 'value' in one && one.value === undefined && !kept.includes(one.name));
  return hidden ? 'one of its words is known only when it runs' : undefined;
}

/** A program that is never understood, and why. */
export function refused(kind: CommandClass, why: string): Judge {
  return (invocation) => (asksForHelp(invocation) ? looksAt([]) : notKnown(kind, why));
}

/** True when options after the first operand do not make it doubtful which words are operands. */
export function isSettled({ operands, rest }: Reading): boolean {
  return operands.length === rest.length;
}

export const unsettled = 'an option comes after the first file, which some systems take for a file';

/** Alone, it prints a text or complains, on every system. */
export function asksForHelp({ words, open }: Invocation): boolean {
  return !open && words.length === 2 && (words[1] === '--help' || words[1] === '--version');
}
