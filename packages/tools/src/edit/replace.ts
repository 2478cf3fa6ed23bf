/**
 * Replacements in a text. Every edit is matched against the original, and what lies outside the matches is copied, so
 * nothing else can change. All of them or none.
 */
import { TauError } from '@tau/core';
import { adapted } from './adapt.ts';
import { lineAt, withEnding } from './lines.ts';
import { findPlaces, maxTolerantChars, type Search } from './match.ts';
import { nearestLines } from './near.ts';
import { type Edit, type Hit, type Source, sourceOf } from './place.ts';

interface Replacement {
  start: number;
  end: number;
  text: string;
  /** Which edit wants it, counted from 1. */
  edit: number;
}

export interface Replaced {
  text: string;
  replacements: number;
  /** The line of the first change. */
  firstLine: number;
  /** What had to be ignored to find the places, each once. */
  tolerances: string[];
}

const maxListed = 10;
/** A shorter text is in a file by chance. */
const minTelling = 10;

export async function applyEdits(path: string, original: string, edits: readonly Edit[]): Promise<Replaced> {
  const source = sourceOf(original);
  const replacements: Replacement[] = [];
  const tolerances = new Set<string>();
  for (const [index, edit] of edits.entries()) {
    const label = edits.length > 1 ? `edit ${index + 1}: ` : '';
    const { hits, tolerance } = await search(path, source, edit, label);
    if (tolerance) tolerances.add(tolerance.ignored);
    for (const hit of hits) {
      const text = tolerance ? await adapted(source, hit, tolerance.folding) : exactly(source, hit);
      replacements.push({ start: hit.start, end: hit.end, text, edit: index + 1 });
    }
  }
  replacements.sort((a, b) => a.start - b.start);
  refuseOverlap(original, replacements);

  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end, text } of replacements) {
    pieces.push(original.slice(copied, start), text);
    copied = end;
  }
  pieces.push(original.slice(copied));
  const text = pieces.join('');
  if (text === original) {
    const remedy = 'Read the file again to see what is left to do.';
    throw new TauError('file', `${path} already reads as the edit wants it`, { remedy });
  }
  const firstLine = lineAt(original, replacements[0]?.start ?? 0);
  return { text, replacements: replacements.length, firstLine, tolerances: [...tolerances] };
}

async function search(path: string, source: Source, edit: Edit, label: string): Promise<Search> {
  const { oldText, newText, replaceAll } = edit;
  if (oldText === '') {
    const remedy = 'Give the text to replace, or use write for a whole file.';
    throw new TauError('usage', `${label}old_string is empty`, { remedy });
  }
  if (oldText === newText) {
    const remedy = 'Give a new_string that differs.';
    throw new TauError('usage', `${label}old_string and new_string are the same`, { remedy });
  }
  const found = await findPlaces(source, edit, maxListed);
  if (found.hits.length === 0) throw notFound(path, source.text, edit, label);
  if (found.hits.length > 1 && !replaceAll) throw ambiguous(path, source.text, found, label);
  if (found.hits.length > found.limit) throw tooMany(path, found, label);
  return found;
}

/** As given; but where every line ends in `\r\n` and the model speaks of plain line breaks, it means those of the file. */
function exactly(source: Source, { oldText, newText }: Hit): string {
  const plain = newText.includes('\n') && !newText.includes('\r') && !oldText.includes('\r');
  return plain ? withEnding(newText, source.ending()) : newText;
}

function notFound(path: string, original: string, { oldText, newText }: Edit, label: string): TauError {
  const notes: string[] = [];
  if (oldText.split('\n').every((line) => /^\s*\d+\t/.test(line))) {
    notes.push('Leave out the line numbers, which are not part of the file.');
  }
  const there = newText.trim().length >= minTelling ? original.indexOf(newText) : -1;
  if (there >= 0) notes.push(`new_string is there already, at line ${lineAt(original, there)}.`);
  if (original.length > maxTolerantChars) notes.push('The file is large, so only the exact text was looked for.');
  const near = nearestLines(original, oldText);
  notes.push(
    near === undefined
      ? 'Read the file again and copy the text exactly, with its spaces and line breaks.'
      : `Copy the text exactly. The nearest lines are:\n${near}`,
  );
  return new TauError('file', `${label}old_string is not in ${path}`, { remedy: notes.join(' ') });
}

function ambiguous(path: string, original: string, { hits, tolerance }: Search, label: string): TauError {
  const count = hits.length > maxListed ? `more than ${maxListed}` : `${hits.length}`;
  const lines = hits.slice(0, maxListed).map(({ start }) => lineAt(original, start));
  const how = tolerance ? ` when ignoring ${tolerance.ignored}` : '';
  return new TauError('file', `${label}old_string is in ${path} ${count} times${how}, at lines ${lines.join(', ')}`, {
    remedy: 'Add lines around it to make it unique, or set replace_all.',
  });
}

function tooMany(path: string, { limit, tolerance }: Search, label: string): TauError {
  const how = tolerance ? ` when ignoring ${tolerance.ignored}` : '';
  return new TauError('file', `${label}old_string is in ${path} more than ${limit} times${how}`, {
    remedy: 'Change it with a command through bash.',
  });
}

function refuseOverlap(original: string, sorted: readonly Replacement[]): void {
  for (const [index, one] of sorted.entries()) {
    const next = sorted[index + 1];
    if (!next || one.end <= next.start) continue;
    const line = lineAt(original, next.start);
    throw new TauError('usage', `edit ${one.edit} and edit ${next.edit} overlap at line ${line}`, {
      remedy: 'Join them into one edit.',
    });
  }
}
