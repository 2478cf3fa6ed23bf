/** A reader that holds the pipe open and does not read: tau must still end when it is told to. */
import { expect, onTestFinished, test } from 'vitest';
import { call, calls, converse, says } from './conversation.ts';
import { startTau } from './processes.ts';
import { onlySession, outlineOf } from './sessions.ts';

const json = ['--output-format', 'stream-json'];
/** No two calls alike: a run stops when the model repeats itself. */
const reads = (batch: number) =>
  calls(...Array.from({ length: 8 }, (_, at) => call('read', { path: 'big.txt', limit: batch * 10 + at + 1 })));

/** A run whose output nobody reads. It writes far more than a pipe takes. */
async function stalledRun(...last: Parameters<typeof converse>[0]) {
  const sandbox = await converse([reads(1), reads(2), reads(3), ...last]);
  sandbox.write('big.txt', 'x'.repeat(48 * 1024));
  const run = startTau(sandbox, ['-p', 'go', ...json], 'ignore', { readOutput: false });
  const exit = new Promise((resolve) => run.child.once('exit', (code, signal) => resolve({ code, signal })));
  onTestFinished(() => void run.child.stdout?.resume());
  return { ...sandbox, run, exit };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the first %s ends a run that goes on, with %i', async (signal, code) => {
  const { run, exit, model } = await stalledRun({ hang: 'midStream' });
  await model.arrival(3);
  run.kill(signal);
  expect(await exit).toEqual({ code, signal: null });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the first %s ends a run that is over but not yet told, with %i', async (signal, code) => {
  const { run, exit, model, tauHome } = await stalledRun(says('done'));
  await model.arrival(3);
  await expect.poll(() => outlineOf(onlySession(tauHome)).at(-1)).toBe('message assistant');
  run.kill(signal);
  expect(await exit).toEqual({ code, signal: null });
});

test('a run that failed and is not yet told ends at the first signal too', async () => {
  const { run, exit, model, tauHome } = await stalledRun({ status: 500 });
  await model.arrival(3);
  await expect.poll(() => outlineOf(onlySession(tauHome)).at(-1)).toBe('message assistant');
  run.kill('SIGTERM');
  expect(await exit).toEqual({ code: 143, signal: null });
});

test('a long answer that nobody reads is given up at the first signal', async () => {
  const sandbox = await converse([{ blocks: [{ text: 'a long answer '.repeat(200_000) }], chunk: 100_000 }]);
  const run = startTau(sandbox, ['-p', 'go'], 'ignore', { readOutput: false });
  const exit = new Promise((resolve) => run.child.once('exit', (code, signal) => resolve({ code, signal })));
  await sandbox.model.arrival(0);
  await expect.poll(() => outlineOf(onlySession(sandbox.tauHome)).at(-1)).toBe('message assistant');
  run.kill('SIGTERM');
  expect(await exit).toEqual({ code: 143, signal: null });
  run.child.stdout?.resume();
});
