/** Where an agent works: its folder, what counts as inside, and the environment its commands get. */
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { TauError } from '@tau/core';
import type { PathScope } from '@tau/policy';
import type { Home } from './config/home.ts';

/** Fixed when the agent is made; nothing the model does widens it. */
export function pathScope(cwd: string, home: Home): PathScope {
  const node = dirname(dirname(process.execPath));
  return {
    roots: [cwd],
    temp: [...new Set([tmpdir(), realOrWritten(tmpdir())])],
    toolchain: ['/usr', '/bin', '/lib', '/lib64', '/opt', node],
    home: realOrWritten(home.user),
    tauHome: realOrWritten(home.tau),
  };
}

export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    const remedy = 'Start tau in a folder that exists';
    throw new TauError('usage', `The folder ${path} cannot be used`, { cause, remedy });
  }
}

/** Guards compare real paths; a folder that does not exist yet has no other name. */
function realOrWritten(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function without(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
