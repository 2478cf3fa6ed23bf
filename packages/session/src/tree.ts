/**
 * The tree of entries by their heads, in the order of the file. The leaf is the last entry, and the active chain leads
 * from the root to it. An entry that turns out to be damaged is dropped, and the tree is as if it had never been there.
 */
import type { Head } from './head.ts';

export interface Tree {
  /** How many places there are, those of dropped entries included. */
  size(): number;
  /** Undefined where there is no entry, or none any more. */
  id(place: number): string | undefined;
  parentId(place: number): string | null | undefined;
  kind(place: number): string | undefined;
  /** The place of the last entry with this id. */
  placeOf(id: string): number | undefined;
  leaf(): number | undefined;
  /** The places from the root to the leaf. */
  chain(): readonly number[];
  pathTo(place: number): number[];
  add(head: Head): number;
  drop(place: number): void;
}

/** Columns instead of an object for each entry: a long session has a hundred thousand. */
export function createTree(): Tree {
  const ids: (string | undefined)[] = [];
  const parentIds: (string | null)[] = [];
  const kinds: string[] = [];
  /** Made when something is looked for elsewhere than one line up. */
  let places: Map<string, number> | undefined;
  let chain: number[] | undefined;

  function allPlaces(): Map<string, number> {
    if (places === undefined) {
      places = new Map();
      for (const [place, id] of ids.entries()) if (id !== undefined) places.set(id, place);
    }
    return places;
  }

  /** The last place before this one that has an entry, or -1. */
  function before(place: number): number {
    let at = place - 1;
    while (at >= 0 && ids[at] === undefined) at--;
    return at;
  }

  /** A parent is always an earlier line; where that line is missing, the entry before stands in, so that nothing older is lost. */
  function parentOf(place: number): number {
    const parentId = parentIds[place] ?? null;
    if (parentId === null) return -1;
    const near = before(place);
    if (near < 0 || ids[near] === parentId) return near;
    const found = allPlaces().get(parentId);
    if (found === undefined) return near;
    if (found < place) return found;
    for (let at = near; at >= 0; at--) if (ids[at] === parentId) return at;
    return near;
  }

  function pathTo(place: number): number[] {
    const path: number[] = [];
    for (let at = place; at >= 0; at = parentOf(at)) path.push(at);
    return path.reverse();
  }

  return {
    size: () => ids.length,
    id: (place) => ids[place],
    parentId: (place) => (ids[place] === undefined ? undefined : parentIds[place]),
    kind: (place) => (ids[place] === undefined ? undefined : kinds[place]),
    placeOf: (id) => allPlaces().get(id),
    leaf() {
      const place = before(ids.length);
      return place < 0 ? undefined : place;
    },
    chain() {
      chain ??= pathTo(before(ids.length));
      return chain;
    },
    pathTo,
    add({ id, parentId, kind }) {
      const last = ids.length === 0 ? undefined : ids[before(ids.length)];
      const place = ids.push(id) - 1;
      parentIds.push(parentId);
      kinds.push(kind);
      places?.set(id, place);
      if (parentId !== null && parentId === last) chain?.push(place);
      else chain = undefined;
      return place;
    },
    drop(place) {
      ids[place] = undefined;
      places = undefined;
      chain = undefined;
    },
  };
}
