/** Where the sessions of a working folder are kept, and which is the newest. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readHeader } from './lines.ts';

/** One folder per working folder, named so that people and pi find it: `--home-me-app--`. */
export function sessionFolder(dir: string, cwd: string): string {
  return join(dir, `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`);
}

/** The session of `cwd` that was written last. Two working folders can share a folder, so the header decides. */
export function latestSession(options: { dir: string; cwd: string }): string | undefined {
  const folder = sessionFolder(options.dir, options.cwd);
  const files: { path: string; time: number; size: number }[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (name.endsWith('.jsonl') && stat?.isFile()) files.push({ path, time: stat.mtimeMs, size: stat.size });
  }
  // Names begin with the time of creation, which settles files written in the same instant.
  files.sort((a, b) => b.time - a.time || (a.path < b.path ? 1 : -1));
  return files.find((file) => isSessionOf(options.cwd, file))?.path;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False for a file that is no session, or none we read, or one in which nothing was ever said. */
function isSessionOf(cwd: string, { path, size }: { path: string; size: number }): boolean {
  try {
    const line = firstLine(path);
    return readHeader(line, path).cwd === cwd && size > Buffer.byteLength(line) + 1;
  } catch {
    return false;
  }
}

/** Reads 4 KB, and on only while a very long path keeps the line from ending. */
function firstLine(path: string): string {
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
