/**
 * Shell commands on this machine, each in its own process group, so that a stop reaches everything it started: SIGTERM
 * at once, SIGKILL a second later. No polling: the result is there as soon as the shell is.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { TauError } from '@tau/core';
import { withCalmGit } from '../git-calm.ts';
import type { Processes } from '../host.ts';
import { errorCode } from './failure.ts';
import { follow } from './follow.ts';
import { liveGroups } from './groups.ts';
import { asWritten, findShell, opening, type Shell, type ShellOptions } from './shell.ts';

const maxTimerMs = 2 ** 31 - 1;

export function localProcesses(cwd: string, env: NodeJS.ProcessEnv, options: ShellOptions): Processes {
  const groups = liveGroups();
  let shell: Shell | undefined;

  async function begin(request: Request, background: boolean) {
    const { command, readOnly = false, onOutput, onError, stdin, env: added } = request;
    shell ??= findShell(env, cwd, options);
    const before = opening(shell, { guarded: background, joined: onError === undefined });
    const started = process.hrtime.bigint();
    const { child, stdout, stderr } = spawnShell(
      { ...shell, env: { ...(readOnly ? withCalmGit(shell.env) : shell.env), ...added } },
      before + command,
      cwd,
      { guarded: background, stdin },
    );
    const group = child.pid;
    if (group === undefined) throw await startFailure(child, shell, cwd);
    const onComplaint = onError ?? ((text: string) => onOutput(asWritten(text, before)));
    const { ended, stop } = follow({ child, stdout, stderr, group, onOutput, onComplaint }, groups, { background });
    const durationMs = () => Number((process.hrtime.bigint() - started) / 1_000_000n);
    return { ended: ended.then((how) => ({ ...how, durationMs: durationMs() })), stop };
  }

  return {
    async run({ timeoutMs, signal, ...request }) {
      if (signal.aborted) return { exitCode: null, killedBy: 'abort', durationMs: 0 };
      const { ended, stop } = await begin(request, false);
      const onAbort = () => stop('abort');
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      const timeout = setTimeout(() => stop('timeout'), Math.min(timeoutMs, maxTimerMs));
      try {
        return await ended;
      } finally {
        clearTimeout(timeout);
        signal.removeEventListener('abort', onAbort);
      }
    },

    async start(request) {
      const { ended, stop } = await begin(request, true);
      return {
        ended,
        async kill() {
          stop('abort');
          await ended;
        },
      };
    },

    end: groups.end,
  };
}

type Request = Omit<Parameters<Processes['run']>[0], 'timeoutMs' | 'signal'>;

interface Spawned {
  child: ChildProcess;
  stdout: Readable;
  stderr: Readable;
}

function spawnShell(
  shell: Shell,
  script: string,
  cwd: string,
  { guarded, stdin }: { guarded: boolean; stdin: string | undefined },
): Spawned {
  // Loaded by the first command. `import()` would pass the module loader once more for every command.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { path, env } = shell;
  try {
    const options = { cwd, env, detached: true };
    const input = stdin === undefined ? 'ignore' : 'pipe';
    const child = guarded
      ? spawn(path, ['-c', script], { ...options, stdio: [input, 'pipe', 'pipe', 'pipe'] })
      : spawn(path, ['-c', script], { ...options, stdio: [input, 'pipe', 'pipe'] });
    // Whoever ends without reading it all has read enough.
    child.stdin?.on('error', () => {}).end(stdin);
    child.once('exit', () => child.stdin?.destroy());
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('it has no output');
    return { child, stdout, stderr };
  } catch (cause) {
    const tooLong = errorCode(cause) === 'E2BIG';
    const why = tooLong ? 'it is too long' : script.includes('\0') ? 'it holds a NUL character' : messageOf(cause);
    throw new TauError('process', `Cannot run the command: ${why}`, {
      remedy: tooLong ? 'Write it to a script file and run that.' : 'Change the command.',
      cause,
    });
  }
}

async function startFailure(child: ChildProcess, shell: Shell, cwd: string): Promise<TauError> {
  const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
  if (!existsSync(cwd)) {
    const remedy = 'Make the folder again, or start tau in one that exists.';
    return new TauError('process', `Cannot start a shell: the folder ${cwd} does not exist`, { remedy, cause });
  }
  const remedy = `Check that ${shell.path} can be run and that the system can start more processes.`;
  return new TauError('process', `Cannot start a shell: ${cause.message}`, { remedy, cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
