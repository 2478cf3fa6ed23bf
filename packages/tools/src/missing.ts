/** What to say about a file that is not there: the names nearest to it in its folder. */
import { basename, dirname } from 'node:path';
import { TauError } from '@tau/core';
import type { Files } from '@tau/host';

const maxSuggestions = 3;
const maxCompared = 2000;

export async function missingFile(files: Files, path: string): Promise<TauError> {
  const folder = dirname(path);
  const names = await files.names(folder).catch(() => undefined);
  if (!names) {
    const remedy = 'Check the path with ls through bash.';
    return new TauError('file', `There is no file ${path}, and no folder ${folder}`, { remedy });
  }
  const near = nearest(basename(path), names);
  const remedy = near.length > 0 ? `Near it in ${folder}: ${near.join(', ')}.` : `Look with ls ${folder} through bash.`;
  return new TauError('file', `There is no file ${path}`, { remedy });
}

/** Names that differ by a third of their letters at most, or that continue the wanted one; nearest first. */
function nearest(wanted: string, names: readonly string[]): string[] {
  const lower = wanted.toLowerCase();
  return names
    .slice(0, maxCompared)
    .map((name) => ({ name, distance: distance(lower, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= wanted.length / 3 || name.toLowerCase().startsWith(lower))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}

/** How many letters must be added, removed or changed to turn one name into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const above = row[column] ?? 0;
      const diagonal = row[column - 1] ?? 0;
      const left = next[column - 1] ?? 0;
      next.push(Math.min(above + 1, left + 1, diagonal + (to[column - 1] === letter ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
