/** Files of this machine. A write is a rename, so a reader sees the old content or the new, never a part. */
// Not `node:fs/promises`, which takes a millisecond to load: these are loaded by the first use.
import { constants, promises, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { TauError } from '@tau/core';
import type { FileStat, Files, OpenFile } from '../host.ts';
import { type Folder, openFile as openAt, openFolder } from './anchor.ts';
import { errorCode, fileError } from './failure.ts';
import { type Base, fullPath, resolvePath } from './resolve.ts';

/** `places`: the only ones that are read or changed, see `Files.pinned`. */
export function localFiles(base: Base, places?: ReadonlyMap<string, string>): Files {
  const placeOf = async (verb: Verb, path: string): Promise<string> => {
    const place = places ? places.get(path) : await resolvePath(base, path);
    if (place !== undefined) return place;
    throw new TauError('file', `Cannot ${verb} ${path}: it was not part of what was judged`);
  };
  const toRead = async (path: string) => (places ? { place: await placeOf('read', path) } : fullPath(base, path));
  return {
    resolve: async (path) => places?.get(path) ?? resolvePath(base, path),

    pinned: (more) => localFiles(base, new Map([...(places ?? []), ...more])),

    async stat(path) {
      try {
        const found = await orMissing(promises.stat(places?.get(path) ?? fullPath(base, path)));
        return found && toFileStat(found);
      } catch (error) {
        throw fileError('inspect', path, error);
      }
    },

    async names(path) {
      try {
        return await namesAt(places ? { place: folderIn(places, path) } : fullPath(base, path));
      } catch (error) {
        throw fileError('list', path, error);
      }
    },

    async read(path) {
      const { handle } = await openRegular(path, await toRead(path));
      try {
        return await handle.readFile();
      } catch (error) {
        throw fileError('read', path, error);
      } finally {
        await handle.close();
      }
    },

    async open(path) {
      const { handle, stat } = await openRegular(path, await toRead(path));
      return openFile(path, handle, stat);
    },

    async write(path, content) {
      try {
        const full = fullPath(base, path);
        if (/\/\.?$/.test(full)) throw namesFolder(path);
        const place = await placeOf('write', path);
        const old = await inFolder(place, { make: true }, async (folder, name) => {
          const there = await orMissing(promises.lstat(folder.at(name)));
          if (there) await checkReplaceable(path, folder.at(name), there);
          // What a look at the path did not find (`missing/../file`) is not replaced either.
          if (there) await promises.stat(full);
          await replace(folder, name, content, there);
          return there;
        });
        return { created: old === undefined, bytes: Buffer.byteLength(content) };
      } catch (error) {
        throw error instanceof TauError ? error : fileError('write', path, error);
      }
    },

    async move(from, to) {
      try {
        refuseLink('move', from, await promises.lstat(fullPath(base, from)));
        const target = await placeOf('move', to);
        await inFolder(await placeOf('move', from), { make: false }, async (folder, name) => {
          refuseSpecial('move', from, await promises.lstat(folder.at(name)));
          await inFolder(target, { make: true }, async (other, newName) => {
            const there = await orMissing(promises.lstat(other.at(newName)));
            if (there) throw new TauError('file', `Cannot move ${from}: ${to} exists`);
            await promises.rename(folder.at(name), other.at(newName));
          });
        });
      } catch (error) {
        throw error instanceof TauError ? error : fileError('move', from, error);
      }
    },

    async remove(path) {
      try {
        refuseLink('remove', path, await promises.lstat(fullPath(base, path)));
        await inFolder(await placeOf('remove', path), { make: false }, async (folder, name) => {
          refuseSpecial('remove', path, await promises.lstat(folder.at(name)));
          await promises.unlink(folder.at(name));
        });
      } catch (error) {
        throw error instanceof TauError ? error : fileError('remove', path, error);
      }
    },
  };
}

/** A folder that was judged, or in which something was. */
function folderIn(places: ReadonlyMap<string, string>, path: string): string {
  const place = places.get(path);
  if (place !== undefined) return place;
  for (const [written, inside] of places) if (dirname(written) === path) return dirname(inside);
  throw new Error('it was not part of what was judged');
}

async function namesAt(where: string | { place: string }): Promise<string[]> {
  if (typeof where === 'string') return (await promises.readdir(where)).sort();
  const folder = await openFolder(where.place, { make: false });
  try {
    return (await promises.readdir(folder.at(''))).sort();
  } finally {
    await folder.close();
  }
}

/** Does something to a place through its folder, which is held open meanwhile. */
async function inFolder<T>(
  place: string,
  options: { make: boolean },
  use: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(dirname(place), options);
  try {
    return await use(folder, basename(place));
  } finally {
    await folder.close();
  }
}

/** A link is not followed here: moving or removing would be about the link. */
function refuseLink(verb: Verb, path: string, found: Stats): void {
  if (!found.isSymbolicLink()) return;
  throw new TauError('file', `Cannot ${verb} ${path}: it is a symbolic link`, { remedy: 'Name the file itself.' });
}

/**
 * Opened first and looked at then, so that nobody can put something else there in between. Not waiting: a pipe without a
 * writer would never open. The look before keeps devices closed, because opening one can already be a deed.
 */
async function openRegular(
  path: string,
  where: string | { place: string },
): Promise<{ handle: promises.FileHandle; stat: FileStat }> {
  let handle: promises.FileHandle | undefined;
  try {
    const pinned = typeof where === 'object';
    refuseSpecial('read', path, await promises.stat(pinned ? where.place : where));
    handle = pinned
      ? await openAt(where.place)
      : await promises.open(where, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    return { handle, stat: refuseSpecial('read', path, await handle.stat()) };
  } catch (error) {
    await handle?.close();
    throw error instanceof TauError ? error : fileError('read', path, error);
  }
}

function refuseSpecial(verb: Verb, path: string, found: Stats): FileStat {
  refuseLink(verb, path, found);
  const stat = toFileStat(found);
  if (stat.kind === 'other') throw notRegular(verb, path);
  if (stat.kind === 'directory') throw isFolder(verb, path);
  return stat;
}

function openFile(path: string, handle: promises.FileHandle, stat: FileStat): OpenFile {
  return {
    stat,
    async read(buffer, position) {
      try {
        let filled = 0;
        while (filled < buffer.length) {
          const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return filled;
      } catch (error) {
        throw fileError('read', path, error);
      }
    },
    close: () => handle.close(),
  };
}

type Verb = 'read' | 'write' | 'move' | 'remove';

function toFileStat(found: Stats): FileStat {
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
  return { kind, size: found.size, mtimeMs: found.mtimeMs };
}

async function orMissing(found: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await found;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** A rename asks nothing of the file it replaces, so what a plain write would refuse is refused here. */
async function checkReplaceable(path: string, target: string, old: Stats): Promise<void> {
  if (old.isSymbolicLink()) {
    throw new TauError('file', `Cannot write ${path}: its symbolic links form a loop`, {
      remedy: 'Repair or remove the links.',
    });
  }
  if (old.isDirectory()) throw isFolder('write', path);
  if (!old.isFile()) throw notRegular('write', path);
  await promises.access(target, constants.W_OK);
}

async function replace(
  folder: Folder,
  name: string,
  content: string | Uint8Array,
  old: Stats | undefined,
): Promise<void> {
  const { randomUUID } = await import('node:crypto');
  const temporary = folder.at(`.tau-${randomUUID()}.tmp`);
  // Private until it has its final mode; a new file gets what the umask leaves.
  const handle = await promises.open(temporary, 'wx', old ? 0o600 : 0o666);
  try {
    try {
      await handle.writeFile(content);
      if (old) {
        // Only root can give a file back to its owner; anyone else's replacement stays their own.
        await handle.chown(old.uid, old.gid).catch(() => undefined);
        await handle.chmod(old.mode & 0o7777);
      }
    } finally {
      await handle.close();
    }
    await promises.rename(temporary, folder.at(name));
  } catch (error) {
    await promises.rm(temporary, { force: true });
    throw error;
  }
}

function isFolder(verb: Verb, path: string): TauError {
  return new TauError('file', `Cannot ${verb} ${path}: it is a folder`, { remedy: 'Name a file in it.' });
}

function namesFolder(path: string): TauError {
  return new TauError('file', `Cannot write ${path}: it names a folder`, { remedy: 'Name a file in it.' });
}

function notRegular(verb: Verb, path: string): TauError {
  return new TauError('file', `Cannot ${verb} ${path}: it is a device, pipe or socket, not a regular file`, {
    remedy: 'Name a regular file.',
  });
}
