/** Reads a file of settings or models: a plain one of reasonable size, and never a pipe somebody left in the way. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { TauError } from '@tau/core';

const defaultMaxBytes = 4 * 1024 * 1024;

/** `undefined` when there is no such file. */
export function readText(path: string, maxBytes = defaultMaxBytes): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error('it is not a regular file');
    if (found.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new TauError('configuration', `${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** `line:column`, both from 1. */
export function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
