/**
 * What was made of small files that are looked at again and again, kept while they are the same: the same node, size and
 * times. A file that has just been written is not kept, for it could change once more within one tick of the clock.
 */
import { type BigIntStats, promises } from 'node:fs';

export interface KeptFiles<T> {
  /** Undefined when there is no such regular file, or none that can be used. */
  at(path: string | Buffer): Promise<T | undefined>;
}

export interface KeptFilesOptions<T> {
  make(content: Buffer): T;
  /** A larger file is not used. */
  maxFileBytes: number;
  /** Of all that is kept. The one asked for longest ago goes first. */
  maxBytes?: number;
}

interface Kept<T> {
  size: number;
  value: T;
}

const defaultMaxBytes = 8 * 1024 * 1024;
/** What a file costs besides its content. */
const overhead = 256;
const settledMs = 1000;

export function keepFiles<T>(options: KeptFilesOptions<T>): KeptFiles<T> {
  const { make, maxFileBytes, maxBytes = defaultMaxBytes } = options;
  /** By what makes a file the same, whatever way leads to it. */
  const kept = new Map<string, Kept<T>>();
  let bytes = 0;

  function forget(print: string): void {
    bytes -= kept.get(print)?.size ?? 0;
    kept.delete(print);
  }

  function keep(print: string, one: Kept<T>): void {
    forget(print);
    kept.set(print, one);
    bytes += one.size;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      forget(oldest);
    }
  }

  async function read(path: string | Buffer): Promise<Kept<T>> {
    const content = await promises.readFile(path);
    return { size: content.length + overhead, value: make(content) };
  }

  return {
    async at(path) {
      try {
        const stat = await promises.stat(path, { bigint: true });
        if (!stat.isFile() || stat.size > maxFileBytes) return undefined;
        const print = printOf(stat);
        const one = kept.get(print) ?? (await read(path));
        if (isSettled(stat)) keep(print, one);
        return one.value;
      } catch {
        return undefined;
      }
    },
  };
}

function printOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function isSettled({ ctimeMs }: BigIntStats): boolean {
  return Date.now() - Number(ctimeMs) > settledMs;
}
