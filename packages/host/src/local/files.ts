/** Files of this machine. A write is a rename, so a reader sees the old content or the new, never a part. */
// Not `node:fs/promises`, which takes a millisecond to load: these are loaded by the first use.
import { constants, promises, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { TauError } from '@tau/core';
import type { FileStat, Files } from '../host.ts';
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
      try {
        const full = fullPath(base, path);
        // A pipe or a device may have no end, and opening one can block.
        if (toFileStat(await promises.stat(full)).kind === 'other') throw notRegular('read', path);
        return await promises.readFile(full);
      } catch (error) {
        throw error instanceof TauError ? error : fileError('read', path, error);
      }
    },

    async write(path, content) {
      try {
        const target = await resolvePath(base, path);
        const old = await orMissing(promises.lstat(target));
        if (old) await checkReplaceable(path, target, old);
        else await promises.mkdir(dirname(target), { recursive: true });
        await replace(target, content, old);
        return { created: old === undefined, bytes: Buffer.byteLength(content) };
      } catch (error) {
        throw error instanceof TauError ? error : fileError('write', path, error);
      }
    },
  };
}

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
  if (old.isDirectory()) {
    throw new TauError('file', `Cannot write ${path}: it is a folder`, { remedy: 'Name a file in it.' });
  }
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

function notRegular(verb: 'read' | 'write', path: string): TauError {
  return new TauError('file', `Cannot ${verb} ${path}: it is a device, pipe or socket, not a regular file`, {
    remedy: 'Name a regular file.',
  });
}
