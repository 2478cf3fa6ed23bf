/**
 * What is put in the place of a tolerant match. What the model did not mean to change stays as the file has it: the
 * old text is compared with the new, and only the difference is taken over.
 */
import { endsPiece, type Folded, type Folding, foldWithOrigins, startsPiece } from './fold.ts';
import { usualEnding, withEnding } from './lines.ts';
import type { Hit, Source } from './place.ts';

/** A larger difference is a rewrite, and taken as it stands. */
const maxDifferences = 2000;

export async function adapted(source: Source, hit: Hit, folding: Folding): Promise<string> {
  const region = source.text.slice(hit.start, hit.end);
  const ending = usualEnding(region) ?? source.ending();
  const there = foldWithOrigins(region, folding);
  const given = foldWithOrigins(hit.oldText, folding);
  const parts = there.text === given.text ? await difference(hit.oldText, hit.newText) : undefined;
  if (!parts) return withEnding(hit.newText, ending);
  let replacement = '';
  let position = 0;
  let unit = 0;
  for (const { kind, value } of parts) {
    if (kind === 'new') {
      replacement += withEnding(value, ending);
      continue;
    }
    position += value.length;
    const first = unit;
    while (unit < given.ends.length && (given.ends[unit] ?? 0) <= position) unit += 1;
    if (kind === 'same') replacement += asInFile(region, there, hit.oldText, given, first, unit);
  }
  return replacement;
}

interface Part {
  kind: 'same' | 'old' | 'new';
  value: string;
}

async function difference(oldText: string, newText: string): Promise<Part[] | undefined> {
  const { diffArrays } = await import('diff');
  const changes = diffArrays(words(oldText), words(newText), { maxEditLength: maxDifferences });
  return changes?.map(({ value, added, removed }) => ({
    kind: added ? 'new' : removed ? 'old' : 'same',
    value: value.join(''),
  }));
}

/** Words, runs of blanks, and everything else by itself; a letter keeps its marks. */
function words(text: string): string[] {
  return text.match(/\r\n|[\p{L}\p{N}\p{M}_]+|[^\S\r\n]+\p{M}*|.\p{M}*/gsu) ?? [];
}

/**
 * The file's form of some folded characters. One that the file has as a part of something larger (a dot of `…`) cannot
 * stay when its neighbours go, so it is taken from the model.
 */
function asInFile(region: string, there: Folded, oldText: string, given: Folded, first: number, after: number): string {
  let from = first;
  let to = after;
  let before = '';
  let behind = '';
  for (; from < to && !startsPiece(there, from); from++) before += asGiven(oldText, given, from);
  for (; from < to && !endsPiece(there, to - 1); to--) behind = asGiven(oldText, given, to - 1) + behind;
  // Blanks that were folded away belong to the line break behind them.
  const start = from > first || from === 0 ? there.starts[from] : there.ends[from - 1];
  const kept = from < to ? region.slice(start, there.ends[to - 1]) : '';
  return before + kept + behind;
}

function asGiven(oldText: string, given: Folded, unit: number): string {
  return startsPiece(given, unit) ? oldText.slice(given.starts[unit], given.ends[unit]) : '';
}
