/** Commands of git that change something. What git keeps elsewhere can be had again; what it does not is a danger. */
import type { Effect } from '@tau/core';
import type { Finding, ShellFacts, Word } from '../../invocation.ts';
import { risky, wordSet } from '../danger.ts';
import { defined, writes } from '../findings.ts';
import { connects, hostOf } from '../hosts.ts';
import { gives, operandsOf, valuesGiven } from '../loose.ts';
import { changesWhatRuns, isSteeringPair, judgeConfig } from './config.ts';

const losesWork = 'it throws away changes that are not committed';
const rewritesRemote = 'it rewrites or deletes what others have';
const runsNamed = 'it runs a program that the address or an option names';
const losesHistory = 'it throws away the history that undoing needs';
const runsLater = 'it leaves something that runs later';

/** They stay in the repository. */
const local = wordSet(
  'add am apply archive bisect branch bundle checkout cherry-pick clean commit commit-graph commit-tree difftool ' +
    'fast-import filter-branch filter-repo format-patch gc hash-object init maintenance merge merge-file merge-tree ' +
    'mergetool mktag mktree mv notes pack-objects pack-refs prune prune-packed read-tree rebase reflog remote repack ' +
    'replace rerere reset restore revert rm sparse-checkout stage stash switch symbolic-ref tag update-index ' +
    'update-ref worktree write-tree',
);
/** They look, but by means that are not proved. */
const looking = wordSet(
  'annotate blame branch cat-file check-attr check-ignore check-mailmap cherry clean count-objects describe diff ' +
    'diff-files diff-index diff-tree for-each-ref fsck grep help log ls-files ls-tree merge-base name-rev range-diff ' +
    'rev-list rev-parse shortlog show show-branch show-ref status var verify-commit verify-tag version whatchanged',
);
const remote = wordSet(
  'clone fetch pull push ls-remote lfs submodule send-email request-pull fetch-pack send-pack svn p4',
);

/** A command of git with all that stands after it. `rest` is in the folder `base`. */
export function judgeChange(command: string, rest: readonly Word[], facts: ShellFacts): Finding {
  if (command === 'config') return judgeConfig(rest, facts);
  if (/^credential(-|$)/.test(command)) {
    return risky('git', 'it deals with passwords', 'it hands out or changes stored passwords');
  }
  const danger = dangers.get(command)?.(rest);
  if (command === 'remote' || remote.has(command)) {
    const runs = named(rest);
    if (runs !== undefined) return risky('network', 'it talks to another repository', runs, connects([]));
  }
  if (remote.has(command) || connectsFor(command, rest)) {
    const effects = [...connects(hostsOf(command, rest)), ...filesOf(command, rest)];
    return risky('network', 'it talks to another repository', danger, effects);
  }
  if (local.has(command)) return risky('git', 'it changes the repository', danger, filesOf(command, rest));
  if (looking.has(command)) {
    return risky('git', `git ${command} is not understood with these words`, danger, filesOf(command, rest));
  }
  return risky('unknown', `tau knows no command ${command} of git`, danger);
}

type Danger = (words: readonly Word[]) => string | undefined;

const dangers: ReadonlyMap<string, Danger> = new Map<string, Danger>([
  ['push', push],
  ['reset', (words) => when(gives(words, 'hard'), losesWork)],
  ['clean', clean],
  ['checkout', checkout],
  ['switch', (words) => when(gives(words, 'f', 'force', 'discard-changes'), losesWork)],
  ['restore', restore],
  ['rm', (words) => when(gives(words, 'f', 'force') && !gives(words, 'cached'), losesWork)],
  ['checkout-index', (words) => when(gives(words, 'f', 'force'), losesWork)],
  ['read-tree', (words) => when(gives(words, 'reset') && gives(words, 'u'), losesWork)],
  ['branch', branch],
  ['stash', (words) => when(/^(drop|clear)$/.test(first(words)), 'it throws away work that was set aside')],
  ['filter-branch', () => 'it rewrites the history'],
  ['filter-repo', () => 'it rewrites the history'],
  ['reflog', (words) => when(/^(expire|delete)$/.test(first(words)), losesHistory)],
  [
    'gc',
    (words) =>
      when(
        valuesGiven(words, 'prune').some((when) => when !== undefined && when !== 'never'),
        losesHistory,
      ),
  ],
  ['prune', (words) => when(!gives(words, 'n', 'dry-run'), losesHistory)],
  ['update-ref', (words) => when(gives(words, 'd', 'delete'), 'it deletes a branch or a tag whatever it holds')],
  ['worktree', (words) => when(first(words) === 'remove' && gives(words, 'f', 'force'), losesWork)],
  ['submodule', submodule],
  ['maintenance', (words) => when(/^(start|register)$/.test(first(words)), runsLater)],
  ['fetch', (words) => when(gives(words, 'upload-pack'), runsNamed)],
  ['pull', (words) => when(gives(words, 'upload-pack'), runsNamed)],
  ['ls-remote', (words) => when(gives(words, 'upload-pack', 'exec'), runsNamed)],
  ['clone', clone],
  ['init', (words) => when(gives(words, 'template'), changesWhatRuns)],
  ['archive', (words) => when(gives(words, 'exec'), runsNamed)],
]);

function push(words: readonly Word[]): string | undefined {
  if (gives(words, 'receive-pack', 'exec')) return runsNamed;
  const harsh = gives(words, 'f', 'force', 'force-with-lease', 'mirror', 'd', 'delete', 'prune');
  return when(harsh || operandsOf(words).some((word) => /^[+:]./.test(word ?? '')), rewritesRemote);
}

/** A path given back as it was committed. Branches have no ending, and files that matter mostly have. */
function checkout(words: readonly Word[]): string | undefined {
  if (gives(words, 'f', 'force')) return losesWork;
  const makes = gives(words, 'b', 'B', 'orphan', 't', 'track', 'detach');
  const paths = words.includes('--') && words.at(-1) !== '--';
  const operands = operandsOf(words);
  const looksLikePath = (word: Word) =>
    word !== undefined && /^\.|^\/|\/$|[*?]|\.[A-Za-z]\w*$/.test(word) && !/\d\.x$/.test(word);
  return when(paths || (!makes && (operands.length > 1 || operands.some(looksLikePath))), losesWork);
}

/** `-e` takes the letters after it for itself, and so does `-s` of `restore`: an `n` or `S` in there means nothing. */
function clean(words: readonly Word[]): string | undefined {
  const dry = gives(words, 'dry-run') || words.some((word) => /^-[a-df-zA-Z]*n/.test(word ?? ''));
  return when(!dry || gives(words, 'no-dry-run'), 'it removes files that git does not have');
}

function restore(words: readonly Word[]): string | undefined {
  const staged = gives(words, 'staged') || words.some((word) => /^-[a-rt-zA-Z]*S/.test(word ?? ''));
  return when(!staged || gives(words, 'worktree', 'W', 'no-staged'), losesWork);
}

function branch(words: readonly Word[]): string | undefined {
  const harsh = gives(words, 'D') || (gives(words, 'd', 'delete') && gives(words, 'f', 'force'));
  return when(harsh, 'it deletes a branch even if its commits are nowhere else');
}

function submodule(words: readonly Word[]): string | undefined {
  return when(first(words) === 'deinit' && gives(words, 'f', 'force'), losesWork);
}

function clone(words: readonly Word[]): string | undefined {
  if (gives(words, 'u', 'upload-pack')) return runsNamed;
  const steers = valuesGiven(words, 'c', 'config').some(isSteeringPair) || gives(words, 'template');
  return when(steers, changesWhatRuns);
}

/** Addresses that are a command line, whatever the command. */
function named(words: readonly Word[]): string | undefined {
  return when(
    words.some((word) => word !== undefined && /(^|[=+])(ext|fd)::|proxycommand/i.test(word)),
    runsNamed,
  );
}

function when(condition: boolean, danger: string): string | undefined {
  return condition ? danger : undefined;
}

function first(words: readonly Word[]): string {
  return operandsOf(words)[0] ?? '';
}

function connectsFor(command: string, words: readonly Word[]): boolean {
  if (command === 'remote') return /^(update|show|prune|set-head)$/.test(first(words));
  return command === 'archive' && gives(words, 'remote');
}

function hostsOf(command: string, words: readonly Word[]): (string | undefined)[] {
  const operands = operandsOf(words, '-b --branch --depth --origin -o -c --config --reference -j --jobs --filter');
  const target = command === 'submodule' ? operands[1] : operands[0];
  return [hostOf(target)];
}

/** Files outside the repository's own that are named on the line. */
function filesOf(command: string, words: readonly Word[]): Effect[] {
  const files = [...valuesGiven(words, 'output', 'output-directory')];
  if (/^(archive|format-patch)$/.test(command)) files.push(...valuesGiven(words, 'o'));
  if (command === 'clone') files.push(operandsOf(words, '-b --branch --depth --origin -o -c --config')[1]);
  return defined(writes(files));
}
