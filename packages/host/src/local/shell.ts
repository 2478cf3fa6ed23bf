/** Which shell runs a command, in what environment, and how its two outputs become one. */
import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

export interface Shell {
  path: string;
  env: NodeJS.ProcessEnv;
}

/** Nothing may wait for a person: no pager, no editor, no password prompt. */
const unattended = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true' };

/** The first bash of the PATH that the project in `cwd` did not supply. */
export function findShell(env: NodeJS.ProcessEnv, cwd: string): Shell {
  const folders = [...(env.PATH ?? '').split(':').filter(isAbsolute), '/bin', '/usr/bin'];
  const found = folders.find((folder) => isExecutable(join(folder, 'bash')) && !leadsInto(cwd, folder));
  return { path: found ? join(found, 'bash') : '/bin/sh', env: { ...env, ...unattended } };
}

/** Two pipes lose the order between them, so the shell joins its own: on the same line, which keeps line numbers. */
const joinOutputs = 'exec 2>&1; ';

export function shellArguments(command: string): string[] {
  return ['-c', joinOutputs + command];
}

/** A shell that cannot parse the first line quotes it; show the line as it was written. */
export function asWritten(complaint: string): string {
  return complaint.replace(joinOutputs, '');
}

function leadsInto(cwd: string, folder: string): boolean {
  try {
    return `${realpathSync(folder)}/`.startsWith(`${realpathSync(cwd)}/`);
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
