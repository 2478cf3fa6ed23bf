/**
 * Shell commands on this machine, each in its own process group, so that a stop reaches everything it started: SIGTERM
 * at once, SIGKILL a second later. No polling: the result is there as soon as the shell is.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { TauError } from '@tau/core';
import type { Processes, ProcessRequest, ProcessResult } from '../host.ts';
import { errorCode } from './failure.ts';
import { type Groups, liveGroups, signalGroup } from './groups.ts';
import { asWritten, findShell, type Shell, shellArguments } from './shell.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

const killAfterMs = 1000;
/** How long a background child that kept the pipe open may delay the result. */
const drainMs = 50;
const maxTimerMs = 2 ** 31 - 1;

export function localProcesses(cwd: string, env: NodeJS.ProcessEnv): Processes {
  const groups = liveGroups();
  let shell: Shell | undefined;
  return {
    async run(request) {
      if (request.signal.aborted) return { exitCode: null, killedBy: 'abort', durationMs: 0 };
      shell ??= findShell(env, cwd);
      const started = process.hrtime.bigint();
      const child = start(shell, request.command, cwd);
      const group = child.pid;
      if (group === undefined) throw await startFailure(child, cwd);
      const ended = await follow(child, group, request, groups);
      return { ...ended, durationMs: Number((process.hrtime.bigint() - started) / 1_000_000n) };
    },
  };
}

function start(shell: Shell, command: string, cwd: string): Child {
  // Loaded by the first command. `import()` would pass the module loader once more for every command.
  const { spawn } = process.getBuiltinModule('node:child_process');
  try {
    const { path, env } = shell;
    return spawn(path, shellArguments(command), { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (cause) {
    const tooLong = errorCode(cause) === 'E2BIG';
    throw new TauError('process', `Cannot run the command: ${tooLong ? 'it is too long' : messageOf(cause)}`, {
      remedy: tooLong ? 'Write it to a script file and run that.' : 'Change the command.',
      cause,
    });
  }
}

async function startFailure(child: Child, cwd: string): Promise<TauError> {
  const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
  if (!existsSync(cwd)) {
    const remedy = 'Make the folder again, or start tau in one that exists.';
    return new TauError('process', `Cannot start a shell: the folder ${cwd} does not exist`, { remedy, cause });
  }
  const remedy = 'Check that bash or /bin/sh is installed and that the system can start more processes.';
  return new TauError('process', `Cannot start a shell: ${cause.message}`, { remedy, cause });
}

type Ended = Omit<ProcessResult, 'durationMs'>;

function follow(child: Child, group: number, request: ProcessRequest, groups: Groups): Promise<Ended> {
  return new Promise((resolve) => {
    let exit: Pick<Ended, 'exitCode' | 'signal'> | undefined;
    let killedBy: Ended['killedBy'];
    let killed = false;
    let killTimer: NodeJS.Timeout | undefined;
    let drainTimer: NodeJS.Timeout | undefined;

    const stop = (reason: 'timeout' | 'abort') => {
      if (exit || killedBy) return;
      killedBy = reason;
      signalGroup(group, 'SIGTERM');
      killTimer = setTimeout(() => {
        signalGroup(group, 'SIGKILL');
        killed = true;
        settle();
      }, killAfterMs);
    };
    const onAbort = () => stop('abort');
    const timeout = setTimeout(() => stop('timeout'), Math.min(request.timeoutMs, maxTimerMs));

    /** Ends the wait, unless the shell lives, or was stopped and left someone who has not had their second yet. */
    const settle = () => {
      if (!exit || (killedBy && !killed && signalGroup(group, 0))) return;
      clearTimeout(killTimer);
      clearTimeout(drainTimer);
      groups.remove(group);
      for (const pipe of [child.stdout, child.stderr]) pipe.removeAllListeners('data').destroy();
      resolve({ ...exit, ...(killedBy && { killedBy }) });
    };

    groups.add(group);
    request.signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.setEncoding('utf8').on('data', request.onOutput);
    child.stderr.setEncoding('utf8').on('data', (text: string) => request.onOutput(asWritten(text)));
    child.once('exit', (exitCode, signal) => {
      exit = { exitCode, ...(signal && { signal }) };
      clearTimeout(timeout);
      request.signal.removeEventListener('abort', onAbort);
      // A late timer runs before pending reads do: the immediate lets what the shell wrote last be read first.
      drainTimer = setTimeout(() => setImmediate(settle), drainMs);
    });
    child.once('close', settle);
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
