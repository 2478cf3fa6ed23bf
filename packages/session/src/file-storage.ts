/** Entries in a JSONL file. The heads of all are in memory; an entry itself is read when it is asked for. */
import { closeSync, fstatSync, openSync } from 'node:fs';
import type { SessionEntry, SessionHeader } from '@tau/core';
import { describeError, TauError } from '@tau/core';
import { createHeadReader, headOf } from './head.ts';
import { formatLine, noHeader, readEntry, readHeader } from './lines.ts';
import type { SessionLock } from './lock.ts';
import { readText, scanLines, type VisitLine } from './scan.ts';
import type { Storage } from './storage.ts';
import { lineStore } from './store.ts';
import { createTree, type Tree } from './tree.ts';

/** A file that is made with the first append, in one write with what is given. */
export function newFileStorage(path: string, header: SessionHeader, given: readonly SessionEntry[]): Storage {
  const store = lineStore(path, { create: true });
  const parts = fileParts(path, (problem) => {
    throw new TauError('session', problem, {
      remedy: 'Somebody changed the file of a session in use: start a new one.',
    });
  });
  for (const entry of given) parts.add(entry);
  let written = false;
  return {
    header,
    path,
    ...parts.reading,
    append(entry) {
      const line = lineOf(entry);
      if (written) {
        parts.grow(entry, store.append(line), line.length - 1);
        return;
      }
      const lines = [lineOf(header), ...given.map(lineOf), line];
      let offset = store.append(Buffer.concat(lines));
      written = true;
      parts.add(entry);
      for (const [index, { length }] of lines.entries()) {
        if (index > 0) parts.locate(index - 1, offset, length - 1, index + 1);
        offset += length;
      }
    },
    bytesAfter: (place) => parts.bytesAfter(place, store.size()),
    close: store.close,
  };
}

/** A file that is there. What cannot be read is reported, at once or when it is first needed, and stays as it is. */
export function fileStorage(path: string, report: (problem: string) => void, lock?: SessionLock): Storage {
  const parts = fileParts(path, report);
  const { header, ...end } = withFile(path, (fd) => {
    const scan = createScan(fd, path, parts, report);
    const read = scanLines(fd, fstatSync(fd).size, scan.visit);
    scan.end();
    if (scan.header === undefined) throw noHeader(path);
    return { header: scan.header, ...read };
  });
  const store = lineStore(path, { create: false, read: end, ...(lock !== undefined && { lock }) });
  return {
    header,
    path,
    ...parts.reading,
    append(entry) {
      const line = lineOf(entry);
      parts.grow(entry, store.append(line), line.length - 1);
    },
    bytesAfter: (place) => parts.bytesAfter(place, store.size()),
    close: store.close,
  };
}

function lineOf(value: SessionHeader | SessionEntry): Buffer {
  return Buffer.from(formatLine(value));
}

/** How many bytes of lines that nothing hangs on are checked whole when a file is opened. */
const checkedBytes = 1 << 20;

interface Scan {
  readonly header: SessionHeader | undefined;
  visit: VisitLine;
  end(): void;
}

function createScan(fd: number, path: string, parts: FileParts, report: (problem: string) => void): Scan {
  const readHead = createHeadReader();
  let header: SessionHeader | undefined;
  let number = 0;
  let toCheck = checkedBytes;
  let last: number | undefined;

  /** The line before was written whole if the next one hangs on it; a torn one may only look so. */
  function checkLast(parentId: string | null | undefined): void {
    if (last === undefined || toCheck < 0 || parts.reading.tree.id(last) === parentId) return;
    toCheck -= parts.lengthOf(last);
    if (toCheck < 0) return;
    parts.readWith(fd, [last]);
    parts.reading.release(new Set());
  }

  return {
    get header() {
      return header;
    },
    visit(offset, length, front, lastByte) {
      number++;
      if (header === undefined) {
        header = readHeader(readText(fd, offset, length) ?? '', path);
        return;
      }
      if (lastByte !== closingBrace && length === front.length && front.trim() === '') return;
      const quick = lastByte === closingBrace ? readHead(front) : undefined;
      const entry = quick === undefined ? readEntry(readText(fd, offset, length) ?? '') : undefined;
      const head = quick ?? (entry && headOf(entry));
      if (head === undefined) {
        report(damaged(path, number));
        return;
      }
      checkLast(head.parentId);
      last = parts.reading.tree.add(head);
      parts.locate(last, offset, length, number);
    },
    end: () => checkLast(undefined),
  };
}

const closingBrace = 0x7d;

function damaged(path: string, line: number): string {
  return `${path}: line ${line} is damaged or incomplete and was skipped`;
}

interface FileParts {
  reading: { tree: Tree } & Pick<Storage, 'read' | 'release'>;
  readWith(fd: number, places: readonly number[]): void;
  /** An entry that is in memory only. */
  add(entry: SessionEntry): number;
  /** An entry that was just written, as the last line. */
  grow(entry: SessionEntry, offset: number, length: number): void;
  locate(place: number, offset: number, length: number, line: number): void;
  lengthOf(place: number): number;
  bytesAfter(place: number, size: number | undefined): number | undefined;
}

/** The tree, where its entries are in the file, and those of them that are in memory. */
function fileParts(path: string, report: (problem: string) => void): FileParts {
  const tree = createTree();
  /** Where each entry is; undefined for one that is in memory only. */
  const offsets: (number | undefined)[] = [];
  const lengths: number[] = [];
  const lines: number[] = [];
  const kept = new Map<number, SessionEntry>();
  let lastLine = 1;

  function add(entry: SessionEntry): number {
    const place = tree.add(headOf(entry));
    kept.set(place, entry);
    return place;
  }

  function locate(place: number, offset: number, length: number, line: number): void {
    offsets[place] = offset;
    lengths[place] = length;
    lines[place] = line;
    lastLine = line;
  }

  function readWith(fd: number, places: readonly number[]): void {
    for (const place of places) {
      const offset = offsets[place];
      const id = tree.id(place);
      if (offset === undefined || id === undefined || kept.has(place)) continue;
      const entry = readEntry(readText(fd, offset, lengths[place] ?? 0) ?? '');
      if (entry?.id === id) kept.set(place, entry);
      else {
        tree.drop(place);
        report(damaged(path, lines[place] ?? 0));
      }
    }
  }

  return {
    reading: {
      tree,
      read(places) {
        const missing = places.filter((place) => !kept.has(place));
        if (missing.length > 0) withFile(path, (fd) => readWith(fd, missing));
        return places.map((place) => kept.get(place));
      },
      release(places) {
        for (const place of kept.keys()) if (!places.has(place) && offsets[place] !== undefined) kept.delete(place);
      },
    },
    readWith,
    add,
    grow: (entry, offset, length) => locate(add(entry), offset, length, lastLine + 1),
    locate,
    lengthOf: (place) => lengths[place] ?? 0,
    bytesAfter(place, size) {
      const offset = offsets[place];
      return offset === undefined || size === undefined ? undefined : size - offset - (lengths[place] ?? 0);
    },
  };
}

function withFile<T>(path: string, use: (fd: number) => T): T {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    return use(fd);
  } catch (cause) {
    if (cause instanceof TauError) throw cause;
    throw new TauError('session', `The session ${path} could not be opened: ${describeError(cause)}`, {
      remedy: 'Check the path, or start a new session.',
      cause,
    });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
