/**
 * Finds a repository's parts by reading its files: no program runs, and nothing it says about itself is obeyed. A `.git`
 * that points elsewhere counts only if that place points back, so that a stranger's folder cannot show another's history.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInside, readStart } from '../prompt/plain-file.ts';

export interface Repository {
  root: string;
  /** Where HEAD and the index are. */
  gitDir: string;
  /** Where objects and branches are; another one only for a further worktree. */
  commonDir: string;
  head: Head;
}

/** The branch that is checked out, which may have no commit yet, or the commit alone. */
type Head = { branch: string } | { commit: string };

/** Undefined when there is none, or none that can be understood: then there is nothing to tell. */
export function openRepository(root: string): Repository | undefined {
  try {
    const folders = findFolders(root);
    const head = folders && parseHead(readStart(join(folders.gitDir, 'HEAD'), 4096).text);
    return head && { root, ...folders, head };
  } catch {
    return undefined;
  }
}

/** The files that tell of a switch when they change; none outside a repository. */
export function headFiles(root: string): string[] {
  try {
    const folders = findFolders(root);
    return folders ? [join(folders.gitDir, 'HEAD'), join(folders.gitDir, 'reftable', 'tables.list')] : [];
  } catch {
    return [];
  }
}

/** Its branches are in a table that only git reads; HEAD says nothing then. */
export function hasReftable(root: string): boolean {
  try {
    const folders = findFolders(root);
    return (
      folders !== undefined &&
      /^ref: refs\/heads\/\.invalid\s*$/.test(readStart(join(folders.gitDir, 'HEAD'), 4096).text)
    );
  } catch {
    return false;
  }
}

function findFolders(root: string): { gitDir: string; commonDir: string } | undefined {
  const dotGit = join(root, '.git');
  const stat = lstatSync(dotGit, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile()) {
    const gitDir = realpathSync.native(dotGit);
    return isInside(gitDir, root) ? { gitDir, commonDir: gitDir } : undefined;
  }
  const pointer = /^gitdir: ([^\n]+)/.exec(readStart(dotGit, 4096).text)?.[1];
  if (pointer === undefined) return undefined;
  const gitDir = realpathSync.native(resolve(root, pointer.trim()));
  if (isInside(gitDir, root)) return { gitDir, commonDir: gitDir };
  if (!pointsBack(gitDir, root)) return undefined;
  const common = readIfThere(join(gitDir, 'commondir'))?.trim();
  return { gitDir, commonDir: common ? realpathSync.native(resolve(gitDir, common)) : gitDir };
}

/** A worktree's folder names the worktree's `.git`; a submodule's names its working tree. */
function pointsBack(gitDir: string, root: string): boolean {
  const worktree = readIfThere(join(gitDir, 'gitdir'))?.trim();
  if (worktree) return isSame(resolve(gitDir, worktree), join(root, '.git'));
  const tree = /^\s*worktree\s*=\s*(.+)$/m.exec(readIfThere(join(gitDir, 'config')) ?? '')?.[1]?.trim();
  return tree !== undefined && isSame(resolve(gitDir, tree), root);
}

function isSame(a: string, b: string): boolean {
  return realpathSync.native(a) === realpathSync.native(b);
}

function readIfThere(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) ? readStart(path, 64 * 1024).text : undefined;
}

/** A name as git allows it: no blanks, no control characters, no way up. */
function parseHead(text: string): Head | undefined {
  const branch = /^ref: refs\/heads\/([^\s~^:?*[\\]{1,200})\s*$/.exec(text)?.[1];
  if (branch !== undefined) {
    return branch === '.invalid' || branch.includes('..') || hasControls(branch) ? undefined : { branch };
  }
  const commit = /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/.exec(text)?.[1];
  return commit === undefined ? undefined : { commit };
}

function hasControls(name: string): boolean {
  return [...name].some((character) => character < ' ' || (character >= '\x7f' && character <= '\x9f'));
}
