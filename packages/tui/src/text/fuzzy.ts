/**
 * Finds what a person means by a few letters: all of them in order, best where they begin words or stand together.
 * Several words in a query must all be found, in any order. A capital in the query makes case count.
 */

export interface FuzzyMatch {
  score: number;
  /** Where in the text the letters are, in UTF-16 units, in order. */
  positions: number[];
}

const matched = 16;
const begin = 10;
const camel = 8;
const together = 12;
const gapStart = 3;
const gapMore = 1;
/** Beyond this the best place is not looked for, only the first. */
const maxWork = 40_000;
const wordEdge = /[\s/\\._:,;@#()[\]{}<>"'`|=+*-]/;

/** How well the query fits the text, or nothing if it does not. An empty query fits everything. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const exactCase = query !== query.toLowerCase();
  const hay = exactCase ? text : folded(text);
  let score = 0;
  const positions = new Set<number>();
  for (const word of query.split(/\s+/)) {
    if (word === '') continue;
    const found = matchWord(word, hay, text);
    if (!found) return undefined;
    score += found.score;
    for (const position of found.positions) positions.add(position);
  }
  return { score, positions: [...positions].sort((a, b) => a - b) };
}

/** The items that fit, the best first; equals stay in their order, shorter texts before longer ones. */
export function fuzzyFilter<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
  if (query.trim() === '') return [...items];
  const found: { item: T; score: number; length: number }[] = [];
  for (const item of items) {
    const text = textOf(item);
    const match = fuzzyMatch(query, text);
    if (match) found.push({ item, score: match.score, length: text.length });
  }
  return found.sort((a, b) => b.score - a.score || a.length - b.length).map(({ item }) => item);
}

/** In lower case, and as long as before: some letters become two. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replace(/./gsu, (letter) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  );
}

function matchWord(word: string, hay: string, text: string): FuzzyMatch | undefined {
  const first = firstPositions(word, hay);
  if (!first) return undefined;
  const from = first[0] ?? 0;
  const places = (hay.length - from) * word.length <= maxWork ? bestPositions(word, hay, text, from) : first;
  return { score: scoreOf(places, text), positions: places };
}

function firstPositions(word: string, hay: string): number[] | undefined {
  const positions: number[] = [];
  let at = -1;
  for (let index = 0; index < word.length; index++) {
    at = hay.indexOf(word.charAt(index), at + 1);
    if (at === -1) return undefined;
    positions.push(at);
  }
  return positions;
}

/** What a letter is worth where it stands. */
function bonusAt(text: string, at: number): number {
  if (at === 0) return begin + 2;
  const before = text.charAt(at - 1);
  if (wordEdge.test(before)) return begin;
  const here = text.charAt(at);
  if (here !== here.toLowerCase() && before === before.toLowerCase()) return camel;
  return 0;
}

function gapCost(gap: number): number {
  return gap === 0 ? -together : gapStart + gapMore * gap;
}

function scoreOf(positions: readonly number[], text: string): number {
  let score = 0;
  positions.forEach((at, index) => {
    score += matched + bonusAt(text, at);
    const before = positions[index - 1];
    if (before !== undefined) score -= gapCost(at - before - 1);
  });
  return score;
}

/** The places with the highest score: row by row, the best way to have each letter at each place. */
function bestPositions(word: string, hay: string, text: string, from: number): number[] {
  const size = hay.length - from;
  const none = Number.NEGATIVE_INFINITY;
  const origins: Int32Array[] = [];
  let row = new Float64Array(size);
  for (let index = 0; index < word.length; index++) {
    const letter = word.charAt(index);
    const next = new Float64Array(size).fill(none);
    const origin = new Int32Array(size).fill(-1);
    // The best way to come from before the last place. It loses with every step.
    let carried = none;
    let carriedFrom = -1;
    for (let at = 0; at < size; at++) {
      const besides = index === 0 || at < 2 ? none : (row[at - 2] ?? none) - gapCost(1);
      carried -= gapMore;
      if (besides > carried) {
        carried = besides;
        carriedFrom = at - 2;
      }
      if (hay.charAt(from + at) !== letter) continue;
      const joined = index === 0 || at === 0 ? none : (row[at - 1] ?? none) + together;
      const before = index === 0 ? 0 : Math.max(joined, carried);
      if (before === none) continue;
      next[at] = before + matched + bonusAt(text, from + at);
      origin[at] = joined >= carried ? at - 1 : carriedFrom;
    }
    origins.push(origin);
    row = next;
  }
  let at = 0;
  for (let place = 1; place < size; place++) if ((row[place] ?? none) > (row[at] ?? none)) at = place;
  const positions: number[] = [];
  for (let index = word.length - 1; index >= 0; index--) {
    positions.push(from + at);
    at = origins[index]?.[at] ?? 0;
  }
  return positions.reverse();
}
