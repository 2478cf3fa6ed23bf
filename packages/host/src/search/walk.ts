/** Walks a folder the way ripgrep does: names in order, ignore files of every level obeyed, no link followed. */
import { type Dirent, promises } from 'node:fs';
import { dirname } from 'node:path';
import { TauError } from '@tau/core';
import { type KeptFiles, keepFiles } from '../local/kept-files.ts';
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts';
import { type RawPath, toSystem, toText } from './paths.ts';
import { createTimeLimit, type TimeLimit } from './time-limit.ts';

/** Files are handed out this many at a time, or a few more. */
const batchSize = 256;
/** The strongest first. A file of one kind beats every file of the kinds after it, wherever they are. */
const kinds = ['.rgignore', '.ignore', '.gitignore', 'exclude'] as const;
const maxIgnoreBytes = 4 * 1024 * 1024;
/** For the names of one folder, where an ignore file could be made to take for ever. */
const maxMatchMs = 2000;

type Kind = (typeof kinds)[number];

/** The ignore files of one folder, and the way up. */
interface Level {
  /** What to put before a path below the root to make it one below this folder. */
  above: RawPath;
  /** How much of a path below the root leads to this folder. */
  below: number;
  rules: Partial<Record<Kind, IgnoreRules>>;
  isRepository: boolean;
  /** Its rules, or some above it. */
  mayBeSlow: boolean;
  parent: Level | undefined;
}

interface Folder {
  /** Below the root: empty, or with a slash at its end. */
  path: RawPath;
  parent: Level | undefined;
}

/** Ignore files as they were understood, from one walk to the next. */
export type KnownRules = KeptFiles<IgnoreRules | undefined>;

export function keepRules(): KnownRules {
  return keepFiles({ make: (content) => parseIgnoreRules(content.toString('latin1')), maxFileBytes: maxIgnoreBytes });
}

export interface WalkOptions {
  /** The way to the root by which everything below it is reached. */
  at: RawPath;
  inRepository: boolean;
  gitIgnored: boolean;
  signal: AbortSignal;
  known: KnownRules;
  onUnreadable(): void;
}

/** The regular files below the root, as paths below it. */
export async function* walk(root: RawPath, options: WalkOptions): AsyncGenerator<RawPath[]> {
  const { at, known, signal, onUnreadable } = options;
  let limit: TimeLimit | undefined;
  const limited = <T>(folder: RawPath, work: () => T): T => {
    limit ??= createTimeLimit(maxMatchMs);
    const done = limit(work);
    if (done) return done.value;
    throw new TauError('usage', `An ignore file takes too long to match the names in ./${toText(folder)}`, {
      remedy: 'Search another folder, install ripgrep, or use fewer stars in the ignore file.',
    });
  };
  let batch: RawPath[] = [];
  // What is ahead, the next at the end: files as text, folders to be entered.
  const ahead: (RawPath | Folder)[] = [{ path: '', parent: await levelsAbove(root, known) }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (typeof next === 'string') {
      batch.push(next);
    } else {
      signal.throwIfAborted();
      const found = await entriesOf(`${at}/${next.path}`);
      if (found) for (const item of await kept(found, { ...options, limited }, next)) ahead.push(item);
      else onUnreadable();
    }
    if (batch.length >= batchSize) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** What is to be visited in a folder, the first at the end. */
async function kept(
  entries: Dirent[],
  place: WalkOptions & { limited<T>(folder: RawPath, work: () => T): T },
  { path, parent }: Folder,
): Promise<(RawPath | Folder)[]> {
  const names = new Set(entries.map(({ name }) => name));
  const level = await levelOf(`${place.at}/${path}`, names, { above: '', below: path.length, parent }, place.known);
  const sorted = entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  const select = () => {
    const found: (RawPath | Folder)[] = [];
    for (const entry of sorted) {
      const isFolder = entry.isDirectory();
      if ((!isFolder && !entry.isFile()) || entry.name === '.git') continue;
      const at = path + entry.name;
      if (isIgnored(level, at, { ...place, isFolder })) continue;
      found.push(isFolder ? { path: `${at}/`, parent: level } : at);
    }
    return found;
  };
  return level?.mayBeSlow ? place.limited(path, select) : select();
}

function isIgnored(
  level: Level | undefined,
  path: RawPath,
  { isFolder, inRepository, gitIgnored }: WalkOptions & { isFolder: boolean },
): boolean {
  for (const kind of kinds) {
    const fromGit = kind === '.gitignore' || kind === 'exclude';
    if (fromGit && gitIgnored) break;
    for (let one = level; one; one = one.parent) {
      const said = one.rules[kind]?.ignores(one.above + path.slice(one.below), isFolder);
      if (said !== undefined) return said;
      // What git ignores ends at the repository.
      if (fromGit && one.isRepository && inRepository) break;
    }
  }
  return false;
}

/** The levels of the folders above the root, up to the top of the file system. */
async function levelsAbove(root: RawPath, known: KnownRules): Promise<Level | undefined> {
  if (root === '') return undefined;
  const folders: RawPath[] = [];
  for (let folder = root; folder !== dirname(folder); folder = dirname(folder)) folders.unshift(dirname(folder));
  let level: Level | undefined;
  for (const folder of folders) {
    const above = `${root.slice(folder === '/' ? 1 : folder.length + 1)}/`;
    level = await levelOf(`${folder}/`, undefined, { above, below: 0, parent: level }, known);
  }
  return level;
}

/** The folder's own level, or its parent's when it has nothing to say. `names` spares looking for what is not there. */
async function levelOf(
  folder: RawPath,
  names: ReadonlySet<string> | undefined,
  place: Pick<Level, 'above' | 'below' | 'parent'>,
  known: KnownRules,
): Promise<Level | undefined> {
  const rules: Level['rules'] = {};
  for (const kind of ['.rgignore', '.ignore', '.gitignore'] as const) {
    const found = names === undefined || names.has(kind) ? await known.at(toSystem(`${folder}${kind}`)) : undefined;
    if (found) rules[kind] = found;
  }
  const isRepository = names ? names.has('.git') : await exists(`${folder}.git`);
  const exclude = isRepository
    ? await known.at(toSystem(`${await gitFolder(`${folder}.git`)}/info/exclude`))
    : undefined;
  if (exclude) rules.exclude = exclude;
  const { parent } = place;
  const mayBeSlow = parent?.mayBeSlow === true || Object.values(rules).some((one) => one.mayBeSlow);
  return isRepository || Object.keys(rules).length > 0 ? { ...place, rules, isRepository, mayBeSlow } : parent;
}

/** Where a repository keeps its own files: in a worktree `.git` is a file that says it. */
async function gitFolder(path: RawPath): Promise<RawPath> {
  const [, named] = /^gitdir: *(.+?)\s*$/m.exec((await smallFile(path)) ?? '') ?? [];
  if (named === undefined) return path;
  const own = named.startsWith('/') ? named : `${dirname(path)}/${named}`;
  const common = (await smallFile(`${own}/commondir`))?.trim();
  return common === undefined ? own : common.startsWith('/') ? common : `${own}/${common}`;
}

/** Undefined when there is no such regular file, or none that can be used. */
async function smallFile(path: RawPath): Promise<string | undefined> {
  try {
    const stat = await promises.stat(toSystem(path));
    if (!stat.isFile() || stat.size > maxIgnoreBytes) return undefined;
    return await promises.readFile(toSystem(path), 'latin1');
  } catch {
    return undefined;
  }
}

async function exists(path: RawPath): Promise<boolean> {
  return promises.access(toSystem(path)).then(
    () => true,
    () => false,
  );
}

async function entriesOf(path: RawPath): Promise<Dirent[] | undefined> {
  try {
    // Names byte for byte, whatever the path itself is made of.
    return await promises.readdir(toSystem(path), { withFileTypes: true, encoding: 'latin1' });
  } catch {
    return undefined;
  }
}
