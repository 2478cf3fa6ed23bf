/**
 * Where in a text an edit belongs: exactly where its old text is, or, when that is nowhere, where it is once a
 * tolerance is granted. The tolerances are tried one after the other, from the harmless to the bold, and the first that
 * finds a place ends the search. Pure.
 */
import { endsPiece, type Folded, type Folding, fold, foldWithOrigins, startsPiece } from './fold.ts';
import { indentedHits } from './indented.ts';
import type { Edit, Hit, Source } from './place.ts';

export interface Search {
  hits: Hit[];
  /** What had to be ignored to find them; absent when nothing was. */
  tolerance?: Tolerance;
  /** How many were looked for. */
  limit: number;
}

interface Tolerance {
  /** Completes "after ignoring …". */
  ignored: string;
  folding: Folding;
}

interface Level extends Tolerance {
  indent: boolean;
}

const quotes = 'typographic characters';
const levels: readonly Level[] = [
  { ignored: 'line endings', folding: { blanks: false, alike: false }, indent: false },
  { ignored: 'trailing blanks', folding: { blanks: true, alike: false }, indent: false },
  { ignored: 'indentation', folding: { blanks: true, alike: false }, indent: true },
  { ignored: quotes, folding: { blanks: false, alike: true }, indent: false },
  { ignored: `${quotes} and trailing blanks`, folding: { blanks: true, alike: true }, indent: false },
  { ignored: `${quotes} and indentation`, folding: { blanks: true, alike: true }, indent: true },
];

const largeText = 1024 * 1024;
/** In a larger text only exact places are found: each level costs a second for so many characters. */
export const maxTolerantChars = 2 * 1024 * 1024;
/** Of all places: each takes memory, and a tolerant one a comparison of its own. */
const maxExact = 1_000_000;
const maxTolerant = 10_000;

/** One place more than the limit when there are too many. `most` is the limit, unless every one is to be replaced. */
export async function findPlaces(source: Source, edit: Edit, most: number): Promise<Search> {
  const { text } = source;
  const { oldText, newText, replaceAll } = edit;
  const limit = replaceAll ? maxExact : most;
  // A text that overlaps itself is in two places, so every character counts when one place is wanted.
  const exact = positions(text, oldText, replaceAll ? oldText.length : 1, limit + 1).filter(
    (at) => !cutsLineEnding(text, oldText, at),
  );
  if (exact.length > 0) {
    return { hits: exact.map((start) => ({ start, end: start + oldText.length, oldText, newText })), limit };
  }
  if (text.length > maxTolerantChars) return { hits: [], limit };
  const tolerantLimit = replaceAll ? maxTolerant : most;
  for (const { indent, ...tolerance } of levels) {
    // Each level goes over the whole text, and others want their turn in between.
    if (text.length > largeText) await new Promise((resume) => setImmediate(resume));
    const hits = (indent ? indentedHits : foldedHits)(source, edit, tolerance.folding, tolerantLimit + 1);
    if (hits.length > 0) return { hits, tolerance, limit: tolerantLimit };
  }
  return { hits: [], limit };
}

function positions(text: string, wanted: string, step: number, limit: number): number[] {
  const found: number[] = [];
  let at = text.indexOf(wanted);
  while (at >= 0 && found.length < limit) {
    found.push(at);
    at = text.indexOf(wanted, at + step);
  }
  return found;
}

/** A plain line break is not found in the half of another, unless the model speaks of those halves. */
function cutsLineEnding(text: string, oldText: string, at: number): boolean {
  return oldText.startsWith('\n') && text[at - 1] === '\r' && !oldText.includes('\r');
}

function foldedHits(source: Source, { oldText, newText, replaceAll }: Edit, folding: Folding, limit: number): Hit[] {
  const { text } = source;
  const wanted = fold(oldText, folding);
  // Blanks alone would be found at every line end.
  if (!/\S/.test(wanted) && (folding.blanks || folding.alike)) return [];
  const folded = source.folded(folding);
  const lineEndNeeded = folding.blanks && /[^\S\n]$/.test(oldText);
  const breaks = wanted.split('\n').length;
  const lines = new Lines(text);
  const target = new Lines(folded);
  const hits: Hit[] = [];
  let last: { start: number; end: number; origins: Folded } | undefined;
  let at = folded.indexOf(wanted);
  while (at >= 0 && hits.length < limit) {
    const stop = at + wanted.length;
    const column = at - target.startOf(at);
    const start = lines.startOfLine(target.line);
    const end = lines.endAfter(start, breaks);
    if (last?.start !== start || last.end !== end) {
      last = { start, end, origins: foldWithOrigins(text.slice(start, end), folding) };
    }
    const { origins } = last;
    const whole = startsPiece(origins, column) && endsPiece(origins, column + wanted.length - 1);
    const atLineEnd = stop === folded.length || folded[stop] === '\n';
    const taken = whole && (atLineEnd || !lineEndNeeded);
    if (taken) {
      const from = start + (origins.starts[column] ?? 0);
      const to = start + (origins.ends[column + wanted.length - 1] ?? 0);
      hits.push({ start: from, end: to, oldText, newText });
    }
    at = folded.indexOf(wanted, taken && replaceAll ? stop : at + 1);
  }
  return hits;
}

/** Walks the lines of a text, forward only. */
class Lines {
  line = 0;
  readonly #text: string;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The start of the line that a position is in. */
  startOf(position: number): number {
    for (let next = this.#next(); next >= 0 && next < position; next = this.#next()) this.#step(next);
    return this.#start;
  }

  startOfLine(line: number): number {
    while (this.line < line) this.#step(this.#next());
    return this.#start;
  }

  /** The end of the last of so many lines, with its line break. */
  endAfter(start: number, lines: number): number {
    let end = start;
    for (let count = 0; count < lines; count++) {
      const next = this.#text.indexOf('\n', end);
      if (next < 0) return this.#text.length;
      end = next + 1;
    }
    return end;
  }

  #next(): number {
    return this.#text.indexOf('\n', this.#start);
  }

  #step(lineBreak: number): void {
    this.#start = lineBreak + 1;
    this.line += 1;
  }
}
