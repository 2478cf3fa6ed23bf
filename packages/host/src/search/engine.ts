/** What an engine is asked, when everything that does not depend on the engine is settled. */
import type { Glob } from './glob.ts';
import type { RawPath } from './paths.ts';
import type { FoundLine, TextPattern } from './search.ts';

export interface Place {
  /** A folder, with no link in its path. */
  root: RawPath;
  /** The way to the root by which everything below it is reached. */
  at: RawPath;
  /** Only this file in it, even if it is ignored. */
  only?: RawPath;
  glob?: Glob;
  /** The root is in a git repository: what git ignores above it does not count, nor across one further down. */
  inRepository: boolean;
  /** What git ignores is searched too. */
  gitIgnored: boolean;
  /** May the file below the root be read? */
  allowed(path: RawPath): boolean;
  signal: AbortSignal;
}

export interface LinesWanted extends TextPattern {
  context: number;
  limit: number;
}

export interface LinesFound {
  /** In the order of their paths. */
  files: { path: RawPath; lines: FoundLine[] }[];
  matches: number;
  complete: boolean;
  unreadable: number;
}

export interface CountsFound {
  files: { path: RawPath; count: number }[];
  complete: boolean;
  unreadable: number;
}

export interface Engine {
  /** Every file there is, those that may not be read too: whoever asks must count them. */
  list(place: Place, onUnreadable: (count: number) => void): AsyncIterable<RawPath[]>;
  lines(place: Place, wanted: LinesWanted): Promise<LinesFound>;
  counts(place: Place, wanted: TextPattern, maxFiles: number): Promise<CountsFound>;
}

/** The files of a batch that are asked about and may be read. */
export function selected<T>({ glob, allowed }: Place, items: readonly T[], pathOf: (item: T) => RawPath): T[] {
  const named = glob ? glob.select(items, pathOf) : items;
  return named.filter((item) => allowed(pathOf(item)));
}
