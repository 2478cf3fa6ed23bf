/**
 * Where a search begins: the folder is opened where it was judged to be, and everything below is reached through the open
 * folder, so a link that takes its place on the way to it changes nothing.
 */
import { basename, dirname } from 'node:path';
import { TauError } from '@tau/core';
import { type Folder, openFolder } from '../local/anchor.ts';
import { errorCode, fileError } from '../local/failure.ts';
import { type Base, resolvePath } from '../local/resolve.ts';

export interface Root {
  /** The folder, with no link in its path. */
  path: string;
  /** The way to it that stays, whatever becomes of its path. */
  at: string;
  /** Only this file in it. */
  only?: string;
}

export interface Begin {
  base: Base;
  /** The only places where a search may begin, see `Search.pinned`. */
  places?: ReadonlyMap<string, string> | undefined;
}

export async function withRoot<T>(
  verb: 'search' | 'list',
  written: string,
  { base, places }: Begin,
  use: (root: Root) => Promise<T>,
): Promise<T> {
  const place = places ? places.get(written) : await resolvePath(base, written);
  if (place === undefined) {
    throw new TauError('file', `Cannot ${verb} ${written}: it was not part of what was judged`);
  }
  const { folder, ...root } = await opened(place, verb === 'search').catch((cause: unknown) => {
    throw fileError(verb, written, cause);
  });
  try {
    const found = await use({ ...root, at: folder.at('') });
    if (process.platform !== 'linux') await lookAgain(root.path, verb, written);
    return found;
  } finally {
    await folder.close();
  }
}

async function opened(place: string, orFile: boolean): Promise<{ folder: Folder; path: string; only?: string }> {
  try {
    return { folder: await openFolder(place, { make: false }), path: place };
  } catch (error) {
    if (!orFile || errorCode(error) !== 'ENOTDIR') throw error;
    const path = dirname(place);
    return { folder: await openFolder(path, { make: false }), path, only: basename(place) };
  }
}

/** Where an open folder is no way to what is in it, it counts that the path leads there before and after. */
async function lookAgain(path: string, verb: 'search' | 'list', written: string): Promise<void> {
  const folder = await openFolder(path, { make: false }).catch((cause: unknown) => {
    throw fileError(verb, written, cause);
  });
  await folder.close();
}
