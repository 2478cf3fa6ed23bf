import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { TauError } from '@tau/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localHost, type ProcessResult } from '../src/index.ts';
import { holdTimers } from './held-timers.ts';
import { bundleScript } from './script.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'tau-host-')));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

interface Options {
  timeoutMs?: number;
  signal?: AbortSignal;
  env?: NodeJS.ProcessEnv;
  onOutput?(chunk: string): void;
}

async function run(command: string, options: Options = {}): Promise<ProcessResult & { output: string }> {
  let output = '';
  const host = localHost(options.env ? { cwd, env: options.env } : { cwd });
  const result = await host.processes.run({
    command,
    timeoutMs: options.timeoutMs ?? 20_000,
    signal: options.signal ?? new AbortController().signal,
    onOutput(chunk) {
      output += chunk;
      options.onOutput?.(chunk);
    },
  });
  return { ...result, output };
}

/** A zombie that nobody has reaped yet is dead all the same. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return !state.trim().startsWith('Z');
}

async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
}

async function pidsIn(file: string, count: number): Promise<number[]> {
  return vi.waitFor(
    async () => {
      const pids = (await readFile(join(cwd, file), 'utf8')).split('\n').filter(Boolean).map(Number);
      if (pids.length < count) throw new Error(`only ${pids.length} of ${count} have started`);
      return pids;
    },
    { timeout: 20_000 },
  );
}

test('a comment at the end of the command prefix does not take the command with it', async () => {
  let output = '';
  const host = localHost({ cwd, commandPrefix: 'x=1 # for all' });
  const signal = new AbortController().signal;
  await host.processes.run({ command: 'echo "$x"', timeoutMs: 20_000, signal, onOutput: (chunk) => (output += chunk) });
  expect(output).toBe('1\n');
});

test('a command that cannot be handed to a shell is refused in plain words', async () => {
  await expect(run('echo a\0b')).rejects.toThrow('Cannot run the command: it holds a NUL character');
  await expect(run(`: ${'x'.repeat(200_000)}`)).rejects.toThrow('Cannot run the command: it is too long');
});

test('a command runs in the host folder and its exit code comes back', async () => {
  const result = await run('pwd; exit 3');
  expect(result).toMatchObject({ exitCode: 3, output: `${cwd}\n` });
  expect(result.killedBy).toBeUndefined();
});

test('standard output and standard error keep their order', async () => {
  const { output } = await run('for i in {1..2000}; do echo out $i; echo err $i >&2; done');
  expect(output).toBe(Array.from({ length: 2000 }, (_, i) => `out ${i + 1}\nerr ${i + 1}\n`).join(''));
});

test('a syntax error is reported about the command as it was written', async () => {
  const { output, exitCode } = await run('if then');
  expect(exitCode).not.toBe(0);
  expect(output).toContain('if then');
  expect(output).not.toContain('exec');
});

test('characters that arrive in pieces survive', async () => {
  const { output } = await run(
    "printf '\\xe2\\x82'; sleep 0.05; printf '\\xac \\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80'",
  );
  expect(output).toBe('€ 😀');
});

test('all of a large output arrives before the result', async () => {
  const { output } = await run('head -c 3000000 /dev/zero | tr "\\0" x; echo end');
  expect(output.length).toBe(3_000_004);
  expect(output.endsWith('xend\n')).toBe(true);
});

test('standard input is empty and nothing waits for a person', async () => {
  const { output } = await run('cat; echo "$PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $GIT_EDITOR $MINE"', {
    env: { PATH: process.env.PATH, MINE: 'mine', PAGER: 'less' },
  });
  expect(output).toBe('cat cat 0 true mine\n');
});

test('the project cannot supply the shell', async () => {
  const bin = join(cwd, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'bash'), '#!/bin/sh\necho fooled\n', { mode: 0o755 });
  const outside = await mkdtemp(join(tmpdir(), 'tau-host-'));
  try {
    await symlink(bin, join(outside, 'innocent'));
    for (const folder of [bin, 'bin', `${outside}/../${basename(cwd)}/bin`, join(outside, 'innocent')]) {
      const env = { PATH: `${folder}:${process.env.PATH}` };
      expect((await run('echo honest', { env })).output).toBe('honest\n');
    }
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('a command that a signal ended says which', async () => {
  expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
});

test('a background child that holds the pipe does not delay the result', async () => {
  const { output, exitCode } = await run('sleep 300 & echo $!');
  const pid = Number(output);
  expect(exitCode).toBe(0);
  expect(await isRunning(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

test('a timeout stops the command and keeps what it printed', async () => {
  const time = holdTimers(5000);
  const result = await run('echo before; sleep 300', { timeoutMs: 5000, onOutput: time.strike });
  expect(result).toMatchObject({ exitCode: null, killedBy: 'timeout', signal: 'SIGTERM', output: 'before\n' });
});

test('a command may clean up when it is stopped', async () => {
  const abort = new AbortController();
  // Its second is over when it has ended, however long that takes here.
  const second = holdTimers(1000);
  const command = 'trap "echo cleaned; exit 7" TERM; echo $$ > pids; echo ready; while :; do sleep 0.02; done';
  const running = run(command, { signal: abort.signal, onOutput: () => abort.abort() });
  await expectGone(await pidsIn('pids', 1));
  second.strike();
  const result = await running;
  expect(result).toMatchObject({ exitCode: 7, killedBy: 'abort' });
  // In between the shell may mention that its sleep was terminated.
  expect(result.output).toMatch(/^ready\n(.*\n)?cleaned\n$/);
});

test('a process tree that ignores SIGTERM is gone after an abort', async () => {
  const abort = new AbortController();
  const stubborn = "trap '' TERM; echo $$ >> pids; bash -c 'echo $$ >> pids; while :; do sleep 0.1; done'";
  const running = run(`bash -c "${stubborn.replaceAll('$', '\\$')}"; true`, { signal: abort.signal });
  const pids = await pidsIn('pids', 2);
  abort.abort();
  expect(await running).toMatchObject({ exitCode: null, killedBy: 'abort' });
  await expectGone(pids);
});

test('a child that ignores SIGTERM is killed even when its shell obeyed', async () => {
  const abort = new AbortController();
  const child = "trap '' TERM; echo $$ >> pids; while :; do sleep 0.1; done";
  await writeFile(join(cwd, 'child.sh'), child);
  const running = run('bash child.sh >/dev/null 2>&1 & wait', { signal: abort.signal });
  const pids = await pidsIn('pids', 1);
  abort.abort();
  expect(await running).toMatchObject({ signal: 'SIGTERM', killedBy: 'abort' });
  await expectGone(pids);
});

test('nothing is started for a signal that is already aborted', async () => {
  const result = await run('echo > started', { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ exitCode: null, killedBy: 'abort' });
  await expect(readFile(join(cwd, 'started'))).rejects.toThrow('ENOENT');
});

test('a deleted folder is an error that names it', async () => {
  await rm(cwd, { recursive: true });
  const error = await run('true').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TauError);
  expect(error).toMatchObject({ code: 'process', message: `Cannot start a shell: the folder ${cwd} does not exist` });
});

test('a command longer than the system takes is an error that says what to do', async () => {
  const error = await run(`: ${'x'.repeat(3_000_000)}`).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'process', remedy: 'Write it to a script file and run that.' });
});

test('commands run side by side, and leave no listener behind', async () => {
  const before = process.listenerCount('exit');
  const host = localHost({ cwd });
  const signal = new AbortController().signal;
  const outputs = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      let output = '';
      const onOutput = (chunk: string) => {
        output += chunk;
      };
      await host.processes.run({ command: `echo ${index}`, timeoutMs: 20_000, signal, onOutput });
      return output;
    }),
  );
  expect(outputs).toEqual(Array.from({ length: 12 }, (_, index) => `${index}\n`));
  expect(process.listenerCount('exit')).toBe(before);
});

test('no command survives when its owner exits', async () => {
  const owner = await bundleScript(
    cwd,
    `const command = "trap '' TERM; echo $$ >> pids; sleep 300 & echo $! >> pids; echo; wait";
     const signal = new AbortController().signal;
     void host.processes.run({ command, timeoutMs: 60000, signal, onOutput() { throw new Error('abnormal end'); } });`,
  );
  expect(() => execFileSync(process.execPath, [owner], { stdio: 'pipe' })).toThrow('abnormal end');
  await expectGone(await pidsIn('pids', 2));
});
