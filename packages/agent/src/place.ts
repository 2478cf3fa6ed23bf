/** Where an agent works: its folder, what counts as inside, and the environment its commands get. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { TauError } from '@tau/core';
import type { PathScope } from '@tau/policy';
import type { Home } from './config/home.ts';
import type { Settings } from './config/types.ts';
import { leadsTo } from './leads-to.ts';

/** Fixed when the agent is made; nothing the model does widens it. */
export function pathScope(cwd: string, home: Home, added: readonly string[] = []): PathScope {
  const user = realOrWritten(home.user);
  const account = accountHome();
  return {
    roots: [...new Set([cwd, ...added])],
    temp: [...new Set([tmpdir(), realOrWritten(tmpdir())])],
    toolchain: ['/usr', '/bin', '/lib', '/lib64', '/opt', nodeFolder()],
    home: user,
    ...(account !== undefined && account !== user && { accountHome: account }),
    tauHome: realOrWritten(home.tau),
  };
}

/** Where the list of users has the user; HOME may say something else. */
function accountHome(): string | undefined {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? realOrWritten(homedir) : undefined;
  } catch {
    // Not everybody is in that list: a container may run as any number.
    return undefined;
  }
}

/**
 * Folders that count as inside like the project. One that the user names now must be there; one that stands in the
 * settings may be on another machine, which is worth a word.
 */
export function addedFolders(from: {
  cwd: string;
  home: Home;
  settings: Pick<Settings, 'additionalDirectories'>;
  addDirs?: readonly string[];
}): { folders: string[]; problems: string[] } {
  const { cwd, home, settings, addDirs = [] } = from;
  const folders: string[] = [];
  const problems: string[] = [];
  for (const path of settings.additionalDirectories ?? []) {
    const { real, why } = folderAt(path, cwd, home);
    const problem = real === undefined ? why : strayLink(path, real, cwd, home);
    if (real !== undefined && problem === undefined) folders.push(real);
    else problems.push(`additionalDirectories: ${path} is left out: ${problem}`);
  }
  for (const path of addDirs) {
    const { real, why } = folderAt(path, cwd, home);
    if (real === undefined) {
      const remedy = 'Name a folder that exists';
      throw new TauError('usage', `The folder ${path} cannot be added: ${why}`, { remedy });
    }
    folders.push(real);
  }
  return { folders, problems };
}

/** A link in the project may be a command's, or a stranger's: one that leads out does not take the project along. */
function strayLink(path: string, real: string, cwd: string, home: Home): string | undefined {
  if (isBelow(real, cwd)) return undefined;
  if (leadsTo(namedAt(path, cwd, home.user), (folder) => isBelow(folder, cwd)) !== undefined) return undefined;
  return `a link in the project leads from it to ${real}; name that itself if you mean it`;
}

/** As people write it in settings: below home with `~/`, else from the project. */
export function namedAt(path: string, cwd: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(cwd, path);
}

function folderAt(path: string, cwd: string, home: Home): { real?: string; why?: string } {
  try {
    const real = realpathSync.native(namedAt(path, cwd, home.user));
    return statSync(real).isDirectory() ? { real } : { why: 'it is no folder' };
  } catch {
    return { why: 'there is no such folder' };
  }
}

/** The installation that node belongs to, or only the folder it lies in: `~/bin/node` must not make a toolchain of home. */
function nodeFolder(): string {
  const bin = dirname(process.execPath);
  const installation = dirname(bin);
  return existsSync(join(installation, 'lib', 'node_modules', 'npm')) ? installation : bin;
}

export function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    const remedy = 'Start tau in a folder that exists';
    throw new TauError('usage', `The folder ${path} cannot be used`, { cause, remedy });
  }
}

/** Guards compare real paths; a folder that does not exist yet has no other name. */
function realOrWritten(path: string): string {
  if (!isAbsolute(path)) return path;
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Where a path leads: links followed as far as there is anything. */
export function realPlace(path: string): string {
  const real = realOrWritten(path);
  return real !== path || existsSync(path) || path === dirname(path)
    ? real
    : join(realPlace(dirname(path)), basename(path));
}

/** The folders programs are looked for in, links followed, so that one that leads into the project is seen to. */
export function searchPath(env: NodeJS.ProcessEnv): string | undefined {
  return env.PATH?.split(delimiter).map(realOrWritten).join(delimiter);
}

/** By segments, and of paths as they are. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function without(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** A folder of the settings: below the user's home with `~/`, else below tau's own. Never beside the project. */
export function underHome(path: string | undefined, home: Home): string | undefined {
  if (path === undefined) return undefined;
  return path.startsWith('~/') ? join(home.user, path.slice(2)) : resolve(home.tau, path);
}
