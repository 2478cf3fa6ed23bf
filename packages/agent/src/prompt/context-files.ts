/**
 * The instructions that come with a place: the user's own AGENTS.md, then one for each folder from the repository's root
 * down to the working folder. CLAUDE.md counts where no AGENTS.md stands beside it. What a repository brings goes to the
 * provider without anybody being asked, so it must be a plain file inside that repository: a link that leads out of it
 * (to a key, to this process's environment) is left out, and said so.
 */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describeError } from '@tau/core';
import type { Home } from '../config/home.ts';

export interface ContextFile {
  path: string;
  text: string;
}

const maxBytes = 64 * 1024;

export function findContextFiles(cwd: string, home: Home): { files: ContextFile[]; warnings: string[] } {
  const warnings: string[] = [];
  const folders = foldersDownTo(cwd, home.user);
  const root = folders[0] ?? cwd;
  const found = [
    read(home.context, home.tau, warnings),
    ...folders.map((folder) => {
      return read(join(folder, 'AGENTS.md'), root, warnings) ?? read(join(folder, 'CLAUDE.md'), root, warnings);
    }),
  ];
  return { files: found.filter((file) => file !== undefined), warnings };
}

/** From the repository's root, else from below the home folder; a folder outside both stands alone. */
function foldersDownTo(cwd: string, userHome: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder === userHome && folders.length > 0) return folders;
    folders.unshift(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}

function read(path: string, within: string, warnings: string[]): ContextFile | undefined {
  try {
    const real = realpathSync(path);
    if (!real.startsWith(realpathSync(within) + sep)) {
      warnings.push(`${path} is left out: it is a link to ${real}, outside ${within}`);
      return undefined;
    }
    const { text, size } = readStart(real);
    if (size <= maxBytes) return { path, text };
    warnings.push(`${path} is cut: the model gets the first ${maxBytes} of ${size} bytes`);
    return { path, text: `${text}\n[cut: the first ${maxBytes} of ${size} bytes]` };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (!missing) warnings.push(`${path} is left out: ${describeError(error)}`);
    return undefined;
  }
}

/** Opened without following a link or waiting for a pipe's writer, and never read further than what is used. */
function readStart(path: string): { text: string; size: number } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    const bytes = Buffer.alloc(Math.min(stat.size, maxBytes));
    return { text: bytes.toString('utf8', 0, readSync(fd, bytes)), size: stat.size };
  } finally {
    closeSync(fd);
  }
}
