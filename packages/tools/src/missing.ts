/** What to say about a file that is not there: the names nearest to it in its folder. */
import { basename, dirname } from 'node:path';
import { nearestAll, TauError } from '@tau/core';
import type { Files } from '@tau/host';

const maxSuggestions = 3;
const maxCompared = 2000;

export async function missingFile(files: Files, path: string): Promise<TauError> {
  const folder = dirname(path);
  const names = await files.names(folder).catch(() => undefined);
  if (!names) {
    const remedy = 'Check the path with ls or glob.';
    return new TauError('file', `There is no file ${path}, and no folder ${folder}`, { remedy });
  }
  const near = nearestAll(basename(path), names.slice(0, maxCompared), maxSuggestions);
  const remedy =
    near.length > 0 ? `Near it in ${folder}: ${near.join(', ')}.` : `Look with ls ${folder}, or with glob.`;
  return new TauError('file', `There is no file ${path}`, { remedy });
}
