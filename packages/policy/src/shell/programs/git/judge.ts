/**
 * What git does. Read-only is proved only where the repository's own settings cannot run anything (`tameGit`), with a
 * command and options that were looked at; what stands before the command (`-c`, `--git-dir`, …) can change it all.
 */
import { isAbsolute } from 'node:path/posix';
import type { Effect } from '@tau/core';
import type { Finding, Invocation, Judge, ShellFacts, Word } from '../../invocation.ts';
import { isHarmlessAssignment } from '../../walk/variables.ts';
import { risky } from '../danger.ts';
import { does, looksAt } from '../findings.ts';
import { isMisread, type Reading, readOptions, valuesOf } from '../options.ts';
import { judgeChange } from './changes.ts';
import { changesWhatRuns, isSteeringPair } from './config.ts';
import { fileAt, isFile, isThere, limitsOf, mayShowText, showsText } from './content.ts';
import { checksSignatures, type Look, looks } from './looks.ts';

export const gitPrograms: ReadonlyMap<string, Judge> = new Map([['git', judgeGit]]);

function judgeGit(invocation: Invocation, facts: ShellFacts): Finding {
  const head = readHead(invocation.words.slice(1));
  const [command, ...rest] = head.words;
  if (isVersion(invocation, head)) return looksAt([]);
  if (command === undefined) return risky('unknown', 'which command of git it is is not understood', head.danger);
  const change = judgeChange(command, rest, facts);
  const why = head.why ?? doubt(invocation, head.base, facts);
  const paths = pathsRead(command, rest, head.base, { invocation, facts });
  if (why === undefined && !('why' in paths)) return does('read-only', paths.reads);
  const reason = 'why' in paths ? (paths.why ?? change.why) : why;
  const unread = mayShowText(command, rest) ? everything(invocation, head.base, facts) : [];
  const shown = 'why' in paths ? unread : paths.reads.filter(({ tree }) => tree);
  return {
    ...change,
    effects: [...change.effects, ...shown],
    ...(reason !== undefined && { why: reason }),
    ...(head.danger && { danger: head.danger }),
  };
}

interface Head {
  /** The command of git and its words. */
  words: readonly Word[];
  /** Where `-C` leads, as given. */
  base: string;
  /** An option before the command that is not understood. */
  why?: string;
  danger?: string;
}

const harmless: ReadonlySet<string> = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--glob-pathspecs',
  '--noglob-pathspecs',
  '--icase-pathspecs',
  '--no-replace-objects',
  '--no-advice',
]);
const withValue: ReadonlySet<string> = new Set([
  '-c',
  '--config-env',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--attr-source',
  '--super-prefix',
  '--list-cmds',
]);

/** What stands before the command. */
function readHead(words: readonly Word[]): Head {
  let base = '.';
  let why: string | undefined;
  let danger: string | undefined;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) why ??= 'one of its words is known only when it runs';
    if (word === undefined || !word.startsWith('-')) break;
    if (harmless.has(word)) continue;
    if (word === '-C') {
      at++;
      const folder = words[at];
      if (folder === undefined) why ??= 'where it works is known only when it runs';
      else base = joinFolder(base, folder);
      continue;
    }
    why ??= `its option ${word} can change what git does`;
    if (word === '-c' && isSteeringPair(words[at + 1])) danger = changesWhatRuns;
    if (/^--(exec-path=|config-env)/.test(word)) danger = changesWhatRuns;
    if (withValue.has(word)) at++;
  }
  return { words: words.slice(at), base, ...(why !== undefined && { why }), ...(danger !== undefined && { danger }) };
}

function isVersion({ words, open }: Invocation, head: Head): boolean {
  if (open) return false;
  if (words.length === 2) return words[1] === '--version' || words[1] === 'version';
  return head.words.length === 1 && head.words[0] === 'version' && head.why === undefined;
}

/** Why not even a command that only looks is proved here. */
function doubt({ assigns, folders, open }: Invocation, base: string, facts: ShellFacts): string | undefined {
  if (open) return 'it gets more words when it runs';
  if (!assigns.every(isHarmlessAssignment)) return 'a variable can change what git does';
  const places = isAbsolute(base) ? [base] : folders?.map((folder) => joinFolder(folder, base));
  if (places === undefined) return 'where it works is known only when it runs';
  const { tameGit } = facts;
  if (tameGit === undefined) return 'nobody looked at the settings of the repository';
  return places.every((place) => tameGit(place)) ? undefined : 'the settings of the repository may run programs';
}

type Read = Extract<Effect, { kind: 'read' }>;

/** What a command that only looks reads; or why it is not one. No reason: it is known to do more. */
function pathsRead(
  command: string,
  rest: readonly Word[],
  base: string,
  { invocation, facts }: { invocation: Invocation; facts: ShellFacts },
): { reads: readonly Read[] } | { why: string | undefined } {
  const [second, ...others] = rest;
  const pair = second === undefined ? undefined : looks.get(`${command} ${second}`);
  const look = pair ?? looks.get(command);
  if (look === undefined) return { why: undefined };
  const words = pair ? others : rest;
  const end = words.indexOf('--');
  const paths = end === -1 ? [] : words.slice(end + 1);
  if (!paths.every(isDefined)) return { why: 'one of its words is known only when it runs' };
  const reading = readOptions(end === -1 ? words : words.slice(0, end), look.table);
  if (isMisread(reading)) return reading;
  const why = look.refuses?.(reading, paths) ?? suspicious(reading);
  if (why !== undefined) return { why };
  const named = [...likelyFiles(command, reading), ...filesIn(look, reading), ...paths]
    .filter((path) => !path.startsWith(':'))
    .map((path) => joinFolder(base, path));
  if (!showsText(pair ? `${command} ${second}` : command, reading)) return { reads: readsOf([base, ...named]) };
  const at = (path: string) => joinFolder(base, path);
  const given = searched(command, reading).filter(isDefined);
  const limits = limitsOf(reading, given, paths, (path) => isThere(at(path), invocation, facts));
  const trees = limits.paths.map(at).filter((path) => !isFile(path, invocation, facts));
  const above = isBelow(invocation, base, facts) ? limits.files.map((file) => `${facts.cwd}/${file}`) : [];
  return {
    reads: [
      ...(limits.whole ? everything(invocation, base, facts) : readsOf([base])),
      ...readsOf([...new Set([...named, ...trees, ...above])], new Set(trees)),
    ],
  };
}

function readsOf(paths: readonly string[], trees: ReadonlySet<string> = new Set()): Read[] {
  return paths.map((path) => ({ kind: 'read', path, ...(trees.has(path) && { tree: true }) }));
}

/** The text of the whole repository, which does not begin in the folder below it that git is started in. */
function everything(invocation: Invocation, base: string, facts: ShellFacts): Read[] {
  const places = isBelow(invocation, base, facts) ? [base, facts.cwd] : [base];
  return readsOf(places, new Set(places));
}

/** It may be started in a folder below the one of the line. */
function isBelow({ folders = [] }: Invocation, base: string, { cwd }: ShellFacts): boolean {
  const places = isAbsolute(base) ? [base] : folders.map((folder) => joinFolder(folder, base));
  return places.some((place) => place.startsWith(`${cwd}/`));
}

/** The operands that say where it looks, not for what. */
function searched(command: string, { operands, options }: Reading): readonly Word[] {
  const isPattern = command === 'grep' && !options.some(({ name }) => name === 'e' || name === 'f');
  return isPattern ? operands.slice(1) : operands;
}

/** A value that looks like an option may be one for another git. */
function suspicious(reading: Reading): string | undefined {
  const { options } = reading;
  if (options.some((option) => 'value' in option && option.value === undefined)) {
    return 'one of its words is known only when it runs';
  }
  if (options.some(({ name, value }) => value?.startsWith('-') && !(name === 'sort' && /^-[a-z]/.test(value)))) {
    return 'a value looks like an option';
  }
  return checksSignatures(reading) ? 'its format has signatures checked, which starts another program' : undefined;
}

/** `-L 1,5:file` names one too. */
function filesIn({ files = [] }: Look, reading: Reading): string[] {
  const ranges = valuesOf(reading, 'L').flatMap((range) => range?.split(':').slice(1).at(-1) ?? []);
  return [...valuesOf(reading, ...files).filter(isDefined), ...ranges];
}

/**
 * Operands that may be files, told from revisions by their look. The repository is read anyway: this is for rules about
 * single files, and for `diff`, which compares any two files when one is outside.
 */
function likelyFiles(command: string, { operands, options }: Reading): string[] {
  const known = operands.filter(isDefined);
  const given = (...names: string[]) => options.some(({ name }) => names.includes(name));
  if (given('no-index') || (command === 'diff' && known.some(leadsOut))) return known;
  // `HEAD:folder` is one too.
  if (command === 'grep') return (given('e', 'f') ? known : known.slice(1)).map((word) => word.replace(/^[^:]+:/, ''));
  if (command === 'blame') return known.slice(-1);
  if (!openers.test(command)) return [];
  return known.flatMap((word) => {
    const path = fileAt(word);
    return path !== undefined ? [path] : isPathLike(word) ? [word] : [];
  });
}

const openers = /^(diff|log|show|cat-file|whatchanged|stash|rev-list|ls-files|ls-tree|check-ignore)/;

function leadsOut(word: string): boolean {
  return isAbsolute(word) || /(^|\/)\.\.(\/|$)/.test(word);
}

function isPathLike(word: string): boolean {
  if (leadsOut(word) || word.startsWith('./')) return true;
  return /[./]/.test(word) && !/\.\.|[~^@]|^v?[0-9]/.test(word);
}

/** Not normalised: after a link, `..` leads elsewhere. */
function joinFolder(base: string, path: string): string {
  if (isAbsolute(path) || base === '.') return path === '' ? base : path;
  return path === '.' || path === '' ? base : `${base}/${path}`;
}

function isDefined(word: Word): word is string {
  return word !== undefined;
}
