/**
 * One sandbox that is made before its command is known. Commands that only read are short, and making their sandbox takes
 * several times as long as they do; while the model thinks there is time for it. It serves the next such command if a new
 * one would be told the very same and everything it hides or shows is the very same file or folder still: then nothing was
 * mounted otherwise, and no mount has gone. Whatever differs, it is thrown away, and the command gets one of its own.
 */
import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { isGone } from '../../local/gone.ts';
import { keepAlive } from '../../local/keep-alive.ts';
import type { ContainedLaunch, Launch } from '../sandbox.ts';

/** A launch whose shell waits to be told what to do. */
export interface Blank extends ContainedLaunch {
  /** Of every place that something lies over, of the folder it runs in, and of all that is mounted. */
  identities: readonly string[];
}

export interface WaitingRoom {
  /** `own`: the command in a sandbox made for it. */
  serve(blank: Blank, script: string, own: () => ContainedLaunch): ContainedLaunch;
  close(): Promise<void>;
}

/** The shell reads it byte by byte. */
const maxScript = 4000;
/** While it waits, what the machine unmounts stays in use. */
const maxAgeMs = 60_000;
const patienceMs = 1000;

/** The shell of this command, waiting for it at a descriptor; undefined for what has to be started as it is. */
export function waitingShell(launch: Launch, descriptor: number): { launch: Launch; script: string } | undefined {
  const [option, script = '', ...more] = launch.args;
  const isPlain = option === '-c' && more.length === 0 && basename(launch.program) === 'bash';
  if (!isPlain || launch.background || launch.input) return undefined;
  if (script.length > maxScript || script.includes('\0')) return undefined;
  const wait = `IFS= read -rd '' -u ${descriptor} && exec ${descriptor}<&- && eval "${before}$REPLY"`;
  return { launch: { ...launch, args: ['-c', wait] }, script };
}

/** The command finds no variable that nobody set. */
const before = 'unset REPLY; ';

interface Waiting {
  blank: Blank;
  child: ChildProcess;
  timer: NodeJS.Timeout;
}

/** `descriptor`: where the shell of a blank waits. */
export function waitingRoom(descriptor: number): WaitingRoom {
  let waiting: Waiting | undefined;
  let closed = false;
  const leaving = new Set<Promise<unknown>>();

  /** It waits no longer, whatever becomes of it. */
  function leave(): Waiting | undefined {
    const found = waiting;
    waiting = undefined;
    clearTimeout(found?.timer);
    return found;
  }

  function take(blank: Blank): Waiting | undefined {
    const found = leave();
    if (!found) return undefined;
    // The kernel knows before anybody has told it.
    if (isRunning(found.child) && !isGone(found.child.pid ?? 0) && isSame(found.blank, blank)) return found;
    dismiss(found);
    return undefined;
  }

  function make(blank: Blank): void {
    if (waiting || closed) return void blank.release();
    try {
      const child = start(blank, descriptor);
      const timer = setTimeout(() => {
        const old = leave();
        if (old) dismiss(old);
      }, maxAgeMs);
      timer.unref();
      waiting = { blank, child, timer };
    } catch {
      // The next command gets one of its own, and says what is wrong.
      void blank.release();
    }
  }

  function dismiss({ child, blank }: Waiting): void {
    const left = sendHome(child, descriptor)
      .then(() => blank.release())
      .finally(() => leaving.delete(left));
    leaving.add(left);
  }

  return {
    serve(blank, script, own) {
      const taken = take(blank);
      if (taken) {
        // While that one works there is time to start the next.
        const handOver = () => {
          setImmediate(() => make(blank));
          return tell(taken.child, script, descriptor);
        };
        return { ...taken.blank, started() {}, begun: handOver, before };
      }
      const now = own();
      return {
        ...now,
        async release() {
          const outcome = await now.release();
          // The model hears of this command first.
          setImmediate(() => make(blank));
          return outcome;
        },
      };
    },
    async close() {
      closed = true;
      const last = leave();
      if (last) dismiss(last);
      await Promise.all(leaving);
    },
  };
}

function start(blank: Blank, descriptor: number): ChildProcess {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { program, args, cwd, env, nothing = 'ignore', descriptors } = blank;
  const child = spawn(program, [...args], {
    ...{ cwd, env, detached: true },
    stdio: [nothing, 'pipe', 'pipe', ...descriptors],
  });
  // Whoever takes it finds it ended, and does without.
  child.on('error', () => {});
  child.stdio[descriptor]?.on('error', () => {});
  blank.started(child.stdio.slice(3).map((pipe) => (pipe && 'read' in pipe ? pipe : undefined)));
  for (const one of [child, ...child.stdio]) keepAlive(one, 'unref');
  return child;
}

/** Its line ends, and so does the shell. One that is killed as it begins may leave half a sandbox. */
async function sendHome(child: ChildProcess, descriptor: number): Promise<void> {
  if (!isRunning(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdio[descriptor]?.destroy();
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await ended;
  clearTimeout(timer);
}

function tell(child: ChildProcess, script: string, descriptor: number): ChildProcess {
  for (const one of [child, ...child.stdio]) keepAlive(one, 'ref');
  const line = child.stdio[descriptor];
  if (line instanceof Writable) line.end(`${script}\0`);
  return child;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function isSame(a: Blank, b: Blank): boolean {
  return keyOf(a) === keyOf(b);
}

function keyOf({ program, args, env, cwd, identities }: Blank): string {
  return JSON.stringify([program, args, env, cwd, identities]);
}
