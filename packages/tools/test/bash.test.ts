import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { localHost } from '@tau/host';
import { expect, test } from 'vitest';
import { holdTimers } from '../../host/test/held-timers.ts';
import { bashTool } from '../src/bash/bash.ts';
import { createJobs } from '../src/index.ts';
import { shellIn } from './shell-in.ts';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

test('the output comes back, and was streamed on the way', async () => {
  let streamed = '';
  const result = await bench.call(
    'bash',
    { command: 'echo one; echo two >&2; pwd' },
    {
      onUpdate(delta) {
        streamed += delta;
      },
    },
  );
  expect(textOf(result)).toBe(`one\ntwo\n${bench.cwd}`);
  expect(streamed).toBe(`one\ntwo\n${bench.cwd}\n`);
  expect(result.isError).toBeUndefined();
  const durationMs = expect.any(Number);
  expect(result.details).toEqual({ command: 'echo one; echo two >&2; pwd', exitCode: 0, durationMs, truncated: false });
});

test('silence is said in words', async () => {
  expect(textOf(await bench.call('bash', { command: 'true' }))).toBe('(no output)');
  expect(textOf(await bench.call('bash', { command: 'echo' }))).toBe('(only white space)');
});

test('a failed command is an error that ends with its exit code', async () => {
  const result = await bench.call('bash', { command: 'echo broken; exit 3' });
  expect(result).toMatchObject({ isError: true, details: { exitCode: 3 } });
  expect(textOf(result)).toBe('broken\nexit code: 3');
  expect(textOf(await bench.call('bash', { command: 'false' }))).toBe('(no output)\nexit code: 1');
});

test('a command that a signal ended names the signal', async () => {
  const result = await bench.call('bash', { command: 'kill -9 $$' });
  expect(result).toMatchObject({ isError: true, details: { exitCode: null } });
  expect(textOf(result)).toBe('(no output)\nkilled by SIGKILL');
});

test('a timeout says how long it was and how to have more', async () => {
  const time = holdTimers(200);
  const result = await bench.call(
    'bash',
    { command: 'echo start; sleep 300', timeout_secs: 0.2 },
    { onUpdate: time.strike },
  );
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe(
    'start\nstopped after 0.2 s; if it needs longer, give a larger timeout_secs (at most 3600)',
  );
});

test('an abort is an error that keeps what was printed', async () => {
  const abort = new AbortController();
  const result = await bench.call(
    'bash',
    { command: 'echo start; sleep 300' },
    { signal: abort.signal, onUpdate: () => abort.abort() },
  );
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('start\naborted by the user');
});

test('a long output is cut from the front, and the whole is in the file it names', async () => {
  const result = await bench.call('bash', { command: 'seq 30000; exit 1' });
  const [, log] =
    /^\[output cut: showing the last 2000 lines of 30000; whole output in (.*)\]/.exec(textOf(result)) ?? [];
  expect(result.details).toMatchObject({ truncated: true, fullOutputPath: log });
  expect(textOf(result).endsWith('\n30000\nexit code: 1')).toBe(true);
  const whole = await readFile(log ?? '', 'utf8');
  expect(whole).toBe(Array.from({ length: 30_000 }, (_, index) => `${index + 1}\n`).join(''));
  await rm(dirname(log ?? ''), { recursive: true });
});

test('a timeout is marked in the details', async () => {
  const result = await bench.call('bash', { command: 'sleep 300', timeout_secs: 0.1 });
  expect(result.details).toMatchObject({ exitCode: null, timedOut: true });
});

test('colours and progress bars do not reach the model, and the log keeps them', async () => {
  const result = await bench.call('bash', { command: "printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\n'" });
  expect(textOf(result)).toBe('red\n100%');
  const long = await bench.call('bash', { command: "printf '\\033[31mred\\033[0m\\n'; seq 3000" });
  const [, log = ''] = /whole output in (.*)\]/.exec(textOf(long)) ?? [];
  expect(await readFile(log, 'utf8')).toContain('\u001b[31mred');
  await rm(dirname(log), { recursive: true });
});

test('what a command left in the background is told', async () => {
  const result = await bench.call('bash', { command: 'sleep 300 & echo begun; echo $$ > group' });
  const group = Number(await readFile(join(bench.cwd, 'group'), 'utf8'));
  expect(textOf(result)).toBe(
    `begun\n[a process it started still runs in the background and ends with tau (stop it with: kill -- -${group})]`,
  );
  expect(result.isError).toBeUndefined();
  process.kill(-group, 'SIGKILL');
});

test('the limits of a timeout are settings, and the default stays below the longest', async () => {
  const tool = bashTool(localHost({ cwd: bench.cwd }), createJobs(localHost({ cwd: bench.cwd })), {
    bashMaxTimeoutSecs: 0.1,
    shell: shellIn(),
  });
  expect(tool.parameters.properties?.timeout_secs).toMatchObject({ description: 'default 0.1, at most 0.1' });
  const ask = async () => ({ unattended: true }) as const;
  const context = { toolCallId: 'call', cwd: bench.cwd, signal: new AbortController().signal, onUpdate() {}, ask };
  const result = await tool.run({ command: 'sleep 300', timeout_secs: 50 }, context);
  expect(textOf(result)).toMatch(
    /stopped after 0.1 s; that is the longest timeout_secs; run it with background: true$/,
  );
});
