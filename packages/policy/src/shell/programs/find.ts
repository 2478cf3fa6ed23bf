/** What `find` does by itself. Whoever takes a line apart takes `-exec` out of it, and tells of what that starts. */
import type { Effect } from '@tau/core';
import type { Finding, Invocation, Judge, Word } from '../invocation.ts';
import { defined, does, looksAt, notKnown, pours, readsFiles, writes } from './findings.ts';
import { asksForHelp } from './judges.ts';

const plain: ReadonlySet<string> = new Set(
  (
    '( ) ! , -not -a -and -o -or -print -print0 -ls -prune -quit -empty -true -false -daystart -depth -mount -xdev ' +
    '-noleaf -nouser -nogroup -readable -writable -executable -warn -nowarn -ignore_readdir_race -noignore_readdir_race'
  ).split(' '),
);

const withValue: ReadonlySet<string> = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime ' +
    '-amin -ctime -cmin -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -lname -ilname -fstype -used ' +
    '-printf -context'
  ).split(' '),
);

/** Their value is compared with names, and never printed. */
const patterns = /^-(i?name|i?path|i?wholename|i?lname)$/;
const withFile: ReadonlySet<string> = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);
const writers: ReadonlySet<string> = new Set(['-fprint', '-fprint0', '-fls', '-fprintf']);
const starters: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** `-L` and `-follow` follow links out of the folder, `-files0-from` reads the names of folders from a file. */
const find: Judge = (invocation) => {
  if (asksForHelp(invocation)) return looksAt([]);
  const { words, open } = invocation;
  const first = words.findIndex((word, at) => at > 0 && !/^-(H|P|O[0-3])$/.test(word ?? ''));
  const end = words.findIndex((word, at) => at >= first && (word === undefined || /^[-(!,)]/.test(word)));
  const paths = first === -1 ? [] : words.slice(first, end === -1 ? undefined : end);
  const starts = paths.length === 0 ? ['.'] : paths;
  const expression = first === -1 || end === -1 ? [] : words.slice(end);
  if (open) return misread('it gets more words when it runs', starts, words);
  return judgeExpression(expression, starts, words);
};

function judgeExpression(expression: readonly Word[], starts: readonly Word[], words: readonly Word[]): Finding {
  const effects: (Effect | undefined)[] = readsFiles(starts);
  let deletes = false;
  for (let at = 0; at < expression.length; at++) {
    const word = expression[at];
    if (word === undefined) return misread('one of its words is known only when it runs', starts, words);
    if (plain.has(word)) continue;
    if (word === '-delete') {
      deletes = true;
      continue;
    }
    if (starters.has(word)) return misread('it starts other programs', starts, words);
    const taken = effectsOf(word, expression.slice(at + 1, at + 3));
    if (taken === undefined) return misread(`its word ${word} is not understood`, starts, words);
    effects.push(...taken.effects);
    at += taken.words;
  }
  if (deletes) effects.push(...writes(starts, 'tree'));
  return does(effects.some((effect) => effect?.kind === 'write') ? 'write' : 'read-only', effects);
}

interface Taken {
  effects: (Effect | undefined)[];
  /** How many words after it belong to it. */
  words: number;
}

function effectsOf(word: string, next: readonly Word[]): Taken | undefined {
  const needed = word === '-fprintf' ? 2 : 1;
  if (next.length < needed) return undefined;
  const value = next[0];
  // What it prints or complains about could be a secret of the environment.
  if (value === undefined && !withFile.has(word) && !writers.has(word) && !patterns.test(word)) return undefined;
  if (withValue.has(word)) return { effects: [], words: 1 };
  if (withFile.has(word)) return { effects: readsFiles([value]), words: 1 };
  if (writers.has(word)) return { effects: pours([value]), words: needed };
  // The last letter says what is given: `t` is a date, the others look at a file.
  if (/^-newer[aBcm]t$/.test(word)) return { effects: [], words: 1 };
  return /^-newer[aBcm][aBcm]$/.test(word) ? { effects: readsFiles([value]), words: 1 } : undefined;
}

/** Removes everything, if anything in it can be read like that. */
function misread(why: string, starts: readonly Word[], words: Invocation['words']): Finding {
  const deletes = words.includes('-delete');
  const effects = defined([...readsFiles(starts), ...(deletes ? writes(starts, 'tree') : [])]);
  return notKnown(deletes ? 'write' : 'unknown', why, effects);
}

export const findPrograms: ReadonlyMap<string, Judge> = new Map([['find', find]]);
