/** The output of a program as it comes. The program has no environment and no input, and ends when nobody reads on. */
import { TauError } from '@tau/core';
import { liveGroups, signalGroup } from '../local/groups.ts';

const maxErrorChars = 64 * 1024;

export interface Ended {
  /** Null when a signal ended it. */
  exitCode: number | null;
  errors: string;
}

export async function* outputOf(
  program: string,
  args: readonly string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): AsyncGenerator<Buffer, Ended> {
  signal.throwIfAborted();
  const { spawn } = process.getBuiltinModule('node:child_process');
  const groups = liveGroups();
  const child = spawn(program, args, {
    cwd,
    env: {},
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = child.pid;
  if (group === undefined) {
    const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
    throw new TauError('process', `Cannot start ${program}: ${cause.message}`, { cause });
  }
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < maxErrorChars) errors += text;
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  // It only reads, so there is nothing to give it time for.
  const kill = () => void signalGroup(group, 'SIGKILL');
  groups.add(group);
  signal.addEventListener('abort', kill, { once: true });
  let isDone = false;
  try {
    for await (const chunk of child.stdout) if (Buffer.isBuffer(chunk)) yield chunk;
    const exitCode = await closed;
    isDone = true;
    signal.throwIfAborted();
    return { exitCode, errors };
  } finally {
    signal.removeEventListener('abort', kill);
    if (!isDone) {
      kill();
      await closed;
    }
    groups.remove(group);
  }
}
