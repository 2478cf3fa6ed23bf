/** What a session needs of the place where its entries are kept. In memory here; in a file in `file-storage.ts`. */
import type { SessionEntry, SessionHeader } from '@tau/core';
import { headOf } from './head.ts';
import { createTree, type Tree } from './tree.ts';

export interface Storage {
  readonly header: SessionHeader;
  readonly path: string | undefined;
  readonly tree: Tree;
  /**
   * The entries at these places. Undefined for one that turns out to be damaged: it is reported and dropped from the
   * tree, so whoever went by the tree looks again.
   */
  read(places: readonly number[]): (SessionEntry | undefined)[];
  /** When it returns the entry is kept for good; when it throws nothing has changed. */
  append(entry: SessionEntry): void;
  /** Only these are likely to be read again. */
  release(places: ReadonlySet<number>): void;
  /** How many bytes were added after the entry at this place; nothing where that costs no one anything. */
  bytesAfter(place: number): number | undefined;
  close(): void;
}

export function memoryStorage(header: SessionHeader, given: readonly SessionEntry[] = []): Storage {
  const entries: SessionEntry[] = [];
  const tree = createTree();
  function append(entry: SessionEntry): void {
    entries.push(entry);
    tree.add(headOf(entry));
  }
  for (const entry of given) append(entry);
  return {
    header,
    path: undefined,
    tree,
    read: (places) => places.map((place) => entries[place]),
    append,
    release() {},
    bytesAfter: () => undefined,
    close() {},
  };
}
