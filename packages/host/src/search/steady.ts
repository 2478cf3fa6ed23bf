/**
 * Below its root an engine goes from name to name, so a folder there can become a link while it looks. Whoever does that
 * leaves a mark: the folder that holds the name has changed, and so has what bears the name now, or it is a link.
 * What was found by such a way is looked for again, and left out if the way does not come to rest.
 */
import { lstatSync, type Stats } from 'node:fs';
import type { Place } from './engine.ts';
import { type RawPath, toSystem } from './paths.ts';

const rounds = 3;
/** The clock of a file system goes by ticks, of which the longest is ten milliseconds. */
const tickMs = 12;
/** Longer than a tick: what was made right before the first round is at rest in the second. */
const pauseMs = 20;
/** Looks between two turns of the event loop. */
const looksAtOnce = 512;

export async function steadily<T>(
  { at, signal }: Place,
  search: () => Promise<T>,
  pathsIn: (found: T) => readonly RawPath[],
): Promise<{ found: T; moved: ReadonlySet<RawPath> }> {
  for (let round = 1; ; round++) {
    const since = Date.now() - tickMs;
    const found = await search();
    const moved = await movedSince(since, at, pathsIn(found));
    if (moved.size === 0 || round === rounds) return { found, moved };
    await new Promise((next) => setTimeout(next, pauseMs));
    signal.throwIfAborted();
  }
}

async function movedSince(since: number, at: RawPath, paths: readonly RawPath[]): Promise<Set<RawPath>> {
  const folders = await looksAt(new Set(paths.map(above)), at, since);
  // In a folder at rest every name means what it meant before: mostly that is all there is to see.
  const doubtful = paths.filter((path) => waysTo(above(path)).some((way) => folders.get(way) !== 'rests'));
  const looks = await looksAt(new Set(doubtful), at, since);
  const isMoved = (way: RawPath) => {
    const here = looks.get(way);
    return way !== '' && here !== 'rests' && (here !== 'changed' || looks.get(above(way)) !== 'rests');
  };
  return new Set(doubtful.filter((path) => waysTo(path).some(isMoved)));
}

/** Looks at the paths and at all that is on the way to them. */
async function looksAt(paths: ReadonlySet<RawPath>, at: RawPath, since: number): Promise<Map<RawPath, Look>> {
  const depths: Set<RawPath>[] = [];
  for (const path of paths) {
    for (const [depth, way] of waysTo(path).reverse().entries()) {
      depths[depth] ??= new Set();
      depths[depth].add(way);
    }
  }
  const looks = new Map<RawPath, Look>();
  // The deepest first: when a folder is seen to be at rest, so was the way to what was seen in it before.
  for (const way of depths.reverse().flatMap((ways) => [...ways])) {
    looks.set(way, lookAt(`${at}/${way}`, since));
    if (looks.size % looksAtOnce === 0) await new Promise((next) => setImmediate(next));
  }
  return looks;
}

type Look = 'rests' | 'changed' | 'gone';

function lookAt(path: RawPath, since: number): Look {
  let found: Stats | undefined;
  try {
    found = lstatSync(toSystem(path), { throwIfNoEntry: false });
  } catch {
    // What cannot be looked at is not known to be there.
  }
  if (!found || found.isSymbolicLink()) return 'gone';
  return found.ctimeMs >= since ? 'changed' : 'rests';
}

/** The path, the folders above it and the root, which is the empty path. */
function waysTo(path: RawPath): RawPath[] {
  const ways = [path];
  for (let way = path; way !== ''; ) {
    way = above(way);
    ways.push(way);
  }
  return ways;
}

function above(way: RawPath): RawPath {
  return way.slice(0, Math.max(0, way.lastIndexOf('/')));
}
