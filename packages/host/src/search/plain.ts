/** The search that needs no other program. Slower than ripgrep, and with the same answers. */
import { TauError } from '@tau/core';
import { upTo } from './clip.ts';
import { type CountsFound, type Engine, type LinesFound, type Place, selected } from './engine.ts';
import type { RawPath } from './paths.ts';
import { compilePattern, type LinePattern } from './pattern.ts';
import { openSource, pieceBuffers, type Source } from './pieces.ts';
import { createScanner, type ScanLimits, type Scanner } from './scan.ts';
import type { TextPattern } from './search.ts';
import { createTimeLimit } from './time-limit.ts';
import { type KnownRules, keepRules, walk } from './walk.ts';

/** Files that are read at the same time. */
const atOnce = 16;
/** How long a pattern may be busy with one round of pieces. */
const roundMs = 2000;

export function plainEngine(): Engine {
  const known = keepRules();
  return {
    list: (place, onUnreadable) => batches({ ...place, known }, () => onUnreadable(1)),

    async lines(place, wanted) {
      const found: LinesFound = { files: [], matches: 0, complete: true, unreadable: 0 };
      const limits = { context: wanted.context, limit: wanted.limit + 1, keep: true };
      for await (const { path, scan } of searched({ ...place, known }, wanted, limits, () => found.unreadable++)) {
        const room = wanted.limit - found.matches;
        const kept = scan.matches > room ? upTo(scan.lines, room, wanted.context) : scan.lines;
        if (kept.length > 0) found.files.push({ path, lines: kept });
        found.matches += Math.min(scan.matches, room);
        found.complete = scan.matches <= room;
        if (!found.complete) break;
      }
      return found;
    },

    async counts(place, wanted, maxFiles) {
      const found: CountsFound = { files: [], complete: true, unreadable: 0 };
      const limits = { context: 0, limit: Number.POSITIVE_INFINITY, keep: false };
      for await (const { path, scan } of searched({ ...place, known }, wanted, limits, () => found.unreadable++)) {
        found.complete = found.files.length < maxFiles;
        if (!found.complete) break;
        found.files.push({ path, count: scan.matches });
      }
      return found;
    },
  };
}

type Ground = Place & { known: KnownRules };

async function* batches(place: Ground, onUnreadable: () => void): AsyncGenerator<RawPath[]> {
  if (place.only !== undefined) yield [place.only];
  else yield* walk(place.root, { ...place, onUnreadable });
}

interface Searched {
  path: RawPath;
  scan: Scanner['scan'];
}

type Timed = (work: () => void) => void;

interface Work {
  pattern: LinePattern;
  limits: ScanLimits;
  timed: Timed;
  signal: AbortSignal;
  onUnreadable: () => void;
}

interface Reading {
  path: RawPath;
  source: Source;
  first: ReturnType<Source['next']>;
}

/** The files that have matches, in the order of their paths. Binary files have none. */
async function* searched(
  place: Ground,
  wanted: TextPattern,
  limits: ScanLimits,
  onUnreadable: () => void,
): AsyncGenerator<Searched> {
  const work = { pattern: compilePattern(wanted), limits, timed: createTimed(), signal: place.signal, onUnreadable };
  let ahead: Reading[] = [];
  const buffers = [pieceBuffers(atOnce), pieceBuffers(atOnce)];
  let round = 0;
  try {
    for await (const batch of batches(place, onUnreadable)) {
      const files = selected(place, batch, (path) => path);
      for (let at = 0; at < files.length; at += atOnce) {
        place.signal.throwIfAborted();
        const ready = ahead;
        // The next are read while these are searched.
        const free = buffers[round % 2] ?? [];
        round += 1;
        ahead = files.slice(at, at + atOnce).map((path, slot) => startReading(place.at, path, free[slot]));
        yield* searchRound(ready, work);
      }
    }
    const ready = ahead;
    ahead = [];
    yield* searchRound(ready, work);
  } finally {
    await closeAll(ahead);
  }
}

function startReading(at: RawPath, path: RawPath, buffer: Buffer | undefined): Reading {
  const source = openSource(`${at}/${path}`, buffer);
  return { path, source, first: source.next() };
}

async function closeAll(readings: readonly Reading[]): Promise<void> {
  await Promise.all(readings.map(async ({ first, source }) => first.finally(source.close)));
}

async function* searchRound(
  readings: readonly Reading[],
  { pattern, limits, timed, signal, onUnreadable }: Work,
): AsyncGenerator<Searched> {
  try {
    const firsts = await Promise.all(readings.map(({ first }) => first));
    const files = readings.map((reading, at) => ({ ...reading, taken: firsts[at], isBinary: false }));
    const open = files.map((file) => ({ ...file, scanner: createScanner(pattern, limits) }));
    for (const file of open) if (!file.taken) onUnreadable();
    timed(() => {
      for (const file of open) feed(file);
    });
    for (const file of open) {
      while (file.taken && !file.taken.last && !file.isBinary && file.scanner.scan.matches < limits.limit) {
        signal.throwIfAborted();
        file.taken = await file.source.next();
        if (!file.taken) onUnreadable();
        timed(() => feed(file));
      }
      if (!file.isBinary && file.scanner.scan.matches > 0) yield { path: file.path, scan: file.scanner.scan };
    }
  } finally {
    await closeAll(readings);
  }
}

function feed(file: { taken: Awaited<ReturnType<Source['next']>>; scanner: Scanner; isBinary: boolean }): void {
  if (!file.taken) return;
  file.isBinary = file.taken.piece.includes(0);
  if (!file.isBinary) file.scanner.feed(file.taken.piece, file.taken.last);
}

/** Stops a pattern that is too much for JavaScript. */
function createTimed(): Timed {
  const limited = createTimeLimit(roundMs);
  return (work) => {
    if (limited(work)) return;
    throw new TauError('usage', 'The pattern takes too long on some line, so the search was stopped', {
      remedy: 'Use a simpler pattern, without a repetition inside a repetition.',
    });
  };
}
