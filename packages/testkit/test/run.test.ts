/** The process helper, with small node programs standing in for the binary. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { holdTimers } from '../../host/test/held-timers.ts';
import { killGroup, launch } from '../src/run.ts';

const cwd = mkdtempSync(join(tmpdir(), 'tau-run-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const program = (source: string, options: { stdin?: string; openStdin?: boolean } = {}) =>
  launch(process.execPath, ['-e', source], { cwd, env: { PATH: process.env.PATH ?? '' }, ...options });

test('a run ends with its code and both outputs, and its lines parse as events', async () => {
  const run = await program(`console.log('{"type":"a"}\\n\\n{"type":"b"}'); console.error('é'); process.exitCode = 3`)
    .done;
  expect(run).toMatchObject({ code: 3, signal: null, stderr: 'é\n' });
  expect(run.events()).toEqual([{ type: 'a' }, { type: 'b' }]);
});

test('a line that is no JSON object is named', async () => {
  const run = await program(`console.log('{}\\nhello')`).done;
  expect(() => run.events()).toThrow('event 2 on stdout is not a JSON object: hello');
});

test('input reaches the program, and a program that does not read it is no failure', async () => {
  expect((await program('process.stdin.pipe(process.stdout)', { stdin: 'words' }).done).stdout).toBe('words');
  expect((await program('process.exit(0)', { stdin: 'x'.repeat(1_000_000) }).done).code).toBe(0);
});

test('an input that stays open takes lines until it is ended', async () => {
  const run = program('process.stdin.pipe(process.stdout)', { stdin: 'first\n', openStdin: true });
  await run.waitFor('first');
  run.send('second');
  run.send({ type: 'third' });
  await run.waitFor('third');
  expect(run.soFar('stdout')).toBe('first\nsecond\n{"type":"third"}\n');
  run.endInput();
  expect((await run.done).code).toBe(0);
});

test('a test can wait for a sign of life and then interrupt', async () => {
  const run = program(
    `process.on('SIGINT', () => process.exit(130)); setInterval(() => {}, 1000); console.error('up'); console.log('ready 1')`,
  );
  await run.waitFor(/ready \d/);
  await run.waitFor('up', 'stderr');
  run.kill('SIGINT');
  expect(await run.done).toMatchObject({ code: 130, stdout: 'ready 1\n' });
});

test('waiting for output that never comes fails with what did come', async () => {
  const run = program(`console.log('something else')`);
  await expect(run.waitFor('ready')).rejects.toThrow(/never held ready[\s\S]*something else/);
});

test('a program that outlives the timer is killed and the run rejects with its output', async () => {
  const time = holdTimers(500);
  const run = launch('sh', ['-c', 'echo stuck; exec sleep 60'], {
    cwd,
    env: { PATH: process.env.PATH ?? '' },
    timeoutMs: 500,
  });
  const ended = new Promise((resolve) => run.child.once('exit', (_code, signal) => resolve(signal)));
  // However late it begins: its time is over when it has said something.
  const rejected = expect(run.done).rejects.toThrow(/still running after 500 ms[\s\S]*stuck/);
  await run.waitFor('stuck');
  time.strike();
  await rejected;
  expect(await ended).toBe('SIGKILL');
});

test('killing the group also ends what the program started', async () => {
  const run = program(
    `require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' }); setInterval(() => {}, 1000); console.log('up')`,
  );
  await run.waitFor('up');
  killGroup(run.child);
  // The run closes only when nobody holds its output any more, so this waits for the grandchild too.
  expect(await run.done).toMatchObject({ signal: 'SIGKILL' });
});
