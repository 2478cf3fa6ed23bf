/** Files of this machine. A write is a rename, so a reader sees the old content or the new, never a part. */
// Not `node:fs/promises`, which takes a millisecond to load: these are loaded by the first use.
import { constants, promises, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { TauError } from '@tau/core';
import type { FileStat, Files, OpenFile } from '../host.ts';
import { errorCode, fileError } from './failure.ts';
import { type Base, fullPath, resolvePath } from './resolve.ts';

export function localFiles(base: Base): Files {
  return {
    resolve: (path) => resolvePath(base, path),

    async stat(path) {
      try {
        const found = await orMissing(promises.stat(fullPath(base, path)));
        return found && toFileStat(found);
      } catch (error) {
        throw fileError('inspect', path, error);
      }
    },

    async names(path) {
      try {
        return (await promises.readdir(fullPath(base, path))).sort();
      } catch (error) {
        throw fileError('list', path, error);
      }
    },

    async read(path) {
      const { handle } = await openRegular(base, path);
      try {
        return await handle.readFile();
      } catch (error) {
        throw fileError('read', path, error);
      } finally {
        await handle.close();
      }
    },

    async open(path) {
      const { handle, stat } = await openRegular(base, path);
      return openFile(path, handle, stat);
    },

    async write(path, content) {
      try {
        const full = fullPath(base, path);
        if (/\/\.?$/.test(full)) throw namesFolder(path);
        const target = await resolvePath(base, path);
        const old = await orMissing(promises.lstat(target));
        if (old) await checkReplaceable(path, target, old);
        // What a look at the path did not find (`missing/../file`) is not replaced either.
        if (old) await promises.stat(full);
        else await promises.mkdir(dirname(target), { recursive: true });
        await replace(target, content, old);
        return { created: old === undefined, bytes: Buffer.byteLength(content) };
      } catch (error) {
        throw error instanceof TauError ? error : fileError('write', path, error);
      }
    },

    async move(from, to) {
      try {
        const source = await regularFile(base, from, 'move');
        const target = await resolvePath(base, to);
        if (await orMissing(promises.lstat(target))) throw new TauError('file', `Cannot move ${from}: ${to} exists`);
        await promises.mkdir(dirname(target), { recursive: true });
        await promises.rename(source, target);
      } catch (error) {
        throw error instanceof TauError ? error : fileError('move', from, error);
      }
    },

    async remove(path) {
      try {
        await promises.unlink(await regularFile(base, path, 'remove'));
      } catch (error) {
        throw error instanceof TauError ? error : fileError('remove', path, error);
      }
    },
  };
}

/** Where a regular file is. A link is not followed here: moving or removing would be about the link. */
async function regularFile(base: Base, path: string, verb: 'move' | 'remove'): Promise<string> {
  const full = fullPath(base, path);
  const found = await promises.lstat(full);
  if (found.isSymbolicLink()) {
    throw new TauError('file', `Cannot ${verb} ${path}: it is a symbolic link`, { remedy: 'Name the file itself.' });
  }
  if (found.isDirectory()) throw isFolder(verb, path);
  if (!found.isFile()) throw notRegular(verb, path);
  return full;
}

/**
 * Opened first and looked at then, so that nobody can put something else there in between. Not waiting: a pipe without a
 * writer would never open. The look before keeps devices closed, because opening one can already be a deed.
 */
async function openRegular(base: Base, path: string): Promise<{ handle: promises.FileHandle; stat: FileStat }> {
  let handle: promises.FileHandle | undefined;
  try {
    const full = fullPath(base, path);
    refuseSpecial(path, await promises.stat(full));
    handle = await promises.open(full, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    return { handle, stat: refuseSpecial(path, await handle.stat()) };
  } catch (error) {
    await handle?.close();
    throw error instanceof TauError ? error : fileError('read', path, error);
  }
}

function refuseSpecial(path: string, found: Stats): FileStat {
  const stat = toFileStat(found);
  if (stat.kind === 'other') throw notRegular('read', path);
  if (stat.kind === 'directory') throw isFolder('read', path);
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

async function replace(target: string, content: string | Uint8Array, old: Stats | undefined): Promise<void> {
  const { randomUUID } = await import('node:crypto');
  const temporary = join(dirname(target), `.tau-${randomUUID()}.tmp`);
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
    await promises.rename(temporary, target);
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
