/** Names of models against what somebody typed: patterns, words, letters in order, and dated editions of one model. */

/** What a pattern or a few letters are held against. */
export interface Named {
  provider: string;
  id: string;
  name?: string;
}

export const fullName = ({ provider, id }: Named): string => `${provider}/${id}`;

export function isGlob(text: string): boolean {
  return /[*?[]/.test(text);
}

/** A pattern means the whole `provider/id`, or the id alone if nothing of that name fits. Case does not count. */
export function matchGlob<T extends Named>(pattern: string, all: readonly T[]): T[] {
  const expression = globExpression(pattern);
  const whole = all.filter((one) => expression.test(fullName(one)));
  return whole.length > 0 ? whole : all.filter(({ id }) => expression.test(id));
}

/** `*` any characters, `?` one, `[abc]` one of them. A slash is a character like any other: ids have them. */
function globExpression(pattern: string): RegExp {
  const source = pattern.replace(/\[(!?)([^\]]+)\]|[*?]|[^*?[]+|\[/g, (part, not: string | undefined, set?: string) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (set !== undefined) return `[${not ? '^' : ''}${set.replace(/[\\\]^]/g, '\\$&')}]`;
    return part.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'is');
}

/** Those in which every word of a filter is found, in the name or in `provider/id`. */
export function matchAllWords<T extends Named>(text: string, all: readonly T[]): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((one) => {
    const target = `${fullName(one)} ${one.name ?? ''}`.toLowerCase();
    return words.every((word) => target.includes(word));
  });
}

/** Best first: those that have all the words; if there are none, those that have all the letters, in order. */
export function rankFuzzy<T extends Named>(text: string, all: readonly T[]): Ranked<T>[] {
  const words = wordsOf(text);
  const letters = words.join('');
  // Less than this is in everything.
  if (letters.length < 3) return [];
  const byWords = ranked(all, true, (one) => wordDistance(words, one));
  return byWords.length > 0 ? byWords : ranked(all, false, ({ id }) => letterDistance(letters, wordsOf(id).join('')));
}

interface Ranked<T> {
  one: T;
  distance: number;
  byWords: boolean;
}

function ranked<T>(all: readonly T[], byWords: boolean, distanceOf: (one: T) => number | undefined): Ranked<T>[] {
  return all
    .flatMap((one) => {
      const distance = distanceOf(one);
      return distance === undefined ? [] : [{ one, distance, byWords }];
    })
    .sort((a, b) => a.distance - b.distance);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
}

/** How much of the name was not asked for. Each word asked for must be there by itself: "5 5" is not "5". */
function wordDistance(asked: readonly string[], one: Named): number | undefined {
  const left = wordsOf(one.id);
  const maker = wordsOf(one.provider);
  let distance = 0;
  for (const word of asked) {
    const exact = left.indexOf(word);
    const begun = exact >= 0 ? exact : left.findIndex((part) => word.length > 1 && part.startsWith(word));
    if (begun >= 0) {
      distance += (left[begun]?.length ?? 0) - word.length;
      left.splice(begun, 1);
    } else if (maker.includes(word)) maker.splice(maker.indexOf(word), 1);
    else return undefined;
  }
  return distance + left.length;
}

/** How many letters lie between the ones asked for. */
function letterDistance(asked: string, name: string): number | undefined {
  const first = name.indexOf(asked[0] ?? '');
  let at = first;
  for (const letter of asked) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return undefined;
  }
  // Letters that are strewn over a long name are in every long name.
  const between = at - first - asked.length;
  return between > asked.length / 2 ? undefined : name.length - asked.length + between;
}

/** Of editions that differ only in their date, the one without, else the newest. The order of the rest stays. */
export function withoutOldEditions<T extends Named>(all: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const one of all) {
    const key = `${one.provider}/${editionOf(one.id).model}`;
    const other = best.get(key);
    if (!other || isNewer(editionOf(one.id).date, editionOf(other.id).date)) best.set(key, one);
  }
  const kept = new Set(best.values());
  return all.filter((one) => kept.has(one));
}

function editionOf(id: string): { model: string; date: string } {
  const [, model = id, date = ''] = /^(.+?)-(latest|20\d{6}|20\d\d-\d\d-\d\d|2\d(?:0[1-9]|1[0-2]))$/.exec(id) ?? [];
  return { model, date: date === 'latest' ? '' : date };
}

function isNewer(date: string, other: string): boolean {
  return date === '' ? other !== '' : other !== '' && date > other;
}
