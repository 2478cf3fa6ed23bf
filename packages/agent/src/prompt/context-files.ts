/**
 * The instructions that come with a place: the user's own AGENTS.md, then one for each folder from the repository's root
 * down to the working folder. CLAUDE.md counts where no AGENTS.md stands beside it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from '../config/home.ts';

export interface ContextFile {
  path: string;
  text: string;
}

const maxChars = 64 * 1024;

export function findContextFiles(cwd: string, home: Home): ContextFile[] {
  const files = foldersDownTo(cwd, home.user).map((folder) => readFirst(folder, ['AGENTS.md', 'CLAUDE.md']));
  return [read(home.context), ...files].filter((file) => file !== undefined);
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

function readFirst(folder: string, names: readonly string[]): ContextFile | undefined {
  for (const name of names) {
    const file = read(join(folder, name));
    if (file) return file;
  }
  return undefined;
}

function read(path: string): ContextFile | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length <= maxChars) return { path, text };
    return { path, text: `${text.slice(0, maxChars)}\n[cut: the first ${maxChars} of ${text.length} characters]` };
  } catch {
    return undefined;
  }
}
