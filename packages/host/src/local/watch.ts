/**
 * Tells which files changed. Their folders are watched, for editors put a new file in the place of the old one, and what is
 * told is what differs: many signs of one change are one word, and a sign of nothing is none. It keeps no program alive.
 */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';

export interface WatchOptions {
  /** It is told when nothing has happened for this long, */
  settleMs?: number;
  /** or when the first of it is this old. */
  maxWaitMs?: number;
}

export interface Watching {
  /** Nothing is told any more. */
  close(): void;
}

/** Paths are absolute. Files that are not there yet count too: it is told when they appear. */
export function watchFiles(
  paths: readonly string[],
  onChange: (changed: readonly string[]) => void,
  { settleMs = 100, maxWaitMs = 1000 }: WatchOptions = {},
): Watching {
  const watchers = new Map<string, FSWatcher>();
  let prints = printsOf(paths);
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;
  let closed = false;

  /** The folders there are; for one that is not, the nearest above it. */
  function arm(): void {
    const wanted = new Set(paths.map((path) => existingFolder(dirname(path))));
    for (const [folder, watcher] of watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of wanted) if (!watchers.has(folder)) open(folder);
  }

  function open(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, stir);
      // The folder went, or there are too many watchers: whoever asks before each use still sees every change.
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      drop(folder);
    }
  }

  function drop(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function stir(): void {
    if (closed) return;
    const now = performance.now();
    since ??= now;
    clearTimeout(timer);
    timer = setTimeout(look, Math.max(0, Math.min(settleMs, since + maxWaitMs - now)));
    timer.unref();
  }

  function look(): void {
    since = undefined;
    // First the watchers: what changes from here on is seen by them.
    arm();
    const before = prints;
    prints = printsOf(paths);
    const changed = paths.filter((path) => before.get(path) !== prints.get(path));
    if (changed.length > 0) onChange(changed);
  }

  arm();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function existingFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (printOf(at) !== undefined || at === dirname(at)) return at;
  }
}

function printsOf(paths: readonly string[]): Map<string, string | undefined> {
  return new Map(paths.map((path) => [path, printOf(path)]));
}

function printOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  } catch {
    return undefined;
  }
}
