/**
 * The files and folders of the project, for whoever types `@`. Listed when somebody first asks, then kept and listed again
 * in the background: an answer never waits for the disk twice.
 */
import { type PathPool, poolOf, type Ranking, rank } from './rank.ts';

export interface FileIndex {
  /** Files and folders (with a slash) that fit, the best first. */
  find(query: string, signal: AbortSignal): readonly string[] | Promise<readonly string[]>;
  /** Something may have changed: listed again when somebody asks. */
  touch(): void;
  close(): void;
}

export interface FileIndexOptions {
  list(signal: AbortSignal): Promise<{ paths: readonly string[]; complete: boolean }>;
  /** Not all files could be listed, or none. */
  onProblem(text: string): void;
  now(): number;
}

const limit = 100;
/** Between two turns of the event loop. */
const atOnce = 20_000;
/** A list older than this is made again when it is asked for. */
const staleMs = 15_000;

export function createFileIndex({ list, onProblem, now }: FileIndexOptions): FileIndex {
  const closing = new AbortController();
  let pool: PathPool | undefined;
  let listedAt = 0;
  let listing: Promise<void> | undefined;
  let told = false;
  /** The last search: whoever types on looks only at what fitted so far. */
  let last: ({ query: string; pool: PathPool } & Pick<Ranking, 'fitting'>) | undefined;

  function relist(): Promise<void> {
    listing ??= list(closing.signal)
      .then(async ({ paths, complete }) => {
        pool = await poolOf(await withFolders(paths));
        listedAt = now();
        if (!complete && !told) onProblem('There are too many files to offer all of them with @.');
        told ||= !complete;
      })
      .finally(() => {
        listing = undefined;
      });
    return listing;
  }

  function search(
    within: PathPool,
    query: string,
    signal: AbortSignal,
  ): readonly string[] | Promise<readonly string[]> {
    if (query === '') return within.shallow.slice(0, limit);
    const narrows = last?.pool === within && query.startsWith(last.query) && !/\s$/.test(query);
    const found = rank(within, query, { signal, limit, ...(narrows && last && { among: last.fitting }) });
    const keep = ({ best, fitting }: Ranking) => {
      if (!signal.aborted) last = { query, pool: within, fitting };
      // A folder that stands there already is chosen for what is in it, and only then for itself.
      return best[0] === query ? [...best.slice(1), query] : best;
    };
    return found instanceof Promise ? found.then(keep) : keep(found);
  }

  return {
    find(typed, signal) {
      const query = typed.replace(/^\.\//, '');
      if (pool === undefined) return relist().then(() => (pool ? search(pool, query, signal) : []));
      if (now() - listedAt > staleMs) {
        void relist().catch((error: unknown) => {
          if (!closing.signal.aborted) onProblem(`The files could not be listed again: ${String(error)}`);
          listedAt = now();
        });
      }
      return search(pool, query, signal);
    },
    touch() {
      listedAt = 0;
    },
    close: () => closing.abort(),
  };
}

/** No mention can name it. */
const unspeakable = /[\p{Cc}"]/u;

/** Every folder that has a file, behind the files. */
async function withFolders(paths: readonly string[]): Promise<string[]> {
  const folders = new Set<string>();
  for (const [at, path] of paths.entries()) {
    if (at % atOnce === 0) await new Promise((next) => setImmediate(next));
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folder = path.slice(0, cut + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...paths, ...folders].filter((path) => !unspeakable.test(path));
}
