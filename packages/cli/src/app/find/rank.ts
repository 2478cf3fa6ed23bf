/**
 * Which of very many paths a few letters mean. All are looked at cheaply, a part at a time so that no key waits; only the
 * best of them are then compared with care.
 */
import { fuzzyMatch } from '@tau/tui';

/** Paths made ready for searching: done once for all searches. */
export interface PathPool {
  paths: readonly string[];
  lower: readonly string[];
  /** Where the last part of each begins. */
  names: Int32Array;
  /** What is in no folder, by name: shown to whoever typed nothing yet. */
  shallow: readonly string[];
}

/** In parts, so that no key waits. */
export async function poolOf(paths: readonly string[]): Promise<PathPool> {
  const names = new Int32Array(paths.length);
  const lower: string[] = [];
  const shallow: string[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    for (const [index, path] of paths.slice(from, from + atOnce).entries()) {
      // A folder ends with a slash that belongs to its name.
      const name = path.lastIndexOf('/', path.length - 2) + 1;
      names[from + index] = name;
      lower.push(path.toLowerCase());
      if (name === 0 && shallow.length < maxShallow) shallow.push(path);
    }
    await new Promise((next) => setImmediate(next));
  }
  return { paths, lower, names, shallow: shallow.sort() };
}

/** Looked at between two turns of the event loop: a few milliseconds. */
const atOnce = 20_000;
const maxShallow = 1000;
/** Compared with care. */
const finalists = 300;

export interface Ranking {
  best: string[];
  /** All that fit, by their place in the pool: where a longer query has to look. */
  fitting: readonly number[];
}

/** The best first. At once where there are few, else in parts; aborted it gives what it has. */
export function rank(
  pool: PathPool,
  query: string,
  options: { signal: AbortSignal; limit: number; among?: readonly number[] },
): Ranking | Promise<Ranking> {
  const { signal, limit, among } = options;
  const words = query.split(/\s+/).filter((word) => word !== '');
  const exactCase = query !== query.toLowerCase();
  const count = among?.length ?? pool.paths.length;
  const fitting: number[] = [];
  const scores: number[] = [];
  const look = (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      const at = among ? (among[index] ?? 0) : index;
      const score = roughScore(pool, at, words, exactCase);
      if (score === undefined) continue;
      fitting.push(at);
      scores.push(score);
    }
  };
  const finish = (): Ranking => ({ best: bestOf(pool, query, fitting, scores).slice(0, limit), fitting });
  if (count <= atOnce) {
    look(0, count);
    return finish();
  }
  return (async () => {
    for (let from = 0; from < count && !signal.aborted; from += atOnce) {
      look(from, Math.min(from + atOnce, count));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return finish();
  })();
}

/** Undefined when a letter is missing. The name counts more than the folders, what stands together more than what does not. */
function roughScore(pool: PathPool, at: number, words: readonly string[], exactCase: boolean): number | undefined {
  const text = (exactCase ? pool.paths : pool.lower)[at] ?? '';
  const name = pool.names[at] ?? 0;
  let score = 0;
  for (const word of words) {
    const inName = text.indexOf(word, name);
    if (inName >= 0) {
      const rest = text.length - inName - word.length;
      score += 3_000 + (inName === name ? 1_000 : 0) + (rest === 0 ? 500 : 0);
    } else if (text.includes(word)) score += 2_000;
    else if (hasInOrder(text, word, name)) score += 1_500;
    else if (hasInOrder(text, word, 0)) score += 500;
    else return undefined;
  }
  // Of a file and a folder with one name the file is meant more often.
  return score - text.length - (text.endsWith('/') ? 200 : 0);
}

function hasInOrder(text: string, word: string, from: number): boolean {
  let at = from - 1;
  for (let index = 0; index < word.length; index++) {
    at = text.indexOf(word.charAt(index), at + 1);
    if (at < 0) return false;
  }
  return true;
}

function bestOf(pool: PathPool, query: string, fitting: readonly number[], scores: readonly number[]): string[] {
  const rough = fitting.map((at, index) => ({ at, score: scores[index] ?? 0 }));
  const kept = rough.length > finalists ? rough.sort((a, b) => b.score - a.score).slice(0, finalists) : rough;
  return kept
    .map(({ at, score }) => {
      const path = pool.paths[at] ?? '';
      return { path, score: score + (fuzzyMatch(query, path)?.score ?? 0) };
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}
