/** The search of this machine, loaded by whoever searches first: most runs never do. */
import type { Base } from '../local/resolve.ts';
import type { LocalSearchOptions } from './local-search.ts';
import type { Search } from './search.ts';

export function lateSearch(base: Base, options: LocalSearchOptions): Search {
  let loaded: Promise<Search> | undefined;
  return through(() => {
    loaded ??= import('./local-search.ts').then(({ localSearch }) => localSearch(base, options));
    return loaded;
  });
}

function through(search: () => Promise<Search>): Search {
  return {
    files: async (request) => (await search()).files(request),
    grep: async (request) => (await search()).grep(request),
    count: async (request) => (await search()).count(request),
    entries: async (folder) => (await search()).entries(folder),
    pinned: (places) => through(async () => (await search()).pinned(places)),
  };
}
