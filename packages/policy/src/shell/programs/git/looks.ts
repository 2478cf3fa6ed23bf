/**
 * Commands of git that only look, with the options of each that do not change that. Left out on purpose, each with its
 * hidden power: `--output` and `--remerge-diff` write, `--ext-diff` and `--textconv` run what settings name,
 * `--show-signature` and `%G` run gpg, `--dirty` refreshes the index, `-O` starts a pager or reads a file,
 * `--submodule`, `--recurse-submodules` and `--broken` start git elsewhere, `--help` starts `man`.
 */
import type { OptionTable, Reading } from '../options.ts';
import { has, valuesOf } from '../options.ts';

export interface Look {
  table: OptionTable;
  /** Why it does more than look when it is called like this. `paths` are the words after `--`. */
  refuses?(reading: Reading, paths: readonly string[]): string | undefined;
  /** Options whose value is a file that is read. */
  files?: readonly string[];
}

const diffing: OptionTable = {
  flags: 'psuRabwzW',
  numbers: 'l',
  values: 'SGI',
  attached: 'UMCBX',
  long:
    'patch no-patch raw minimal patience histogram numstat shortstat summary name-only name-status check full-index ' +
    'binary no-renames rename-empty no-rename-empty find-copies-harder irreversible-delete pickaxe-all pickaxe-regex ' +
    'text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ' +
    'function-context exit-code quiet no-ext-diff no-textconv no-color no-prefix no-relative no-color-moved ' +
    'indent-heuristic no-indent-heuristic patch-with-stat patch-with-raw compact-summary no-abbrev',
  longAttached:
    'stat dirstat color color-words word-diff color-moved color-moved-ws ws-error-highlight abbrev relative ' +
    'find-renames find-copies break-rewrites unified ignore-submodules',
  longValues:
    'word-diff-regex diff-algorithm anchored src-prefix dst-prefix line-prefix diff-filter ignore-matching-lines',
  longNumbers: 'inter-hunk-context stat-width stat-name-width stat-count stat-graph-width',
};

/** Choosing commits, and how they are shown. */
const walking: OptionTable = {
  flags: 'giEFPcmt',
  numbers: 'n',
  long:
    'oneline graph no-graph all merges no-merges first-parent no-decorate source follow full-diff log-size left-right ' +
    'left-only right-only cherry cherry-mark cherry-pick boundary reverse date-order author-date-order topo-order ' +
    'walk-reflogs reflog simplify-by-decoration simplify-merges full-history dense sparse all-match invert-grep ' +
    'regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp abbrev-commit no-abbrev-commit ' +
    'relative-date parents children no-notes cc use-mailmap no-use-mailmap mailmap no-mailmap no-expand-tabs merge not ' +
    'ignore-missing remove-empty show-pulls clear-decorations no-diff-merges',
  longAttached: 'decorate branches tags remotes notes no-walk ancestry-path pretty format expand-tabs',
  longValues:
    'since until after before author committer grep date encoding exclude glob decorate-refs decorate-refs-exclude',
  longNumbers: 'max-count skip min-parents max-parents',
  old: /^-[0-9]+$/,
};

const logging = joined(diffing, walking, { values: 'L' });
/** Lists of branches and tags. */
const listing: OptionTable = {
  flags: 'i',
  long: 'list no-column no-color ignore-case omit-empty',
  longAttached: 'contains no-contains merged no-merged color column',
  longValues: 'sort points-at format',
};
const selects = ['contains', 'no-contains', 'merged', 'no-merged', 'points-at'];

const any: Look = { table: logging };

export const looks: ReadonlyMap<string, Look> = new Map<string, Look>([
  [
    'status',
    {
      table: {
        flags: 'sbvz',
        attached: 'u',
        long: 'short branch no-branch show-stash long verbose ahead-behind no-ahead-behind no-renames no-column null',
        longAttached: 'porcelain untracked-files ignored ignore-submodules column find-renames',
      },
    },
  ],
  ['diff', { table: joined(diffing, { flags: 'c', long: 'cached staged no-index merge-base base ours theirs cc' }) }],
  ['log', any],
  ['show', any],
  ['whatchanged', any],
  [
    'reflog',
    { table: logging, refuses: ({ operands: [verb] }) => changing(verb, /^(expire|delete|drop|write|migrate)$/) },
  ],
  ['reflog show', any],
  ['stash list', any],
  ['stash show', { table: joined(diffing, { long: 'include-untracked only-untracked' }) }],
  [
    'shortlog',
    { table: joined(walking, { flags: 'sne', attached: 'w', long: 'numbered summary email', longValues: 'group' }) },
  ],
  [
    'blame',
    {
      table: {
        flags: 'bltfnsepwc',
        values: 'L',
        attached: 'MC',
        long: 'root line-porcelain porcelain incremental show-stats show-name show-number show-email no-progress first-parent',
        longAttached: 'abbrev',
        longValues: 'contents date since encoding ignore-rev ignore-revs-file',
      },
      files: ['contents', 'ignore-revs-file'],
    },
  ],
  [
    'branch',
    {
      table: joined(listing, {
        flags: 'arvql',
        long: 'all remotes verbose quiet show-current',
        longAttached: 'abbrev',
      }),
      refuses: (reading) =>
        reading.operands.length > 0 && !has(reading, 'list', ...selects) ? 'it makes a branch' : undefined,
    },
  ],
  [
    'tag',
    {
      table: joined(listing, { flags: 'l', attached: 'n' }),
      refuses: (reading) =>
        reading.operands.length > 0 && !has(reading, 'l', 'list', ...selects) ? 'it makes a tag' : undefined,
    },
  ],
  ['remote', { table: { flags: 'v', long: 'verbose' }, refuses: ({ operands: [verb] }) => changing(verb, /^/) }],
  ['remote get-url', { table: { long: 'push all' } }],
  [
    'rev-parse',
    {
      table: {
        flags: 'q',
        long:
          'verify quiet symbolic symbolic-full-name all git-dir absolute-git-dir git-common-dir is-inside-git-dir ' +
          'is-inside-work-tree is-bare-repository is-shallow-repository show-toplevel show-prefix show-cdup revs-only ' +
          'no-revs flags no-flags not',
        longAttached: 'abbrev-ref short branches tags remotes show-object-format path-format glob exclude',
        longValues: 'git-path default since until',
      },
    },
  ],
  ['rev-list', { table: joined(logging, { long: 'count objects timestamp header no-object-names' }) }],
  [
    'describe',
    {
      table: {
        long: 'all tags contains always long exact-match debug first-parent',
        longAttached: 'abbrev',
        longValues: 'candidates match exclude',
      },
    },
  ],
  [
    'ls-files',
    {
      table: {
        flags: 'cdmoiskuztv',
        values: 'x',
        long:
          'cached deleted modified others ignored stage killed unmerged directory no-empty-directory eol deduplicate ' +
          'exclude-standard error-unmatch full-name resolve-undo',
        longAttached: 'abbrev',
        longValues: 'exclude format',
      },
    },
  ],
  [
    'ls-tree',
    {
      table: {
        flags: 'drtlz',
        long: 'long name-only name-status object-only full-name full-tree',
        longAttached: 'abbrev',
        longValues: 'format',
      },
    },
  ],
  [
    'cat-file',
    {
      table: {
        flags: 'pets',
        long: 'batch-all-objects buffer unordered follow-symlinks allow-unknown-type',
        longAttached: 'batch batch-check',
      },
    },
  ],
  ['merge-base', { table: { flags: 'a', long: 'all octopus independent is-ancestor fork-point' } }],
  ['name-rev', { table: { long: 'tags all name-only no-undefined always', longValues: 'refs exclude' } }],
  [
    'for-each-ref',
    {
      table: {
        long: 'ignore-case omit-empty',
        longAttached: 'merged no-merged contains no-contains',
        longValues: 'format sort count points-at exclude',
      },
    },
  ],
  [
    'show-ref',
    { table: { flags: 'dsq', long: 'heads branches tags head dereference verify quiet', longAttached: 'hash abbrev' } },
  ],
  [
    'symbolic-ref',
    {
      table: { flags: 'q', long: 'quiet short no-recurse recurse' },
      refuses: ({ operands }) => (operands.length === 1 ? undefined : 'it makes a branch the current one'),
    },
  ],
  ['cherry', { table: { flags: 'v', longAttached: 'abbrev' } }],
  ['diff-tree', { table: joined(logging, { flags: 'rtmcv', long: 'root no-commit-id always stdin merge-base' }) }],
  ['diff-index', { table: joined(diffing, { flags: 'm', long: 'cached merge-base' }) }],
  ['diff-files', { table: joined(diffing, { flags: 'qc0123', long: 'base ours theirs cc' }) }],
  [
    'grep',
    {
      table: {
        flags: 'aIiwvhHEGFPnlLzocpWr',
        numbers: 'mABC',
        values: 'ef',
        long:
          'cached no-index untracked no-exclude-standard exclude-standard text ignore-case word-regexp invert-match ' +
          'full-name extended-regexp basic-regexp fixed-strings perl-regexp line-number column files-with-matches ' +
          'name-only files-without-match null only-matching count break heading show-function function-context and or ' +
          'not all-match quiet no-color no-textconv recursive no-recursive no-recurse-submodules',
        longAttached: 'color',
        longNumbers: 'max-depth max-count after-context before-context context threads',
        old: /^-[0-9]+$|^\($|^\)$/,
      },
      files: ['f'],
    },
  ],
  ['check-ignore', { table: { flags: 'qvnz', long: 'quiet verbose non-matching no-index stdin' } }],
  ['check-attr', { table: { flags: 'az', long: 'all cached stdin' } }],
  ['worktree list', { table: { flags: 'vz', long: 'porcelain verbose' } }],
  ['notes list', { table: {} }],
  ['notes show', { table: {} }],
  ['count-objects', { table: { flags: 'vH', long: 'verbose human-readable' } }],
  [
    'clean',
    {
      table: { flags: 'ndxXqf', values: 'e', long: 'dry-run quiet force', longValues: 'exclude' },
      refuses: (reading) => (has(reading, 'n', 'dry-run') ? undefined : 'it removes files'),
    },
  ],
  [
    'config',
    {
      table: { long: 'get local includes', longValues: 'default type' },
      refuses: (reading) =>
        reading.operands.length === 1 ? secretive(reading) : 'it changes settings or prints them all',
    },
  ],
  ['config get', { table: { long: 'local includes', longValues: 'default type' }, refuses: secretive }],
]);

/** Settings can hold passwords, in addresses for one; these cannot. */
function secretive({ operands }: Reading): string | undefined {
  const harmless =
    /^(user\.(name|email)|core\.[a-z]+|init\.defaultbranch|branch\..+\.(remote|merge|rebase)|(pull|push|rebase|commit|merge)\.[a-z]+)$/;
  return operands.length === 1 && harmless.test(operands[0]?.toLowerCase() ?? '')
    ? undefined
    : 'a setting may hold a password';
}

/** A format or an order that has signatures checked: then gpg runs. */
export function checksSignatures(reading: Reading): boolean {
  const shaping = valuesOf(reading, 'format', 'pretty', 'sort');
  return [...shaping, ...reading.operands].some((word, at) => {
    if (word === undefined) return true;
    return /%[-+ ]*G|%\(.*signature/i.test(word) || (at < shaping.length && word.includes('signature'));
  });
}

function changing(verb: string | undefined, verbs: RegExp): string | undefined {
  return verb !== undefined && verbs.test(verb) ? `git ${verb} does more than look` : undefined;
}

function joined(...tables: readonly OptionTable[]): OptionTable {
  const letters = (key: 'flags' | 'numbers' | 'values' | 'attached') =>
    tables.map((table) => table[key] ?? '').join('');
  const names = (key: 'long' | 'longNumbers' | 'longValues' | 'longAttached') =>
    tables.flatMap((table) => table[key] ?? []).join(' ');
  const old = tables.find((table) => table.old)?.old;
  return {
    flags: letters('flags'),
    numbers: letters('numbers'),
    values: letters('values'),
    attached: letters('attached'),
    long: names('long'),
    longNumbers: names('longNumbers'),
    longValues: names('longValues'),
    longAttached: names('longAttached'),
    ...(old && { old }),
  };
}
