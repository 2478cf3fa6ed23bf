/**
 * Changes `auth.json`: under a lock, from what is there at that moment, into a file beside it that takes its place whole.
 * Entries and fields that are not ours stay as they are; a file that cannot be understood is never written over.
 */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRecord, TauError } from '@tau/core';
import { type AuthEntries, readAuthFile } from './auth-file.ts';
import { type LockOptions, lockFile } from './lock.ts';
import { errorCode, storeError } from './store-error.ts';

/** What was there before. */
export type Replaced = 'nothing' | 'key' | 'login';

export async function storeKey(path: string, provider: string, key: string, options?: LockOptions): Promise<Replaced> {
  let replaced: Replaced = 'nothing';
  await change(path, options, (entries) => {
    const old = entries.get(provider);
    replaced = old === undefined ? 'nothing' : isRecord(old) && old.type === 'oauth' ? 'login' : 'key';
    // What else stands beside a key is kept; of a login nothing is left that would still work.
    const kept = isRecord(old) && old.type === 'api_key' ? old : {};
    return new Map(entries).set(provider, { ...kept, type: 'api_key', key });
  });
  return replaced;
}

/** False when there was none; the file is not touched then. */
export async function removeEntry(path: string, provider: string, options?: LockOptions): Promise<boolean> {
  let removed = false;
  await change(path, options, (entries) => {
    const rest = new Map(entries);
    removed = rest.delete(provider);
    return removed ? rest : undefined;
  });
  return removed;
}

const attempts = 5;

async function change(
  path: string,
  options: LockOptions | undefined,
  edit: (entries: AuthEntries) => AuthEntries | undefined,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const lock = await lockFile(path, options);
    try {
      const next = edit(readAuthFile(path).entries);
      if (next === undefined || replaceFile(path, next, lock.held)) return;
    } finally {
      lock.release();
    }
  }
  throw new TauError('file', `${path} was changed by others ${attempts} times meanwhile`, { remedy: 'Try again' });
}

/** False, and nothing changed, when the lock was lost meanwhile: the process may have been asleep. */
function replaceFile(path: string, entries: AuthEntries, held: () => boolean): boolean {
  const target = followLinks(path);
  const prefix = `${basename(target)}.`;
  const temporary = join(dirname(target), `${prefix}${crypto.randomUUID()}.tmp`);
  try {
    sweep(dirname(target), prefix);
    writePrivately(temporary, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
    if (!held()) {
      rmSync(temporary, { force: true });
      return false;
    }
    renameSync(temporary, target);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw storeError('write', path, cause);
  }
  settle(dirname(target));
  return true;
}

/** A link to a file kept elsewhere stays a link. */
function followLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return path;
    throw storeError('write', path, cause);
  }
}

function writePrivately(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What a killed process left holds keys. Whoever has the lock knows that nobody needs it any more. */
function sweep(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix) && name.endsWith('.tmp')) rmSync(join(folder, name), { force: true });
  }
}

/** So that the new name outlives a power cut. Some file systems cannot; the file itself is safe already. */
function settle(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // The rename happened; only its moment on disk is not known.
  }
}
