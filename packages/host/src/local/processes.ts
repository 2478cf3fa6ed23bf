/**
 * Shell commands on this machine, each in its own process group, so that a stop reaches everything it started: SIGTERM
 * at once, SIGKILL a second later. No polling: the result is there as soon as the shell is.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { describeError, TauError } from '@tau/core';
import { withCalmGit } from '../git-calm.ts';
import type { Processes } from '../host.ts';
import type { Launch, Sandbox, SandboxPolicy } from '../sandbox/sandbox.ts';
import { errorCode } from './failure.ts';
import { type Ended, follow } from './follow.ts';
import { liveGroups } from './groups.ts';
import { bare, type NotRun, type Ready } from './ready.ts';
import { asWritten, findShell, opening, type Shell, type ShellOptions } from './shell.ts';

const maxTimerMs = 2 ** 31 - 1;
/** What a shell says of a command that could not be run. */
const notRun = 126;
const tries = 3;

export function localProcesses(
  cwd: string,
  env: NodeJS.ProcessEnv,
  options: ShellOptions,
  openSandbox?: () => Promise<Sandbox>,
): Processes {
  const groups = liveGroups();
  let shell: Shell | undefined;
  /** Its environment for commands that only read: made once, it is the same for all of them. */
  let calm: NodeJS.ProcessEnv | undefined;
  let sandbox: Promise<Sandbox> | undefined;

  function environment({ env: usual }: Shell, readOnly: boolean): NodeJS.ProcessEnv {
    if (!readOnly) return usual;
    calm ??= withCalmGit(usual);
    return calm;
  }

  async function begin(request: Request, background: boolean) {
    const { command, readOnly = false, onError, stdin, env: added, contain: policy } = request;
    shell ??= findShell(env, cwd, options);
    const box = policy && (await theSandbox());
    const inside = box?.ownProcesses === true;
    // Inside a namespace of processes nobody outlives tau: no guard is needed.
    const guarded = background && !inside;
    const before = opening(shell, {
      guarded,
      joined: onError === undefined,
      ...(inside && { contained: { background } }),
    });
    const started = process.hrtime.bigint();
    const launch: Launch = {
      program: shell.path,
      args: ['-c', before + command],
      env: { ...environment(shell, readOnly), ...added },
      cwd,
      background,
      input: stdin !== undefined,
    };
    const attempt = async () => {
      const ready = policy && box ? await containLaunch(launch, policy, box, request) : bare(launch);
      const { child, stdout, stderr } = await spawnReady(ready, before + command, { guarded, stdin });
      const group = child.pid;
      if (group === undefined) {
        const failure = await startFailure(child, ready.launch.program, cwd);
        await ready.end();
        throw failure;
      }
      ready.started(child);
      const onOutput = ready.heard(request.onOutput);
      const quoted = (ready.before ?? '') + before;
      const onComplaint = ready.complained(onError ?? ((text: string) => request.onOutput(asWritten(text, quoted))));
      const { signal } = ready;
      const { ended, stop } = follow({ child, stdout, stderr, group, signal, onOutput, onComplaint }, groups, {
        background,
        guarded,
      });
      return { ended: ended.then((how) => ready.result(how)), stop };
    };
    const { ended, stop } = await untilMade(attempt);
    const durationMs = () => Number((process.hrtime.bigint() - started) / 1_000_000n);
    return { ended: ended.then((how) => ({ ...how, durationMs: durationMs() })), stop };
  }

  /** Fails closed: what is to be contained does not run without a sandbox. */
  async function theSandbox(): Promise<Sandbox> {
    if (!openSandbox) {
      throw new TauError('process', 'The command was to be contained, and there is no sandbox here', {
        remedy: 'Run tau doctor to see what is missing.',
      });
    }
    sandbox ??= openSandbox();
    return sandbox;
  }

  async function containLaunch(
    launch: Launch,
    policy: SandboxPolicy,
    box: Sandbox,
    { env: added, onViolation }: Request,
  ) {
    const { contain } = await import('./contain.ts');
    // What the user or the caller sets on purpose is no stray secret.
    return contain(launch, { ...policy, env: { ...options.commandEnv, ...added, ...policy.env } }, box, onViolation);
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
      const { ended: end, stop } = await begin(request, true);
      // Nobody waits for it here: a sandbox that failed tells it where the command's output goes.
      const ended = end.catch((error: unknown) => {
        request.onOutput(`${describeError(error)}\n`);
        return { exitCode: notRun, durationMs: 0 };
      });
      return {
        ended,
        async kill() {
          stop('abort');
          await ended;
        },
      };
    },

    async end() {
      await groups.end();
      const used = await sandbox?.catch(() => undefined);
      sandbox = undefined;
      await used?.close();
    },
  };
}

type Request = Omit<Parameters<Processes['run']>[0], 'timeoutMs' | 'signal'>;

type StopReason = 'timeout' | 'abort';

/**
 * What a sandbox was to hide may be gone since it was looked up, and then the sandbox cannot be made: it is tried again,
 * with a new look. Nothing of the command has happened before that.
 */
async function untilMade(attempt: () => Promise<{ ended: Promise<Ended | NotRun>; stop(reason: StopReason): void }>) {
  let stopped: StopReason | undefined;
  let now = await attempt();
  const end = async (): Promise<Ended> => {
    let how = await now.ended;
    for (let count = 1; 'notRun' in how && !stopped && count < tries; count += 1) {
      now = await attempt();
      if (stopped) now.stop(stopped);
      how = await now.ended;
    }
    if ('notRun' in how) throw how.notRun;
    return how;
  };
  return {
    ended: end(),
    stop(reason: StopReason) {
      stopped ??= reason;
      now.stop(reason);
    },
  };
}

interface Spawned {
  child: ChildProcess;
  stdout: Readable;
  stderr: Readable;
}

async function spawnReady(
  ready: Ready,
  script: string,
  { guarded, stdin }: { guarded: boolean; stdin: string | undefined },
): Promise<Spawned> {
  if (ready.begun) return withOutputs(ready.begun());
  // Those of one message start right after one another: each start makes all of tau's memory shared for a moment, and
  // whatever is done between two of them pays for that.
  await new Promise((resolve) => setImmediate(resolve));
  // Loaded by the first command. `import()` would pass the module loader once more for every command.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { program, args, cwd, env } = ready.launch;
  try {
    const options = { cwd, env, detached: true };
    const input = stdin === undefined ? (ready.nothing ?? 'ignore') : 'pipe';
    const more = guarded ? ['pipe' as const] : ready.descriptors;
    const child = spawn(program, [...args], { ...options, stdio: [input, 'pipe', 'pipe', ...more] });
    // Whoever ends without reading it all has read enough.
    child.stdin?.on('error', () => {}).end(stdin);
    child.once('exit', () => child.stdin?.destroy());
    return withOutputs(child);
  } catch (cause) {
    await ready.end();
    const tooLong = errorCode(cause) === 'E2BIG';
    const why = tooLong ? 'it is too long' : script.includes('\0') ? 'it holds a NUL character' : messageOf(cause);
    throw new TauError('process', `Cannot run the command: ${why}`, {
      remedy: tooLong ? 'Write it to a script file and run that.' : 'Change the command.',
      cause,
    });
  }
}

function withOutputs(child: ChildProcess): Spawned {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('it has no output');
  return { child, stdout, stderr };
}

async function startFailure(child: ChildProcess, program: string, cwd: string): Promise<TauError> {
  const cause = await new Promise<Error>((resolve) => child.once('error', resolve));
  if (!existsSync(cwd)) {
    const remedy = 'Make the folder again, or start tau in one that exists.';
    return new TauError('process', `Cannot start a shell: the folder ${cwd} does not exist`, { remedy, cause });
  }
  const remedy = `Check that ${program} can be run and that the system can start more processes.`;
  return new TauError('process', `Cannot start a shell: ${cause.message}`, { remedy, cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
