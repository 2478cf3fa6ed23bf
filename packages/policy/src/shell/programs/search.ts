/** Programs that look for text in files, or for files by their names. */
import type { Judge, Word } from '../invocation.ts';
import { does, looksAt, notKnown, reads, readsTrees } from './findings.ts';
import { looker, searcher } from './judges.ts';
import { has, type OptionTable, type Reading, valuesOf } from './options.ts';

/** `-R` follows links out of the folder, `--exclude-from` reads another file. */
const grepTable: OptionTable = {
  flags: 'EFGPiywxzsvbnHhoqaIrLlcTZU',
  numbers: 'mABC',
  values: 'efdD',
  long:
    'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case word-regexp line-regexp null-data ' +
    'no-messages invert-match byte-offset line-number line-buffered with-filename no-filename only-matching quiet silent ' +
    'text recursive files-without-match files-with-matches count initial-tab null no-group-separator binary',
  longNumbers: 'max-count before-context after-context context',
  longValues: 'regexp file label binary-files directories devices include exclude exclude-dir group-separator',
  longAttached: 'color colour',
  old: /^-[0-9]+$/,
};

const grep = searcher(
  grepTable,
  (reading, { words: [name] }) => {
    const recursive =
      name === 'rgrep' ||
      has(reading, 'r', 'recursive') ||
      valuesOf(reading, 'd', 'directories').some((value) => value !== 'skip' && value !== 'read');
    return searched(reading, recursive ? ['.'] : [], recursive);
  },
  ['e', 'regexp', 'include', 'exclude', 'exclude-dir'],
);

/** On many systems these are scripts. */
const startsGrep: Judge = (...given) => ({ ...grep(...given), starts: ['grep'] });

/** `--pre` and `--hostname-bin` start programs, `-z` too; `-L` follows links; `--ignore-file` reads another file. */
const rg = looker(
  {
    flags: 'abcFHIilNnoPpqSsUuVvwx0.',
    numbers: 'ABCdjMm',
    values: 'EefgrtT',
    long:
      'text byte-offset count count-matches fixed-strings with-filename no-filename ignore-case files-with-matches ' +
      'files-without-match no-line-number line-number only-matching pcre2 pretty quiet smart-case case-sensitive ' +
      'multiline multiline-dotall unrestricted invert-match word-regexp line-regexp null null-data hidden no-hidden ' +
      'no-ignore no-ignore-vcs no-ignore-parent no-ignore-dot no-ignore-global no-ignore-files files type-list json ' +
      'stats trim vimgrep heading no-heading column no-column passthru glob-case-insensitive max-columns-preview ' +
      'one-file-system no-messages no-config crlf binary no-unicode include-zero block-buffered line-buffered no-mmap',
    longNumbers: 'after-context before-context context max-depth maxdepth max-columns max-count threads max-filesize',
    longValues:
      'encoding regexp file glob iglob replace type type-not type-add type-clear color colors sort sortr engine ' +
      'context-separator field-match-separator field-context-separator path-separator',
  },
  (reading) => {
    if (has(reading, 'type-list', 'V')) return looksAt([]);
    if (has(reading, 'files')) return looksAt(orHere(reading.operands));
    return searched(reading, ['.'], true);
  },
);

/** `-x` and `-X` start programs, and so does `-l`; `-L` follows links; `--ignore-file` reads another file. */
const fd = looker(
  {
    flags: 'HIusiFgapq01',
    numbers: 'dj',
    values: 'teEcS',
    long:
      'hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted case-sensitive ignore-case glob fixed-strings regex ' +
      'absolute-path full-path print0 quiet prune show-errors one-file-system',
    longNumbers: 'max-depth min-depth exact-depth max-results threads',
    longValues: 'type extension exclude size changed-within changed-before color and',
  },
  ({ operands }) => looksAt(orHere(operands.slice(1))),
);

export const searchPrograms: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['grep', grep],
  ['egrep', startsGrep],
  ['fgrep', startsGrep],
  ['rgrep', startsGrep],
  ['rg', rg],
  ['fd', fd],
  ['fdfind', fd],
]);

/** The first operand is the pattern, unless options bring one. All of these permute their options, on every system. */
function searched(reading: Reading, none: readonly string[], tree: boolean): ReturnType<typeof looksAt> {
  const lists = valuesOf(reading, 'f', 'file');
  const given = lists.length > 0 || has(reading, 'e', 'regexp');
  if (!given && reading.operands.length === 0) return notKnown('unknown', 'the pattern is missing');
  const files = given ? reading.operands : reading.operands.slice(1);
  const searching = tree ? readsTrees : reads;
  return does('read-only', [...searching(files.length === 0 ? none : files), ...reads(lists)]);
}

function orHere(paths: readonly Word[]): readonly Word[] {
  return paths.length === 0 ? ['.'] : paths;
}
