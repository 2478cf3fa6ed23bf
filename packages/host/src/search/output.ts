/**
 * The output of a program as it comes. The program has no environment and no input, ends when nobody reads on, and has
 * bounds: what it reads by itself (ignore files) may be a pipe that nobody writes to, or a device without an end.
 */
import { TauError } from '@tau/core';
import { liveGroups, signalGroup } from '../local/groups.ts';

const maxErrorChars = 64 * 1024;
const longestMs = 120_000;
/** Of memory, set by the shell that becomes the program. Where a shell cannot, there is none. */
const withBounds = 'ulimit -d 2097152 2>/dev/null; exec "$0" "$@"';

export interface Ended {
  /** Null when a signal ended it. */
  exitCode: number | null;
  errors: string;
}

export async function* outputOf(
  program: string,
  args: readonly string[],
  { cwd, signal, timeoutMs = longestMs }: { cwd: string; signal: AbortSignal; timeoutMs?: number | undefined },
): AsyncGenerator<Buffer, Ended> {
  signal.throwIfAborted();
  const { spawn } = process.getBuiltinModule('node:child_process');
  const groups = liveGroups();
  const child = spawn('/bin/sh', ['-c', withBounds, program, ...args], {
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
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  let isDone = false;
  try {
    for await (const chunk of child.stdout) if (Buffer.isBuffer(chunk)) yield chunk;
    const exitCode = await closed;
    isDone = true;
    signal.throwIfAborted();
    if (late) throw tooLate(timeoutMs);
    return { exitCode, errors };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    if (!isDone) {
      kill();
      await closed;
    }
    groups.remove(group);
  }
}

function tooLate(timeoutMs: number): TauError {
  const remedy = 'Search a smaller folder. A .gitignore or .ignore in it may be something that has no end.';
  return new TauError('process', `The search was not done after ${timeoutMs / 1000} s`, { remedy });
}
