/** Where the sessions of a working folder are kept, which files there are, and which is the newest. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readHeader } from './lines.ts';

/** One folder per working folder, named so that people and pi find it: `--home-me-app--`. */
export function sessionFolder(dir: string, cwd: string): string {
  return join(dir, `--${fitting(cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-'))}--`);
}

/** File systems take names of 255 bytes. */
const mostNameBytes = 240;

/** The end of a name that is too long. Others may have the same end: whose a session is, its header says. */
function fitting(name: string): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= mostNameBytes) return name;
  return bytes.toString('utf8', bytes.length - mostNameBytes).replace(/^\uFFFD+/, '');
}

export interface SessionFile {
  path: string;
  size: number;
  /** When it was last written, in Unix milliseconds. */
  time: number;
  /** There is a lock beside it, which may be one that was left behind. */
  locked: boolean;
}

/** The files in the folder of `cwd`, or in every folder; the one written last comes first. Their content is not looked at. */
export function sessionFiles(options: { dir: string; cwd?: string }): SessionFile[] {
  const { dir, cwd } = options;
  const folders = cwd === undefined ? namesIn(dir).map((name) => join(dir, name)) : [sessionFolder(dir, cwd)];
  const files = folders.flatMap(filesIn);
  // Names begin with the time of creation, which settles files written in the same instant.
  return files.sort((a, b) => b.time - a.time || (a.path < b.path ? 1 : -1));
}

function filesIn(folder: string): SessionFile[] {
  const names = namesIn(folder);
  const all = new Set(names);
  const files: SessionFile[] = [];
  for (const name of names) {
    if (!name.endsWith('.jsonl')) continue;
    const path = `${folder}/${name}`;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    files.push({ path, size: stat.size, time: stat.mtimeMs, locked: all.has(`${name}.lock`) });
  }
  return files;
}

/** The session of `cwd` that was written last. Two working folders can share a folder, so the header decides. */
export function latestSession(options: { dir: string; cwd: string }): string | undefined {
  return sessionFiles(options).find((file) => isSessionOf(options.cwd, file))?.path;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False for a file that is no session, or none we read, or one in which nothing was ever said. */
function isSessionOf(cwd: string, { path, size }: SessionFile): boolean {
  try {
    const line = firstLine(path);
    return readHeader(line, path).cwd === cwd && size > Buffer.byteLength(line) + 1;
  } catch {
    return false;
  }
}

/** Reads 4 KB, and on only while a very long path keeps the line from ending. */
export function firstLine(path: string): string {
  const pieces: Buffer[] = [];
  const fd = openSync(path, 'r');
  try {
    for (let count = 0; count < 16; count++) {
      const piece = Buffer.alloc(4096);
      const size = readSync(fd, piece);
      const end = piece.subarray(0, size).indexOf(0x0a);
      pieces.push(piece.subarray(0, end < 0 ? size : end));
      if (end >= 0 || size === 0) break;
    }
  } finally {
    closeSync(fd);
  }
  return Buffer.concat(pieces).toString('utf8');
}
