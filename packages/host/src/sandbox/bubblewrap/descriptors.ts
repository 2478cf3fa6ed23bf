/**
 * Descriptors that tau got from whoever started it, and that every program it starts would get too. A folder open in one
 * of them would be a way out of the sandbox, so they are closed inside before the command begins. Usually there are none.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { TauError } from '@tau/core';
import { findProgram } from '../../local/shell.ts';
import type { Launch } from '../sandbox.ts';

const closeOnExec = 0o2000000;

/** Above the three usual ones. */
export function inheritable(): number[] {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((number) => number > 2 && isInheritable(number));
}

function isInheritable(number: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The one by which the list was read is gone.
    return false;
  }
}

/** The launch by way of a shell that closes them; only bash can close those of more than one digit. */
export function closingOthers(launch: Launch, env: NodeJS.ProcessEnv, numbers: readonly number[]): Launch {
  if (numbers.length === 0) return launch;
  const bash = findProgram('bash', env, launch.cwd);
  if (bash === undefined) {
    throw new TauError('process', `The sandbox cannot close the descriptors ${numbers.join(', ')} without bash`, {
      remedy: 'Start tau without open descriptors, or install bash.',
    });
  }
  const script = `${numbers.map((number) => `exec ${number}>&-;`).join(' ')} exec "$0" "$@"`;
  return { ...launch, program: bash, args: ['-c', script, launch.program, ...launch.args] };
}
