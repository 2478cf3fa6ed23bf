/**
 * Takes secrets out of what is recorded. A model spells a secret out over many events, so the pieces that belong
 * together are read as one text: neither a chunk's border nor an event's hides anything.
 */
import { isRecord } from '@tau/core';

export type Clean = (text: string) => string;

/** The same JSON with every string in it cleaned. */
export function scrubbedJson(value: unknown, clean: Clean): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => scrubbedJson(item, clean));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), scrubbedJson(item, clean)]));
}

/** The pieces of a body. Borders stay, but for those between the first secret and the last. */
export function scrubbedPieces(pieces: readonly string[], clean: Clean): string[] {
  const text = pieces.join('');
  const { before, middle, after } = align(pieces, clean(scrubbedEvents(text, clean)));
  return [...before, ...(middle === '' ? [] : [middle]), ...after];
}

/** The pieces that a cleaned text begins and ends with unchanged, and what it has between them. */
function align(pieces: readonly string[], cleaned: string) {
  let from = 0;
  let head = 0;
  for (const piece of pieces) {
    if (!cleaned.startsWith(piece, from)) break;
    from += piece.length;
    head += 1;
  }
  let to = cleaned.length;
  let tail = pieces.length;
  while (tail > head) {
    const piece = pieces[tail - 1] ?? '';
    if (to - piece.length < from || !cleaned.endsWith(piece, to)) break;
    to -= piece.length;
    tail -= 1;
  }
  return { before: pieces.slice(0, head), middle: cleaned.slice(from, to), after: pieces.slice(tail) };
}

/** Each string of the events with those of the same place in the events before and after it, read as one. */
function scrubbedEvents(text: string, clean: Clean): string {
  const lines = text.split('\n');
  const threads = new Map<string, string[]>();
  for (const line of lines) {
    mapStrings(dataOf(line), (place, said) => {
      const thread = threads.get(place);
      if (thread) thread.push(said);
      else threads.set(place, [said]);
      return said;
    });
  }
  const replacements = new Map<string, string[]>();
  for (const [place, said] of threads) {
    const whole = said.join('');
    const cleaned = clean(whole);
    if (cleaned !== whole) replacements.set(place, inAsMany(said, cleaned).reverse());
  }
  if (replacements.size === 0) return text;
  const rewritten = lines.map((line) => {
    let changed = false;
    const data = mapStrings(dataOf(line), (place, said) => {
      const replacement = replacements.get(place)?.pop() ?? said;
      changed ||= replacement !== said;
      return replacement;
    });
    return changed ? `data: ${JSON.stringify(data)}${line.endsWith('\r') ? '\r' : ''}` : line;
  });
  return rewritten.join('\n');
}

/** As many pieces as there were: the first of those that changed says it for all of them. */
function inAsMany(pieces: readonly string[], cleaned: string): string[] {
  const { before, middle, after } = align(pieces, cleaned);
  const silent = pieces.length - before.length - after.length - 1;
  return [...before, middle, ...Array<string>(silent).fill(''), ...after];
}

function dataOf(line: string): unknown {
  if (!line.startsWith('data:')) return undefined;
  try {
    return JSON.parse(line.slice('data:'.length));
  } catch {
    return undefined;
  }
}

/** Blocks that stream at the same time are told apart by their number. */
function mapStrings(value: unknown, change: (place: string, text: string) => string, place = ''): unknown {
  if (typeof value === 'string') return change(place, value);
  if (Array.isArray(value)) return value.map((item, at) => mapStrings(item, change, `${place}/${at}`));
  if (!isRecord(value)) return value;
  const within = `${place}#${value.output_index ?? ''}.${value.index ?? ''}`;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, mapStrings(item, change, `${within}/${key}`)]));
}
