/** The search of this machine: the request made plain, the fastest engine that works, the answer put in order. */
import { existsSync, lstatSync, promises } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileError } from '../local/failure.ts';
import { type Base, fullPath } from '../local/resolve.ts';
import type { Engine, Place } from './engine.ts';
import { compileGlob } from './glob.ts';
import { comparePaths, type RawPath, toRaw, toSystem, toText } from './paths.ts';
import { checkPattern } from './pattern.ts';
import { plainEngine } from './plain.ts';
import { findRipgrep } from './program.ts';
import { ripgrepEngine } from './ripgrep.ts';
import { type Begin, type Root, withRoot } from './root.ts';
import type { FilesFound, FolderEntry, Search, SearchRequest } from './search.ts';
import { steadily } from './steady.ts';

/** Files that are sorted by age; of more, those that were met first. */
const maxSorted = 200_000;
/** Files looked at between two turns of the event loop. */
const statsAtOnce = 256;

export interface LocalSearchOptions {
  env: NodeJS.ProcessEnv;
  /** The folder whose programs are not the user's. */
  project: string;
  /** Tests compare the two. Default: ripgrep when there is one. */
  engine?: 'ripgrep' | 'plain';
  /** How long ripgrep may take. */
  timeoutMs?: number;
}

export function localSearch(base: Base, options: LocalSearchOptions): Search {
  let chosen: Promise<Engine> | undefined;
  const engine = () => {
    chosen ??= chooseEngine(options);
    return chosen;
  };
  return searchFrom({ base }, engine);
}

function searchFrom(begin: Begin, engine: () => Promise<Engine>): Search {
  const within = <T>(request: SearchRequest, use: (place: Place) => Promise<T>): Promise<T> =>
    withRoot('search', request.root, begin, async (root) => use(await placeOf(begin.base, root, request)));

  return {
    files: (request) =>
      within(request, async (place) => {
        if (request.namesOnly) return namesOf(await engine(), place, request.limit);
        const list = async () => listed(await engine(), place, request.limit);
        const { found, moved } = await steadily(place, list, ({ shown }) => shown.map(({ item }) => item));
        const { shown, total, unreadable, ...rest } = found;
        const files = shown.filter(({ item }) => !moved.has(item));
        return {
          files: files.map(({ item, mtimeMs }) => ({ path: toText(item), mtimeMs })),
          total: total - moved.size,
          unreadable: unreadable + moved.size,
          ...rest,
        };
      }),

    async grep(request) {
      checkPattern(request);
      return within(request, async (place) => {
        const wanted = { ...request, context: request.context ?? 0 };
        const lines = async () => (await engine()).lines(place, wanted);
        const { found, moved } = await steadily(place, lines, ({ files }) => files.map(({ path }) => path));
        const files = found.files.filter(({ path }) => !moved.has(path));
        return {
          files: files.map(({ path, lines }) => ({ path: toText(path), lines })),
          matches: files.reduce((sum, { lines }) => sum + lines.filter(({ isMatch }) => isMatch).length, 0),
          complete: found.complete,
          unreadable: found.unreadable + moved.size,
        };
      });
    },

    async count(request) {
      checkPattern(request);
      return within(request, async (place) => {
        const counts = async () => (await engine()).counts(place, request, maxSorted);
        const { found, moved } = await steadily(place, counts, ({ files }) => files.map(({ path }) => path));
        const files = found.files.filter(({ path }) => !moved.has(path));
        const sorted = await newestFirst(place, files, ({ path }) => path);
        const shown = sorted.slice(0, request.limit).map(({ item, mtimeMs }) => ({
          path: toText(item.path),
          count: item.count,
          mtimeMs,
        }));
        return {
          files: shown,
          totalFiles: files.length,
          totalLines: files.reduce((sum, { count }) => sum + count, 0),
          complete: found.complete,
          unreadable: found.unreadable + moved.size,
        };
      });
    },

    entries: (folder) => withRoot('list', folder, begin, ({ at }) => entriesOf(folder, at)),

    pinned: (more) => searchFrom({ ...begin, places: new Map([...(begin.places ?? []), ...more]) }, engine),
  };
}

/** The newest files, with what is to be told of all. */
async function listed(engine: Engine, place: Place, limit: number) {
  const files: RawPath[] = [];
  let denied = 0;
  let complete = true;
  let unreadable = 0;
  const onUnreadable = (count: number) => {
    unreadable += count;
  };
  for await (const batch of engine.list(place, onUnreadable)) {
    const named = place.glob ? place.glob.select(batch, (path) => path) : batch;
    const allowed = named.filter(place.allowed);
    denied += named.length - allowed.length;
    for (const path of allowed) files.push(path);
    complete = files.length <= maxSorted;
    if (!complete) break;
  }
  // Whoever only wants to know how many there are is not made to wait for their ages.
  const dated = limit > 0 ? files.slice(0, maxSorted) : [];
  const sorted = await newestFirst(place, dated, (path) => path);
  const total = limit > 0 ? sorted.length : files.length;
  return { shown: sorted.slice(0, limit), total, denied, complete, unreadable };
}

/** Nothing but what the engine met: nobody reads a file because of it. */
async function namesOf(engine: Engine, place: Place, limit: number): Promise<FilesFound> {
  const files: FilesFound['files'] = [];
  let denied = 0;
  let unreadable = 0;
  const onUnreadable = (count: number) => {
    unreadable += count;
  };
  for await (const batch of engine.list(place, onUnreadable)) {
    const named = place.glob ? place.glob.select(batch, (path) => path) : batch;
    const allowed = named.filter(place.allowed);
    denied += named.length - allowed.length;
    for (const path of allowed) files.push({ path: toText(path), mtimeMs: 0 });
    if (files.length > limit) break;
  }
  const complete = files.length <= limit;
  return { files: files.slice(0, limit), total: files.length, denied, complete, unreadable };
}

async function chooseEngine({ env, project, engine, timeoutMs }: LocalSearchOptions): Promise<Engine> {
  const program = engine === 'plain' ? undefined : await findRipgrep(env, project);
  return program === undefined ? plainEngine() : ripgrepEngine(program, timeoutMs);
}

async function placeOf(base: Base, { path: folder, at, only }: Root, request: SearchRequest): Promise<Place> {
  const { root, glob, mayRead, signal, gitIgnored = false } = request;
  // Tidied as text, as the rules are.
  const written = resolve(fullPath(base, root));
  const isFolder = only === undefined;
  const real = isFolder ? folder : join(folder, only);
  const compiled = isFolder && glob !== undefined ? await compileGlob(glob) : undefined;
  return {
    root: toRaw(folder === '/' ? '' : folder),
    at: toRaw(at === '/' ? '' : at),
    ...(!isFolder && { only: toRaw(only) }),
    ...(compiled && { glob: compiled }),
    inRepository: isInRepository(folder),
    gitIgnored,
    allowed(path) {
      if (!mayRead) return true;
      const below = toText(path);
      return mayRead(join(folder, below)) && (written === real || mayRead(isFolder ? join(written, below) : written));
    },
    signal,
  };
}

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(`${at}/.git`)) return true;
    if (at === dirname(at)) return false;
  }
}

/** Those that are still there, the last changed first, and by path where that is equal. */
async function newestFirst<T>(
  { root, signal }: Place,
  items: readonly T[],
  pathOf: (item: T) => RawPath,
): Promise<{ item: T; mtimeMs: number }[]> {
  const found: { item: T; mtimeMs: number }[] = [];
  for (let at = 0; at < items.length; at += statsAtOnce) {
    signal.throwIfAborted();
    for (const item of items.slice(at, at + statsAtOnce)) {
      // Ten times faster than waiting for each, and a few at a time nobody waits for long. By the plain path, which is
      // the shorter way: it is only about their age.
      const stat = lstatSync(toSystem(`${root}/${pathOf(item)}`), { throwIfNoEntry: false });
      if (stat) found.push({ item, mtimeMs: stat.mtimeMs });
    }
    await new Promise((next) => setImmediate(next));
  }
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs || comparePaths(pathOf(a.item), pathOf(b.item)));
}

async function entriesOf(folder: string, at: string): Promise<FolderEntry[]> {
  try {
    const found = await promises.readdir(at, { withFileTypes: true });
    const entries = found.map(async (entry): Promise<FolderEntry> => {
      const { name } = entry;
      if (!entry.isSymbolicLink()) {
        return { name, kind: entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other' };
      }
      const target = await promises.readlink(`${at}/${name}`).catch(() => undefined);
      return { name, kind: 'link', ...(target !== undefined && { target }) };
    });
    return (await Promise.all(entries)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw fileError('list', folder, cause);
  }
}
