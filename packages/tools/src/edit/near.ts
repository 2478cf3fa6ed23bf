/** The lines of a file that come nearest to a text that is not in it, so that a model sees what it got wrong. Pure. */
import { firstChars } from '../text/clip.ts';

const maxChars = 10 * 1024 * 1024;
const maxShown = 10;
const maxLineChars = 200;
/** Lines with no line in common are compared by their words, and so many of them at most. */
const maxCompared = 100_000;

/** The nearest lines, numbered as `read` numbers them; undefined when nothing is near, or the file is too large to tell. */
export function nearestLines(text: string, wanted: string): string | undefined {
  if (text.length > maxChars) return undefined;
  const lines = text.split(/\r?\n/);
  const sought = wanted.split(/\r?\n/);
  const start = byEqualLines(lines, sought) ?? byWords(lines, sought);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const shown = lines.slice(first, first + Math.min(sought.length, maxShown));
  return shown.map((line, index) => `${first + index + 1}\t${firstChars(line, maxLineChars)}`).join('\n');
}

/** Every line that the two share votes for where the text would begin. */
function byEqualLines(lines: readonly string[], sought: readonly string[]): number | undefined {
  const places = new Map<string, number>();
  for (const [index, line] of sought.entries()) {
    const body = line.trim();
    // A bracket by itself is everywhere.
    if (body.length > 2 && !places.has(body)) places.set(body, index);
  }
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (const [index, line] of lines.entries()) {
    const place = places.get(line.trim());
    if (place === undefined) continue;
    const start = index - place;
    votes.set(start, (votes.get(start) ?? 0) + 1);
    if (best === undefined || (votes.get(start) ?? 0) > (votes.get(best) ?? 0)) best = start;
  }
  return best;
}

/** Where the line is that shares the most words with the longest line of the text. */
function byWords(lines: readonly string[], sought: readonly string[]): number | undefined {
  const longest = sought.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), '');
  const wanted = wordsOf(longest);
  if (wanted.size === 0) return undefined;
  let best: { index: number; score: number } | undefined;
  for (const [index, line] of lines.slice(0, maxCompared).entries()) {
    const words = wordsOf(line);
    let shared = 0;
    for (const word of words) if (wanted.has(word)) shared += 1;
    const score = shared / (wanted.size + words.size - shared);
    if (score >= 0.5 && score > (best?.score ?? 0)) best = { index, score };
  }
  return best && best.index - sought.indexOf(longest);
}

function wordsOf(line: string): Set<string> {
  return new Set(line.slice(0, 1000).match(/[\p{L}\p{N}_]+/gu) ?? []);
}
