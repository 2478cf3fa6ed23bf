/** Where a search begins, what it may not look at, and how the paths it finds are shown. */
import { TauError, type ToolInput } from '@tau/core';
import type { Host } from '@tau/host';
import { optionalNumber, optionalText } from '../input.ts';
import { missingFile } from '../missing.ts';

export interface SearchOptions {
  /** False: what git ignores is searched too. */
  respectGitignore?: boolean;
  /** May a tool that goes through many files, beginning at the root, read this one? Absent: all. Absolute paths. */
  mayRead?(absolutePath: string, root: string): boolean;
  /** Could anything below the folder be left out for that? Absent: perhaps, so every search counts. */
  deniesBelow?(absoluteFolder: string): boolean;
}

export function rootOf(input: ToolInput): string {
  return optionalText(input, 'path') || '.';
}

export function limitOf(input: ToolInput, { fallback, most }: { fallback: number; most: number }): number {
  const asked = optionalNumber(input, 'limit') ?? fallback;
  return Math.min(Math.max(1, asked), most);
}

/** What there is to search. Throws, with what to do, when it is nothing of the kind. */
export async function rootKind(host: Host, path: string): Promise<'file' | 'directory'> {
  const found = await host.files.stat(path);
  if (!found) throw await missingFile(host.files, path);
  if (found.kind !== 'other') return found.kind;
  throw new TauError('file', `${path} is a device, pipe or socket`, { remedy: 'Name a folder or a regular file.' });
}

/**
 * How many files the search leaves out because they may not be read. Counted apart from the search: a number that
 * depended on what is in those files would tell it.
 */
export async function deniedFiles(
  host: Host,
  options: SearchOptions,
  request: { root: string; glob?: string; signal: AbortSignal },
): Promise<number> {
  const { deniesBelow, respectGitignore = true } = options;
  const reading = await readingFrom(host, options, request.root);
  if (!reading.mayRead || deniesBelow?.(await host.files.resolve(request.root)) === false) return 0;
  const { denied } = await host.search.files({ ...request, ...reading, gitIgnored: !respectGitignore, limit: 0 });
  return denied;
}

/** What a search that begins at the root may read. */
export async function readingFrom(
  host: Host,
  { mayRead }: SearchOptions,
  root: string,
): Promise<{ mayRead?(absolutePath: string): boolean }> {
  if (!mayRead) return {};
  const real = await host.files.resolve(root);
  return { mayRead: (path) => mayRead(path, real) };
}

/** The path as it can be given to another tool. */
export function pathFrom(root: string, below: string): string {
  const folder = root.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  if (root.startsWith('/') && folder === '') return `/${below}`;
  return folder === '' || folder === '.' ? below : `${folder}/${below}`;
}

/** A name may hold anything; a line of the result must stay one line. */
export function shownPath(path: string): string {
  return path.replace(/\p{Cc}/gu, (char) => {
    if (char === '\n') return '\\n';
    return char === '\t' ? '\\t' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

export function notes(found: { denied?: number; unreadable?: number }): string[] {
  const { denied = 0, unreadable = 0 } = found;
  return [
    ...(denied > 0 ? [`[${files(denied)} left out: reading is denied, or asks first: name them in path.]`] : []),
    ...(unreadable > 0 ? [`[${unreadable} files or folders could not be read.]`] : []),
  ];
}

export function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** The result of work that an abort ends. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw signal.aborted ? new TauError('usage', 'Stopped: the user interrupted') : error;
  }
}
