/**
 * Which files the model has seen, and as what: a file is changed only by who knows what is in it. A file that was
 * touched or checked out again but holds the same bytes is the same file.
 */
import { TauError } from '@tau/core';
import type { FileStat, Files } from '@tau/host';

export interface SeenFiles {
  /** The model was shown the file, or wrote it. `path` is where it really is (`files.resolve`). */
  note(path: string, stat: FileStat, content?: Uint8Array): void;
  /** How the file, as it is now, relates to what the model knows. With its content the content decides. */
  state(path: string, stat: FileStat, content?: Uint8Array): SeenState;
}

export type SeenState = 'never' | 'changed' | 'same';

interface Version {
  size: number;
  mtimeMs: number;
  print?: string;
}

/** Beyond it the file seen longest ago is forgotten, and has to be read again. */
const maxFiles = 10_000;
/** Larger contents are known by size and time alone. */
const maxPrintBytes = 4 * 1024 * 1024;

export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, Version>();
  const note: SeenFiles['note'] = (path, { size, mtimeMs }, content) => {
    const print = content && printOf(content);
    seen.delete(path);
    seen.set(path, { size, mtimeMs, ...(print !== undefined && { print }) });
    const [oldest] = seen.keys();
    if (seen.size > maxFiles && oldest !== undefined) seen.delete(oldest);
  };
  return {
    note,
    state(path, stat, content) {
      const known = seen.get(path);
      if (!known) return 'never';
      const print = known.print === undefined ? undefined : content && printOf(content);
      if (print !== undefined) return print === known.print ? 'same' : 'changed';
      return known.size === stat.size && known.mtimeMs === stat.mtimeMs ? 'same' : 'changed';
    },
  };
}

/** Refuses to go on with a file whose content the model cannot know. `deed` completes "then …". */
export function refuseUnseen(state: SeenState, path: string, deed: string): void {
  if (state === 'never') {
    throw new TauError('file', `${path} exists, but you have not read it`, { remedy: `Read it first, then ${deed}.` });
  }
  if (state === 'changed') {
    throw new TauError('file', `${path} changed since you read it`, { remedy: `Read it again, then ${deed}.` });
  }
}

/** What the model wrote it knows. The content decides later on, so a change right after the write is not missed. */
export async function noteWritten(files: Files, seen: SeenFiles, path: string, content: Uint8Array): Promise<void> {
  const stat = await files.stat(path);
  if (stat) seen.note(await files.resolve(path), stat, content);
}

/**
 * 64 bits that tell contents apart. Not `node:crypto`, which takes four milliseconds to load and would be most of what
 * a read costs; nobody gains anything by two contents with one print.
 */
function printOf(content: Uint8Array): string | undefined {
  const { length } = content;
  if (length > maxPrintBytes) return undefined;
  const bytes = Buffer.from(content.buffer, content.byteOffset, length);
  let a = 0x9e3779b9 ^ length;
  let b = 0x85ebca6b ^ length;
  const mix = (word: number) => {
    a = Math.imul(a ^ word, 0x9e3779b1);
    a ^= a >>> 15;
    b = Math.imul(b ^ ((word << 13) | (word >>> 19)), 0xc2b2ae35);
    b ^= b >>> 13;
  };
  const words = length - (length % 4);
  for (let at = 0; at < words; at += 4) mix(bytes.readInt32LE(at));
  for (let at = words; at < length; at++) mix(bytes[at] ?? 0);
  return `${length} ${a >>> 0} ${b >>> 0}`;
}
