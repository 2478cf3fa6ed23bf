/**
 * Reads `auth.json`. A file that others could read is narrowed to its owner first. One that is no JSON is an error, and
 * what it holds is never quoted: it may be a key.
 */
import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { isRecord, TauError } from '@tau/core';
import { errorCode, storeError } from './store-error.ts';

const maxBytes = 1024 * 1024;

/** Entries by provider, as they stand in the file, known or not. */
export type AuthEntries = ReadonlyMap<string, unknown>;

export interface AuthFile {
  entries: AuthEntries;
  warnings: string[];
}

/** Without a file there are no entries. */
export function readAuthFile(path: string): AuthFile {
  const found = readPrivately(path);
  if (found === undefined) return { entries: new Map(), warnings: [] };
  return { entries: parseEntries(path, found.text), warnings: found.warnings };
}

function readPrivately(path: string): { text: string; warnings: string[] } | undefined {
  let file: number;
  try {
    // Opening a pipe would wait for whoever writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw storeError('read', path, cause);
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw broken(path, 'it is not a regular file');
    if (found.size > maxBytes) throw broken(path, 'it is larger than 1 MB');
    const warnings = (found.mode & 0o077) === 0 ? [] : [narrow(path, file, found.mode)];
    return { text: readFileSync(file, 'utf8'), warnings };
  } catch (cause) {
    throw cause instanceof TauError ? cause : storeError('read', path, cause);
  } finally {
    closeSync(file);
  }
}

function narrow(path: string, file: number, mode: number): string {
  const was = `${path} could be read by others (mode ${(mode & 0o777).toString(8).padStart(4, '0')})`;
  try {
    fchmodSync(file, 0o600);
    return `${was}; it is 0600 now. Change the keys in it if others use this machine`;
  } catch {
    return `${was}, and that cannot be changed. Make it yours alone: chmod 600 ${path}`;
  }
}

function parseEntries(path: string, text: string): AuthEntries {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's own words quote the file.
    throw broken(path, 'it is not valid JSON');
  }
  if (!isRecord(value)) throw broken(path, 'it must be an object with an entry for each provider');
  return new Map(Object.entries(value));
}

function broken(path: string, why: string): TauError {
  return new TauError('configuration', `${path} cannot be used: ${why}`, {
    remedy: 'Mend it, or move it away and store the keys again with tau auth set',
  });
}
