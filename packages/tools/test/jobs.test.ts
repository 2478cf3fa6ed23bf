import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeError, errorResult, isRecord, type Tool, type ToolInput, type ToolResult } from '@tau/core';
import { localHost } from '@tau/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdTimers } from '../../host/test/held-timers.ts';
import { bashTool } from '../src/bash/bash.ts';
import { createJobs, type Jobs } from '../src/index.ts';
import { jobsTool } from '../src/jobs/tool.ts';
import { shellIn } from './shell-in.ts';
import { textOf } from './workbench.ts';

let cwd: string;
let jobs: Jobs;
let bash: Tool;
let tool: Tool;
let told: string[];
let firsts: number;
const logs = new Set<string>();

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'tau-jobs-')));
  told = [];
  firsts = 0;
  const host = localHost({ cwd });
  jobs = createJobs(host, {
    onBackground() {
      firsts += 1;
    },
    onJobEnd: (text) => void told.push(text),
  });
  bash = bashTool(host, jobs, { shell: shellIn() });
  tool = jobsTool(jobs);
});
afterEach(async () => {
  await jobs.close();
  await rm(cwd, { recursive: true, force: true });
  for (const log of logs) await rm(dirname(log), { recursive: true, force: true });
  logs.clear();
});

/** As the gate does: prepared, and a throw becomes an error result. */
async function call(which: Tool, given: ToolInput, signal = new AbortController().signal): Promise<ToolResult> {
  const ask = async () => ({ unattended: true }) as const;
  const context = { toolCallId: 'call', cwd, signal, onUpdate() {}, ask };
  try {
    const result = await which.run(which.prepare?.(given) ?? given, context);
    const log = pathIn(result);
    if (log !== undefined) logs.add(log);
    return result;
  } catch (error) {
    return errorResult(describeError(error));
  }
}

function pathIn({ details }: ToolResult): string | undefined {
  return isRecord(details) && typeof details.fullOutputPath === 'string' ? details.fullOutputPath : undefined;
}

const start = (command: string, more: ToolInput = {}) => call(bash, { command, background: true, ...more });
const ask = async (action: string, more: ToolInput = {}) => textOf(await call(tool, { action, ...more }));
const go = (name = 'go') => writeFile(join(cwd, name), '');
const until = (name = 'go') => `while [ ! -e ${name} ]; do sleep 0.02; done`;

test('a background command returns its id and its log at once', async () => {
  const result = await start(`echo begun; ${until()}`);
  const log = pathIn(result) ?? '';
  expect(textOf(result)).toBe(
    `Running in the background as job-1; its output goes to ${log}. Use the jobs tool to look, wait or kill.`,
  );
  expect(result.details).toMatchObject({ jobId: 'job-1' });
  await expect.poll(() => readFile(log, 'utf8')).toBe('begun\n');
  expect((await stat(log)).mode & 0o777).toBe(0o600);
  expect(await ask('list')).toMatch(/^job-1 runs for \d+ s: echo begun; while/);
});

test('output shows what is new since the last look, and nothing twice', async () => {
  await start(`echo one; ${until()}; echo two; ${until('on')}`);
  await expect.poll(() => ask('output')).toMatch(/^job-1 runs for \d+ s\none$/);
  expect(await ask('output', { id: 'job-1' })).toMatch(/\n\(no new output\)$/);
  await go();
  await expect.poll(() => ask('output', { id: '1' })).toMatch(/\ntwo$/);
});

test('a long output is cut from the front, and the whole is in the log it names', async () => {
  const result = await start('seq 30000');
  expect(await ask('wait')).toMatch(
    /^job-1 ended with exit code 0 after \d+ s\n\[output cut: showing the last 2000 lines of 30000 new ones; whole output in .*\]\n28001\n/,
  );
  expect((await readFile(pathIn(result) ?? '', 'utf8')).split('\n')).toHaveLength(30_001);
});

test('wait ends with the command and tells its exit code, and nobody is told again', async () => {
  await start(`${until()}; echo done; exit 3`);
  const waiting = call(tool, { action: 'wait', id: 'job-1' });
  await go();
  const result = await waiting;
  expect(textOf(result)).toMatch(/^job-1 ended with exit code 3 after \d+ s\ndone$/);
  expect(result.details).toMatchObject({ jobId: 'job-1', state: 'ended', exitCode: 3, truncated: false });
  expect(told).toEqual([]);
});

test('wait ends when its time is over, and the command goes on', async () => {
  await start(until());
  expect(await ask('wait', { timeout_secs: 0.05 })).toMatch(/^job-1 runs for \d+ s\n\(no new output\)$/);
  await go();
  expect(await ask('wait')).toMatch(/^job-1 ended with exit code 0/);
});

test('wait ends when the user interrupts, and the command goes on', async () => {
  await start('sleep 300');
  const abort = new AbortController();
  const waiting = call(tool, { action: 'wait', timeout_secs: 60 }, abort.signal);
  abort.abort();
  const result = await waiting;
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('aborted by the user; job-1 goes on');
  expect(jobs.all()[0]?.result()).toBeUndefined();
});

test('kill ends a command with everything it started, and nobody is told again', async () => {
  await start('sleep 300 & echo $!; echo $$; wait');
  await expect.poll(() => jobs.all()[0]?.lastLines().split('\n')).toHaveLength(2);
  const group = Number(jobs.all()[0]?.lastLines().split('\n')[1]);
  expect(await ask('kill', { id: 'job-1' })).toMatch(/^job-1 was killed by SIGTERM after \d+ s; its output is in \//);
  expect(await ask('kill', { id: 'job-1' })).toMatch(
    /^job-1 was killed by SIGTERM after \d+ s; there is nothing to kill$/,
  );
  await expect
    .poll(async () => textOf(await call(bash, { command: `ps -o stat= -g ${group} | grep -v Z` })))
    .toMatch(/^\(no output\)/);
  expect(told).toEqual([]);
});

test('a command that ends by itself is told with its last lines, once', async () => {
  await start('for i in $(seq 2000); do echo "line $i"; done; exit 1');
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatch(
    /^Background command job-1 \(for i in \$\(seq 2000\); .*\) ended with exit code 1\. Last lines:\nline \d+\n/,
  );
  expect(told[0]?.endsWith('\nline 2000')).toBe(true);
  expect(told[0]?.length).toBeLessThan(2300);
  expect(await ask('output')).toContain('line 2000');
  expect(told).toHaveLength(1);
});

test('a silent end is told too, and a long command is named by its beginning', async () => {
  await start(`true ${'x'.repeat(1000)}`);
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatch(/^Background command job-1 \(true x{195}…\) ended with exit code 0\. It printed nothing\.$/);
});

test('one long last line is told by its end, with no half of a character', async () => {
  for (const before of ['a', 'ab']) await start(`printf ${before}; printf '😀%.0s' $(seq 1500); echo end`);
  await expect.poll(() => told).toHaveLength(2);
  for (const text of told) {
    expect(text).toMatch(/Last lines:\n(?:😀)+end$/u);
    expect(Buffer.from(text).toString()).toBe(text);
  }
});

test('a long command is named without half of a character at its end', async () => {
  await start(`: ${'😀'.repeat(200)}`);
  await start(`: x${'😀'.repeat(200)}`);
  const list = await ask('list');
  expect(list).toContain('😀…');
  expect(Buffer.from(list).toString()).toBe(list);
});

test('given a time, a command that ends within it is like any other', async () => {
  const result = await start('echo quick; exit 2', { timeout_secs: 30 });
  expect(result).toMatchObject({ isError: true, details: { exitCode: 2, truncated: false } });
  expect(textOf(result)).toBe('quick\nexit code: 2');
  expect(told).toEqual([]);
});

test('given a time, a command that needs longer goes on, and what it printed so far is shown', async () => {
  const time = holdTimers(500);
  const starting = start(`echo first; ${until()}`, { timeout_secs: 0.5 });
  await expect.poll(() => jobs.all()[0]?.lastLines()).toBe('first');
  time.strike();
  const result = await starting;
  expect(textOf(result)).toMatch(/^first\nRunning in the background as job-1; /);
  await go();
  await expect.poll(() => told).toHaveLength(1);
});

test('the first command in the background is announced, and only that one', async () => {
  await start('true');
  await start('true');
  expect(firsts).toBe(1);
  expect(jobs.all().map(({ id }) => id)).toEqual(['job-1', 'job-2']);
});

test('without an id the only one that runs is meant; else the ids are named', async () => {
  expect(await ask('list')).toBe('There are no background commands.');
  expect(await ask('output')).toBe('Say which background command: give its id. There are none.');
  await start('true');
  await expect.poll(() => told).toHaveLength(1);
  await start('sleep 300');
  expect(await ask('output')).toMatch(/^job-2 runs/);
  await start('sleep 300');
  expect(await ask('output')).toBe('Say which background command: give its id. There are: job-1, job-2, job-3.');
  expect(await ask('kill', { id: 'job-9' })).toBe(
    'There is no background command job-9. There are: job-1, job-2, job-3.',
  );
});

test('more than 32 at a time are refused, and a place that is free again is taken', async () => {
  for (let n = 0; n < 32; n += 1) await start(until());
  const refused = await start('true');
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toBe('Not started: 32 background commands are running. End one with the jobs tool first.');
  await ask('kill', { id: 'job-7' });
  expect((await start('true')).isError).toBeUndefined();
  await go();
});

test('close ends all of them without a word, and nothing starts after it', async () => {
  await start('echo $$; sleep 300');
  await expect.poll(() => jobs.all()[0]?.lastLines()).toMatch(/^\d+$/);
  await jobs.close();
  await expect.poll(() => jobs.all()[0]?.result()).toMatchObject({ signal: 'SIGTERM' });
  expect(told).toEqual([]);
  expect(textOf(await start('true'))).toBe('Not started: tau is closing');
});

test('nothing is started in the background after an interrupt', async () => {
  const result = await call(bash, { command: 'echo > started', background: true }, AbortSignal.abort());
  expect(textOf(result)).toBe('aborted by the user');
  expect(jobs.all()).toEqual([]);
});

test('other agents look, wait and kill by their own names', async () => {
  expect(tool.prepare?.({ bash_id: 'job-1' })).toEqual({ action: 'output', id: 'job-1' });
  expect(tool.prepare?.({ shell_id: 'job-1' })).toEqual({ action: 'kill', id: 'job-1' });
  expect(tool.prepare?.({ task_id: 'job-1', block: true, timeout: 30_000 })).toMatchObject({
    action: 'wait',
    id: 'job-1',
    timeout_secs: 30,
  });
  expect(tool.prepare?.({})).toEqual({ action: 'list' });
  const prepared = { action: 'wait', id: 'job-1', timeout_secs: 5 };
  expect(tool.prepare?.(prepared)).toEqual(prepared);
});

test('a call of jobs keeps its place among commands, and asks nobody', async () => {
  expect(await tool.effects({ action: 'kill', id: 'job-1' }, { cwd })).toEqual([
    { kind: 'exec', command: 'jobs kill', readOnly: true },
  ]);
});
