/**
 * Whose text a call of git shows. The names of files, and what is said about commits, are no text of files; a patch is, and
 * it is one of the whole repository unless paths are named.
 */
import { isAbsolute } from 'node:path/posix';
import type { Invocation, ShellFacts, Word } from '../../invocation.ts';
import { wordSet } from '../danger.ts';
import { isEmptyOrNoFolder } from '../folders.ts';
import type { Reading } from '../options.ts';

/** They make a patch of what would only be told about. */
const patching = wordSet(
  'p u patch U unified patch-with-stat patch-with-raw W function-context word-diff word-diff-regex color-words binary c ' +
    'cc m L check',
);
/** With one of these, and none of those, there is no patch. */
const telling = wordSet(
  's no-patch raw stat numstat shortstat dirstat summary compact-summary name-only name-status quiet',
);
const patchers = wordSet('diff show');
const tellers = new Set([
  ...wordSet('log whatchanged reflog stash diff-tree diff-index diff-files'),
  'reflog show',
  'stash list',
  'stash show',
]);
/** Whatever else they do, what is in files comes with it. */
const packers = wordSet('archive format-patch bundle fast-export range-diff difftool grep blame annotate cat-file');

/** True when a call that is understood shows more of a file than its name. */
export function showsText(command: string, { options, operands }: Reading): boolean {
  const given = (names: ReadonlySet<string>) => options.some(({ name }) => names.has(name));
  const [verb] = operands;
  switch (command) {
    case 'grep':
      return true;
    case 'status':
      return options.some(({ name }) => name === 'v' || name === 'verbose');
    case 'cat-file':
      return (
        options.some(({ name }) => name === 'batch' || name === 'p') || (options.length === 0 && verb !== undefined)
      );
    default:
      if (given(patching)) return patchers.has(command) || tellers.has(command);
      return patchers.has(command) && !given(telling);
  }
}

/** The same for a call that is not understood, by what it may mean. */
export function mayShowText(command: string, words: readonly Word[]): boolean {
  if (patchers.has(command) || packers.has(command)) return true;
  const patch = /^-[A-Za-z]*[puUWLcm]|^--(pat|uni|func|word|color-w|bin|cc|check|ext|textconv|remerge|diff-m)/;
  return tellers.has(command) && words.some((word) => word === undefined || patch.test(word));
}

export interface Limits {
  /** It may be anything in the repository, beside what is named. */
  whole: boolean;
  paths: readonly string[];
  /** Single files at a revision. */
  files: readonly string[];
}

/**
 * What the words of a call limit it to. Before `--` git takes a word for a revision if it can, and for a path only if
 * there is something of that name.
 */
export function limitsOf(
  { options }: Reading,
  given: readonly string[],
  after: readonly string[],
  there: (path: string) => boolean,
): Limits {
  const files: string[] = [];
  const paths: string[] = [...after];
  let revisions = false;
  for (const word of given) {
    const file = fileAt(word);
    if (file !== undefined) files.push(file);
    else if (isCertain(word) || there(word)) paths.push(word);
    else revisions = true;
  }
  const wide = options.some(({ name }) => name === 'full-diff') || [...given, ...after].some(isMagic);
  // `git show HEAD main:x` shows all of the one and a file of the other.
  return { whole: wide || (paths.length === 0 && (revisions || files.length === 0)), paths, files };
}

/** `HEAD:file`, and without a revision the one that is staged: `:file`, `:2:file`. */
export function fileAt(word: string): string | undefined {
  return /^(?:[^:]+:|:[0-3]:|:(?!\/))(.*)$/s.exec(word)?.[1];
}

/** A pattern, or a word that says how to take another. */
function isMagic(path: string): boolean {
  return /^:[/!^(]|[*?[\\]/.test(path);
}

/** No name of a branch looks like this. */
function isCertain(word: string): boolean {
  return isAbsolute(word) || /^\.{1,2}(\/|$)|\/\.\.?(\/|$)/.test(word);
}

/** There is a file of this name, or a folder with nothing in it. */
export function isFile(path: string, invocation: Invocation, facts: ShellFacts): boolean {
  return isThere(path, invocation, facts) && isEmptyOrNoFolder(path, invocation, facts);
}

/** True when there is something of this name in every folder it may be started in. */
export function isThere(path: string, { folders }: Invocation, { glob }: ShellFacts): boolean {
  if (!glob || folders === undefined || path === '' || /[*?[\\]|[/.]$/.test(path)) return false;
  return folders.every((folder) => glob(`${path.slice(0, -1)}?`, folder)?.includes(path) === true);
}
