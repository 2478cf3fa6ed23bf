/**
 * Opens things where they were judged to be, and nowhere else. Between a decision and the deed anybody can put a link in
 * the way, so what was opened is asked where it is, and what is done in a folder is done through the open folder.
 */
import { constants, promises } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from './failure.ts';

const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** Holds a folder without being allowed to list it. Node has no name for it. */
export const O_PATH = 0o10000000;
const linux = process.platform === 'linux';

export interface Folder {
  /** A name in it as a path that leads there whatever becomes of the way to the folder; elsewhere than on Linux a plain path. */
  at(name: string): string;
  close(): Promise<void>;
}

/** `place` is a real path. With `make` what is missing of it is made, one folder in the other. */
export async function openFolder(place: string, { make }: { make: boolean }): Promise<Folder> {
  try {
    return await enter(place, place);
  } catch (error) {
    if (!make || errorCode(error) !== 'ENOENT' || place === dirname(place)) throw error;
  }
  const parent = await openFolder(dirname(place), { make });
  try {
    const by = parent.at(basename(place));
    await promises.mkdir(by).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    return await enter(by, place);
  } finally {
    await parent.close();
  }
}

async function enter(by: string, place: string): Promise<Folder> {
  const handle = await openHere(by, place, O_DIRECTORY | (linux ? O_PATH : O_RDONLY));
  const through = linux ? `/proc/self/fd/${handle.fd}` : place;
  return { at: (name) => join(through, name), close: () => handle.close() };
}

/** A file to read. Not waiting: a pipe without a writer would never open. */
export function openFile(place: string): Promise<promises.FileHandle> {
  return openHere(place, place, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

async function openHere(by: string, place: string, flags: number): Promise<promises.FileHandle> {
  let handle: promises.FileHandle | undefined;
  try {
    handle = await promises.open(by, flags | O_NOFOLLOW);
    if (await isAt(handle, place)) return handle;
    throw moved();
  } catch (error) {
    await handle?.close();
    throw (await isLink(by)) ? moved() : error;
  }
}

async function isAt(handle: promises.FileHandle, place: string): Promise<boolean> {
  const name = linux ? await promises.readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  if (name === place) return true;
  // Where case does not count, the system may know the name in another; and not every system knows it.
  if (name !== undefined && name.toLowerCase() !== place.toLowerCase()) return false;
  const [real, there, here] = await Promise.all([promises.realpath(place), promises.stat(place), handle.stat()]);
  return real === place && there.dev === here.dev && there.ino === here.ino;
}

async function isLink(path: string): Promise<boolean> {
  return promises.lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

function moved(): Error {
  return Object.assign(new Error('it leads elsewhere now'), { code: 'EMOVED' });
}
