/** Which folders belong to the project somebody works in. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from '../config/home.ts';
import { projectFolder, projectRoot, realPath } from '../config/layers.ts';

export interface Project {
  /** The root of the repository, else the working folder: where the project's `.tau` is. */
  root: string;
  /** Whose AGENTS.md count, the outermost first, the working folder last. */
  folders: readonly string[];
  /** The project's `.tau`. Absent when that is the user's own. */
  tau?: string;
}

export function findProject(cwd: string, home: Home): Project {
  const root = projectRoot(cwd, home);
  const tau = projectFolder(home, cwd);
  const folders = existsSync(join(root, '.git')) ? foldersFrom(root, cwd) : foldersBelowHome(cwd, realPath(home.user));
  return { root, folders, ...(tau !== undefined && { tau }) };
}

function foldersFrom(root: string, cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folders.unshift(folder))
    folder = dirname(folder);
  return folders;
}

/** Without a repository every folder below the home folder counts; one that is not below it stands alone. */
function foldersBelowHome(cwd: string, userHome: string): string[] {
  if (cwd === userHome) return [cwd];
  const folders: string[] = [];
  for (let folder = cwd; folder !== userHome; folder = dirname(folder)) {
    if (folder === dirname(folder)) return [cwd];
    folders.unshift(folder);
  }
  return folders;
}
