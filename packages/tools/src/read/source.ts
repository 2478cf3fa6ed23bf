/** A file opened to be read, and what it is by its first bytes. */
import { extname } from 'node:path';
import { TauError } from '@tau/core';
import type { Files, OpenFile } from '@tau/host';
import { missingFile } from '../missing.ts';
import { type ImageFormat, imageFormat } from './image-format.ts';

/** Enough to tell what a file is; many files are not longer. */
const headBytes = 64 * 1024;
const maxNames = 20;

export interface Source {
  path: string;
  file: OpenFile;
  /** The first bytes of the file; all of it when `complete`. */
  head: Buffer;
  complete: boolean;
}

export type Kind = { kind: 'image'; format: ImageFormat } | { kind: 'pdf' } | { kind: 'notebook' } | { kind: 'text' };

/** Opens the file for as long as `use` takes. */
export async function withSource<T>(files: Files, path: string, use: (source: Source) => Promise<T>): Promise<T> {
  const found = await files.stat(path);
  if (!found) throw await missingFile(files, path);
  if (found.kind === 'directory') throw await folder(files, path);
  const file = await files.open(path);
  try {
    const buffer = Buffer.allocUnsafe(headBytes);
    const filled = await file.read(buffer, 0);
    return await use({ path, file, head: buffer.subarray(0, filled), complete: filled < headBytes });
  } finally {
    await file.close();
  }
}

export function kindOf({ path, head }: Source): Kind {
  const format = imageFormat(head);
  if (format) return { kind: 'image', format };
  if (head.toString('latin1', 0, 5) === '%PDF-') return { kind: 'pdf' };
  return { kind: extname(path).toLowerCase() === '.ipynb' ? 'notebook' : 'text' };
}

async function folder(files: Files, path: string): Promise<TauError> {
  const names = await files.names(path).catch(() => []);
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const held = names.length === 0 ? 'It is empty.' : `It holds: ${names.slice(0, maxNames).join(', ')}${more}.`;
  return new TauError('file', `${path} is a folder`, { remedy: `${held} Look into it with ls or glob.` });
}

/** Before anything of it is in memory. */
export function refuseLarger({ path, file }: Source, maxBytes: number, what: string): void {
  if (file.stat.size > maxBytes) throw tooLarge(path, maxBytes, what);
}

export function tooLarge(path: string, maxBytes: number, what: string): TauError {
  return new TauError('file', `${path} is ${what} of more than ${megabytes(maxBytes)}`, {
    remedy: 'Make a smaller one of it through bash, and read that.',
  });
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MB`;
}
