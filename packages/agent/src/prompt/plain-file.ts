/**
 * Reads a file whose text goes to the provider without anybody being asked. It must be a plain text file inside the
 * folders it may come from: a link that leads out of them (to a key, to this process's environment) is not followed.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { describeError, withHiddenTold } from '@tau/core';

export interface PlainFile {
  /** As it was looked for. */
  path: string;
  /** Where it really is. */
  real: string;
  text: string;
}

/** The file and, when it was cut or something was hidden in it, a word about that; why it cannot be used; undefined when there is none. */
export type Found = { file: PlainFile; warning?: string } | { problem: string } | undefined;

const maxFileBytes = 64 * 1024;

export function readPlainFile(path: string, within: readonly string[]): Found {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const real = realpathSync.native(path);
    if (!within.some((folder) => isInside(real, folder))) {
      const how = real === path ? 'it is' : `it is a link to ${real},`;
      return { problem: `${path} is left out: ${how} outside ${within.join(' and ')}` };
    }
    const { text: whole, size } = readStart(real, maxFileBytes);
    if (whole.includes('\0')) return { problem: `${path} is left out: it is not UTF-8 text` };
    const { text, told } = withHiddenTold(whole);
    const hidden = told === undefined ? [] : [`Removed ${told} from ${path}`];
    if (size <= maxFileBytes) return { file: { path, real, text }, ...warned(hidden) };
    return {
      file: { path, real, text: `${text}\n[cut: the first ${maxFileBytes} of ${size} bytes]` },
      ...warned([`${path} is cut: the model gets the first ${maxFileBytes} of ${size} bytes`, ...hidden]),
    };
  } catch (error) {
    return { problem: `${path} is left out: ${describeError(error)}` };
  }
}

function warned(warnings: readonly string[]): { warning?: string } {
  return warnings.length === 0 ? {} : { warning: warnings.join('; ') };
}

/** Links followed on both sides; a folder is not inside itself. */
export function isInside(real: string, folder: string): boolean {
  try {
    const base = realpathSync.native(folder);
    return real.startsWith(base.endsWith(sep) ? base : base + sep);
  } catch {
    // A folder that is not there has nothing in it.
    return false;
  }
}

/** Opened without following a link or waiting for a pipe's writer, and never read further than what is used. */
export function readStart(path: string, maxBytes: number): { text: string; size: number } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    const bytes = Buffer.alloc(Math.min(stat.size, maxBytes));
    const text = bytes.toString('utf8', 0, readSync(fd, bytes)).replace(/^\uFEFF/, '');
    // The cut may have gone through a character.
    return { text: stat.size > maxBytes ? text.replace(/\uFFFD$/, '') : text, size: stat.size };
  } finally {
    closeSync(fd);
  }
}
