/** The search of this machine: the request made plain, the fastest engine that works, the answer put in order. */
import { existsSync, promises, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileError } from '../local/failure.ts';
import { type Base, fullPath, resolvePath } from '../local/resolve.ts';
import type { Engine, Place } from './engine.ts';
import { compileGlob } from './glob.ts';
import { comparePaths, type RawPath, toRaw, toSystem, toText } from './paths.ts';
import { checkPattern } from './pattern.ts';
import { plainEngine } from './plain.ts';
import { findRipgrep } from './program.ts';
import { ripgrepEngine } from './ripgrep.ts';
import type { FolderEntry, Search, SearchRequest } from './search.ts';

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

  return {
    async files(request) {
      const place = await placeOf(base, request);
      const files: RawPath[] = [];
      let denied = 0;
      let complete = true;
      let unreadable = 0;
      const onUnreadable = (count: number) => {
        unreadable += count;
      };
      for await (const batch of (await engine()).list(place, onUnreadable)) {
        const named = place.glob ? place.glob.select(batch, (path) => path) : batch;
        const allowed = named.filter(place.allowed);
        denied += named.length - allowed.length;
        for (const path of allowed) files.push(path);
        complete = files.length <= maxSorted;
        if (!complete) break;
      }
      // Whoever only wants to know how many there are is not made to wait for their ages.
      const dated = request.limit > 0 ? files.slice(0, maxSorted) : [];
      const sorted = await newestFirst(place, dated, (path) => path);
      const shown = sorted.slice(0, request.limit).map(({ item, mtimeMs }) => ({ path: toText(item), mtimeMs }));
      return { files: shown, total: request.limit > 0 ? sorted.length : files.length, denied, complete, unreadable };
    },

    async grep(request) {
      checkPattern(request);
      const place = await placeOf(base, request);
      const wanted = { ...request, context: request.context ?? 0 };
      const found = await (await engine()).lines(place, wanted);
      return { ...found, files: found.files.map(({ path, lines }) => ({ path: toText(path), lines })) };
    },

    async count(request) {
      checkPattern(request);
      const place = await placeOf(base, request);
      const { files, complete, unreadable } = await (await engine()).counts(place, request, maxSorted);
      const sorted = await newestFirst(place, files, ({ path }) => path);
      const shown = sorted.slice(0, request.limit).map(({ item, mtimeMs }) => ({
        path: toText(item.path),
        count: item.count,
        mtimeMs,
      }));
      const totalLines = files.reduce((sum, { count }) => sum + count, 0);
      return { files: shown, totalFiles: files.length, totalLines, complete, unreadable };
    },

    entries: (folder) => entriesOf(base, folder),
  };
}

async function chooseEngine({ env, project, engine, timeoutMs }: LocalSearchOptions): Promise<Engine> {
  const program = engine === 'plain' ? undefined : await findRipgrep(env, project);
  return program === undefined ? plainEngine() : ripgrepEngine(program, timeoutMs);
}

async function placeOf(base: Base, request: SearchRequest): Promise<Place> {
  const { root, glob, mayRead, signal, gitIgnored = false } = request;
  // Tidied as text, as the rules are.
  const written = resolve(fullPath(base, root));
  const real = await resolvePath(base, root);
  const stat = await promises.stat(real).catch((cause: unknown) => {
    throw fileError('inspect', root, cause);
  });
  const isFolder = stat.isDirectory();
  const folder = isFolder ? real : dirname(real);
  const compiled = isFolder && glob !== undefined ? await compileGlob(glob) : undefined;
  return {
    root: toRaw(folder === '/' ? '' : folder),
    ...(!isFolder && { only: toRaw(basename(real)) }),
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
      // Ten times faster than waiting for each, and a few at a time nobody waits for long.
      const stat = statSync(toSystem(`${root}/${pathOf(item)}`), { throwIfNoEntry: false });
      if (stat) found.push({ item, mtimeMs: stat.mtimeMs });
    }
    await new Promise((next) => setImmediate(next));
  }
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs || comparePaths(pathOf(a.item), pathOf(b.item)));
}

async function entriesOf(base: Base, folder: string): Promise<FolderEntry[]> {
  try {
    const full = fullPath(base, folder);
    const found = await promises.readdir(full, { withFileTypes: true });
    const entries = found.map(async (entry): Promise<FolderEntry> => {
      const { name } = entry;
      if (!entry.isSymbolicLink()) {
        return { name, kind: entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other' };
      }
      const target = await promises.readlink(`${full}/${name}`).catch(() => undefined);
      return { name, kind: 'link', ...(target !== undefined && { target }) };
    });
    return (await Promise.all(entries)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw fileError('list', folder, cause);
  }
}
