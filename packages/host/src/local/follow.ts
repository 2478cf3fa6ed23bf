/** From a started shell to its end: its output on the way, a stop that reaches everyone, and who is left behind. */
import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import type { ProcessResult } from '../host.ts';
import { type Groups, isPopulated, type Signal } from './groups.ts';
import { keepAlive } from './keep-alive.ts';
import { later } from './later.ts';

const killAfterMs = 1000;
/** How long a background child that kept the pipe open may delay the result. */
const drainMs = 50;
/** Who closes the pipe by ending is in the group for a moment more. */
const secondLookMs = 20;

export type Ended = Omit<ProcessResult, 'durationMs'>;

interface Started {
  child: ChildProcess;
  stdout: Readable;
  stderr: Readable;
  group: number;
  /** Reaches everybody of the command. */
  signal: Signal;
  onOutput(chunk: string): void;
  /** What the shell says before it has joined its outputs. */
  onComplaint(chunk: string): void;
}

/**
 * `background`: it has ended only when nobody holds its output open, and it does not keep tau alive. `guarded`: the fourth
 * of its pipes leads to its guard.
 */
export function follow(
  started: Started,
  groups: Groups,
  { background, guarded }: { background: boolean; guarded: boolean },
): { ended: Promise<Ended>; stop(reason: 'timeout' | 'abort'): void } {
  const { child, stdout, stderr, group } = started;
  const pipes = [stdout, stderr];
  let exit: Pick<Ended, 'exitCode' | 'signal'> | undefined;
  let killedBy: Ended['killedBy'];
  let killed = false;
  let lookAgain = true;
  let over = false;
  let killTimer: NodeJS.Timeout | undefined;
  let drainTimer: NodeJS.Timeout | undefined;
  let settle = () => {};

  const stop = (reason: 'timeout' | 'abort') => {
    if (over || killedBy || (exit && !background)) return;
    killedBy = reason;
    // Somebody waits for the end now.
    if (background) for (const one of [child, ...child.stdio]) keepAlive(one, 'ref');
    started.signal(group, 'SIGTERM');
    killTimer = setTimeout(() => {
      started.signal(group, 'SIGKILL');
      killed = true;
      settle();
    }, killAfterMs);
  };

  const ended = new Promise<Ended>((resolve) => {
    /** Ends the wait, unless the shell lives, or was stopped and left someone who has not had their second yet. */
    settle = () => {
      if (over || !exit || (killedBy && !killed && isPopulated(group))) return;
      if (!killedBy && lookAgain && pipes.every((pipe) => pipe.closed) && isPopulated(group)) {
        lookAgain = false;
        clearTimeout(drainTimer);
        drainTimer = setTimeout(() => settle(), secondLookMs);
        return;
      }
      over = true;
      clearTimeout(killTimer);
      clearTimeout(drainTimer);
      const left = killedBy ? groups.remove(group) : groups.leave(group);
      for (const pipe of pipes) {
        pipe.removeAllListeners('data');
        // Who was left keeps a pipe to write to: a broken one would end it.
        if (left && !left.killed) keepAlive(pipe.resume(), 'unref');
        else pipe.destroy();
      }
      resolve({ ...exit, ...(killedBy && { killedBy }), ...(left && { left }) });
    };
  });

  groups.add(group, started.signal);
  stdout.setEncoding('utf8').on('data', started.onOutput);
  stderr.setEncoding('utf8').on('data', started.onComplaint);
  if (background) {
    for (const one of [child, ...child.stdio]) keepAlive(one, 'unref');
    if (guarded) dismissGuard(child, pipes);
  }
  child.once('exit', (exitCode, signal) => {
    exit = { exitCode, ...(signal && { signal }) };
    if (!background || killedBy) drainTimer = later(drainMs, () => settle());
  });
  child.once('close', () => settle());
  return { ended, stop };
}

/** Sends the guard home when the shell has ended and nobody holds its output; only then is the child closed. */
function dismissGuard(child: ChildProcess, pipes: readonly Readable[]): void {
  const line = child.stdio[3];
  if (!isDuplex(line)) return;
  // The guard may be gone: then there is nobody to send home.
  line.on('error', () => {}).resume();
  let open = pipes.length + 1;
  const closed = () => {
    open -= 1;
    if (open === 0) line.end('\n');
  };
  child.once('exit', closed);
  for (const pipe of pipes) pipe.once('close', closed);
}

function isDuplex(stream: object | null | undefined): stream is Duplex {
  return !!stream && 'read' in stream && 'write' in stream;
}
