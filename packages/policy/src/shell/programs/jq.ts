/** `jq`: a filter over files. A filter can show the environment and read modules from files. */
import type { Finding, Judge, Word } from '../invocation.ts';
import { defined, likelyPaths, looksAt, notKnown, reads } from './findings.ts';
import { asksForHelp } from './judges.ts';

const flags: ReadonlySet<string> = new Set(
  (
    '--compact-output --null-input --exit-status --slurp --raw-output --raw-output0 --raw-input --color-output ' +
    '--monochrome-output --sort-keys --tab --ascii-output --join-output --seq --stream --stream-errors --unbuffered'
  ).split(' '),
);
/** How many words belong to it. */
const withWords: ReadonlyMap<string, number> = new Map([
  ['--arg', 2],
  ['--argjson', 2],
  ['--slurpfile', 2],
  ['--rawfile', 2],
  ['--indent', 1],
]);

const jq: Judge = (invocation) => {
  if (asksForHelp(invocation)) return looksAt([]);
  const words = invocation.words.slice(1);
  const misread = (why: string) => notKnown('unknown', why, defined(reads(likelyPaths(words.slice(1)))));
  if (invocation.open) return misread('it gets more words when it runs');
  return judgeWords(words) ?? misread('its words are not understood');
};

function judgeWords(words: readonly Word[]): Finding | undefined {
  const files: Word[] = [];
  let filter: string | undefined;
  let optionsEnded = false;
  let textsFollow = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) return undefined;
    if (optionsEnded || !word.startsWith('-') || word === '-') {
      if (filter === undefined) filter = word;
      else if (!textsFollow) files.push(word);
    } else if (word === '--') {
      optionsEnded = true;
    } else if (word === '--args' || word === '--jsonargs') {
      textsFollow = true;
    } else if (withWords.has(word)) {
      const taken = words.slice(at + 1, at + 1 + (withWords.get(word) ?? 0));
      if (taken.includes(undefined)) return undefined;
      if (word === '--slurpfile' || word === '--rawfile') files.push(...taken.slice(1));
      at += taken.length;
    } else if (!flags.has(word) && !/^-[cnesrRCMSaj]+$/.test(word)) {
      return undefined;
    }
  }
  const effects = looksAt(files).effects;
  if (filter === undefined) return undefined;
  return isPlainFilter(filter) ? looksAt(files) : notKnown('unknown', 'its filter may show the environment', effects);
}

/** `.env` is a field; `env` and `$ENV` are the environment, and the others read modules. */
function isPlainFilter(filter: string): boolean {
  return !/(^|[^.A-Za-z0-9_])(env|import|include|modulemeta)\b|\$\s*(ENV|__prog)/.test(filter);
}

export const jqPrograms: ReadonlyMap<string, Judge> = new Map([['jq', jq]]);
