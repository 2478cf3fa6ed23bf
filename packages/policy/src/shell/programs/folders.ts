/** Questions about folders that a decision may ask without looking at the disk itself. */
import { basename } from 'node:path/posix';
import type { Invocation, ShellFacts } from '../invocation.ts';

/** True when it is certain that there is no folder with something in it: nothing to write through, nothing to meet. */
export function isEmptyOrNoFolder(path: string, { folders }: Invocation, { glob }: ShellFacts): boolean {
  if (!glob || folders === undefined || /[*?[\\]/.test(path)) return false;
  return folders.every((folder) =>
    ['*', '.*'].every((pattern) => {
      const found = glob(`${path.replace(/\/+$/, '')}/${pattern}`, folder);
      return found?.every((name) => name === '.' || name === '..' || /\/\.\.?$/.test(name)) ?? false;
    }),
  );
}

/** Where a file ends up that is put into a folder. Nothing is made shorter: `link/../x` is not `x`. */
export function named(folder: string, file: string): string {
  const name = basename(file);
  if (name === '.' || name === '') return folder;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
