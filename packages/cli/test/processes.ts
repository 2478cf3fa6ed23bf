/** Processes that a test started, directly or through the command: when they are there, and when they are gone. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@tau/testkit';
import { expect, onTestFinished, vi } from 'vitest';
import { closedPort } from '../../host/test/closed-port.ts';

/** A zombie that nobody has reaped yet is dead all the same. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    return false;
  }
}

export async function expectGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
}

/** The process ids in a file, one a line, once there are as many as wanted. */
export function pidsIn(path: string, count: number): Promise<number[]> {
  return vi.waitFor(
    () => {
      const pids = readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number);
      if (pids.length < count) throw new Error(`only ${pids.length} of ${count} processes have started`);
      return pids;
    },
    { timeout: 20_000 },
  );
}

/** Where nobody listens. */
export async function closedAddress(): Promise<string> {
  return `http://127.0.0.1:${await closedPort()}`;
}

export interface StartedTau {
  child: ChildProcess;
  done: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
  waitFor(text: string, stream: 'stdout' | 'stderr'): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** The command with a standard input of the test's choosing, and output that may stay unread. */
export function startTau(
  { home, project }: Pick<Sandbox, 'home' | 'project'>,
  args: string[],
  stdin: number | 'pipe' | 'ignore',
  { readOutput = true } = {},
): StartedTau {
  const binary = join(import.meta.dirname, '../bin/tau.cjs');
  const env = { PATH: process.env.PATH, HOME: home, TAU_SANDBOX_ENABLED: 'false' };
  const child = spawn(process.execPath, [binary, ...args], { cwd: project, env, stdio: [stdin, 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  const collect = (name: 'stdout' | 'stderr') => {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  };
  if (readOutput) collect('stdout');
  collect('stderr');
  return {
    child,
    done: new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, ...output }));
    }),
    waitFor: (text, stream) => expect.poll(() => output[stream]).toContain(text),
    kill: (signal) => void child.kill(signal),
  };
}
