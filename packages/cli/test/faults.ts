/** The built command where the machine says no: a disk that is full, a user who may not, a folder that is gone. */
import { spawn } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sandbox } from '@tau/testkit';
import { onTestFinished } from 'vitest';

const binary = join(import.meta.dirname, '../bin/tau.cjs');
/** `nobody`, on every system. */
const nobody = 65_534;

interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

interface Hindrance {
  /** No file may grow beyond so many KB: what the system says is `EFBIG`, as `ENOSPC` in the middle of a write. */
  fileKb?: number;
  env?: Record<string, string | undefined>;
  /** Root may do everything, so a test about being refused runs as somebody else. */
  unprivileged?: boolean;
}

export function hindered(sandbox: Sandbox, args: readonly string[], hindrance: Hindrance = {}): Promise<Ended> {
  const { fileKb, env = {}, unprivileged = false } = hindrance;
  const limit = fileKb === undefined ? '' : `ulimit -f ${fileKb}; `;
  const { project, home } = sandbox;
  const child = spawn('/bin/bash', ['-c', `${limit}exec "$@"`, 'tau', process.execPath, binary, ...args], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: join(dirname(home), 'tmp'),
      TERM: 'dumb',
      TAU_SANDBOX_ENABLED: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(unprivileged && isRoot() && { uid: nobody, gid: nobody }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, ...output })));
}

/** Everything in the sandbox belongs to the one whom `unprivileged` runs as. */
export function giveAway(sandbox: Sandbox): void {
  if (!isRoot()) return;
  const root = dirname(sandbox.home);
  for (const name of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(root, name), nobody, nobody);
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
