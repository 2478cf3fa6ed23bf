/**
 * A contained launch made ready. The program that tau starts is the sandbox's, the keeper; the command itself is in a
 * process group below it. Loaded with the first contained command.
 */
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { TauError } from '@tau/core';
import type { Launch, Report, Sandbox, SandboxPolicy } from '../sandbox/sandbox.ts';
import { watchCrowd } from './crowd.ts';
import type { Ended } from './follow.ts';
import { isGone } from './gone.ts';
import { type Signal, signalGroup } from './groups.ts';
import type { Ready } from './ready.ts';
import { watchRoom } from './room.ts';

const maxComplaint = 1000;
/** It names a path or two. */
const maxKept = 16_384;
/** The sandbox program, and those before it that enter a network and part from the machine's mounts. */
const keepersWords = /^(?:bwrap|nsenter|unshare|sandbox-exec): /;
const lookEveryMs = 10;
/** A little more than the shell's own limit, which binds first where it binds at all. */
const usualMost = 5000;
/** As much as a stop may take; see `follow.ts`. */
const patienceMs = 1500;

export async function contain(
  launch: Launch,
  policy: SandboxPolicy,
  sandbox: Sandbox,
  report: Report | undefined,
): Promise<Ready> {
  const wrapped = await sandbox.wrap(launch, policy, report);
  let complaint = '';
  let listening: ((chunk: string) => void) | undefined;
  let keeper: number | undefined;
  let say: ((text: string) => void) | undefined;
  let isStopped = false;
  const watches: (() => void)[] = [];
  const endWatch = () => {
    for (const end of watches.splice(0)) end();
  };
  const stopInside: Signal = (group, name) => {
    if (name === 'SIGKILL' || wrapped.first() !== undefined) return signalInside(group, wrapped.first(), name);
    // Who speaks may be heard before it is read who the first is, though that was said before: both are read in one turn.
    setImmediate(() => signalInside(group, wrapped.first(), name));
    return true;
  };
  const signal: Signal = sandbox.ownProcesses ? stopInside : signalGroup;
  return {
    launch: wrapped,
    ...(wrapped.nothing !== undefined && { nothing: wrapped.nothing }),
    descriptors: wrapped.descriptors,
    ...(wrapped.begun && { begun: wrapped.begun }),
    ...(wrapped.before !== undefined && { before: wrapped.before }),
    started(child) {
      keeper = child.pid;
      wrapped.started(child.stdio.slice(3).map((pipe) => (isReadable(pipe) ? pipe : undefined)));
      const stop = (why: string) => {
        isStopped = true;
        say?.(`\nThe command was stopped: ${why}\n`);
        if (keeper !== undefined) signal(keeper, 'SIGKILL');
      };
      const places = [...policy.writable, tmpdir()];
      const leave = sandbox.leaveFree;
      watches.push(watchRoom({ places, leave, onShort: (place, free) => stop(tooFull(place, free)) }));
      if (!sandbox.ownProcesses) return;
      const most = sandbox.mostProcesses ?? usualMost;
      watches.push(watchCrowd({ first: wrapped.first, most, onCrowd: () => stop(tooMany(most)) }));
    },
    signal,
    heard(listener) {
      say = listener;
      return listener;
    },
    complained(listener) {
      listening = listener;
      // Its last words are its first. Whoever it is that speaks so, they are kept until it is known.
      let keeping: boolean | undefined;
      return (chunk) => {
        keeping ??= keepersWords.test(chunk);
        if (!keeping) return listener(chunk);
        complaint += chunk;
        if (complaint.length < maxKept) return;
        keeping = false;
        listener(complaint);
        complaint = '';
      };
    },
    async result(ended) {
      endWatch();
      const { began, left } = await wrapped.release();
      const failed = !began && !isStopped && !ended.killedBy && ended.exitCode !== null;
      if (failed) return { notRun: sandboxFailure(sandbox.name, complaint) };
      if (complaint !== '') listening?.(complaint);
      return {
        ...(isStopped || ended.killedBy ? asBare(ended) : ended),
        ...(left && keeper !== undefined && { left: { group: keeper, killed: true, contained: true } }),
      };
    },
    async end() {
      endWatch();
      await wrapped.release();
    },
  };
}

/**
 * Inside, the first process is the keeper's child and hears no SIGTERM; the keeper would take everybody with it at once.
 * So the keeper is held while those inside have their second, and let go when they are gone.
 */
function signalInside(keeper: number, first: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (signal === 'SIGKILL' || first === undefined || !tell(keeper, 'SIGSTOP') || !tell(-first, 'SIGTERM')) {
    if (first !== undefined) tell(first, 'SIGKILL');
    tell(keeper, 'SIGCONT');
    return signalGroup(keeper, 'SIGKILL');
  }
  const until = Date.now() + patienceMs;
  const look = setInterval(() => {
    if (!isGone(first) && Date.now() < until) return;
    clearInterval(look);
    tell(keeper, 'SIGCONT');
  }, lookEveryMs);
  return true;
}

function isReadable(stream: object | null | undefined): stream is Readable {
  return !!stream && 'read' in stream;
}

function tell(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // Gone already, or not there yet.
    return false;
  }
}

/** The keeper tells a signal as 128 and its number; for who was stopped it is as it would have been outside. */
function asBare(ended: Ended): Ended {
  const signal = stopped.get(ended.exitCode ?? 0);
  return signal === undefined ? ended : { ...ended, exitCode: null, signal };
}

const stopped: ReadonlyMap<number, string> = new Map([
  [137, 'SIGKILL'],
  [143, 'SIGTERM'],
]);

function tooFull(place: string, free: number): string {
  const left = `${Math.floor(free / 1024 ** 2)} MB`;
  return `only ${left} are free on the disk of ${place}. Remove what is not needed, in the project or in the temporary folder.`;
}

function tooMany(most: number): string {
  return `it has more than ${most} processes.`;
}

function sandboxFailure(name: string, complaint: string): TauError {
  const why = complaint.trim().slice(0, maxComplaint) || 'it said nothing';
  return new TauError('process', `The sandbox could not start the command, so it did not run: ${name}: ${why}`, {
    remedy: 'Run tau doctor to see what is missing.',
  });
}
