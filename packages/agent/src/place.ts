/** Where an agent works: its folder, what counts as inside, and the environment its commands get. */
import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { TauError } from '@tau/core';
import type { PathScope } from '@tau/policy';
import type { Home } from './config/home.ts';

/** Fixed when the agent is made; nothing the model does widens it. */
export function pathScope(cwd: string, home: Home): PathScope {
  return {
    roots: [cwd],
    temp: [...new Set([tmpdir(), realOrWritten(tmpdir())])],
    toolchain: ['/usr', '/bin', '/lib', '/lib64', '/opt', nodeFolder()],
    home: realOrWritten(home.user),
    tauHome: realOrWritten(home.tau),
  };
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

export function without(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** A folder of the settings: below the user's home with `~/`, else below tau's own. Never beside the project. */
export function underHome(path: string | undefined, home: Home): string | undefined {
  if (path === undefined) return undefined;
  return path.startsWith('~/') ? join(home.user, path.slice(2)) : resolve(home.tau, path);
}
