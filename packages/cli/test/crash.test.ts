import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says, talkIn } from './conversation.ts';
import { expectEveryCallAnswered } from './crash-trial.ts';
import { expectGone, pidsIn } from './processes.ts';
import { onlySession, outlineOf } from './sessions.ts';

const free = ['--permission-mode', 'dangerously'];
/** Writes its process group down and stays. */
const stays = 'echo $$ >> pids; echo begun > effect.txt; sleep 300';

/** Whatever a killed tau left running goes when the test is over. */
async function group(pidFile: string): Promise<number> {
  const [pid = 0] = await pidsIn(pidFile, 1);
  onTestFinished(async () => {
    process.kill(-pid, 'SIGKILL');
    await expectGone([pid]);
  });
  return pid;
}

test.each(apis)('kill -9 during a command: -c tells the model that the effect is uncertain, over %s', async (api) => {
  const blocks = [call('bash', { command: stays }, 'c1'), call('write', { path: 'late.txt', content: 'x' }, 'c2')];
  const { start, tau, model, project } = await converse([calls(...blocks), says('I will check')], { api });
  const run = start(['-p', 'go', ...free]);
  await group(join(project, 'pids'));
  run.kill('SIGKILL');
  expect(await run.done).toMatchObject({ code: null, signal: 'SIGKILL' });

  expect(await tau(['-p', '-c', 'go on'])).toMatchObject({ code: 0, stdout: 'I will check\n', stderr: '' });
  const seen = request(model, 1);
  expectEveryCallAnswered(seen);
  expect(resultsIn(seen)).toEqual([
    { id: 'c1', text: expect.stringContaining('It may have happened') },
    { id: 'c2', text: expect.stringMatching(/^Not run/) },
  ]);
  expect(talkIn(seen)).toEqual(['user: go', 'user: go on']);
  expect(existsSync(join(project, 'late.txt'))).toBe(false);
});

test('kill -9 in a later turn: what was finished before it stays finished', async () => {
  const { start, tau, model, project, read } = await converse([
    calls(call('bash', { command: 'echo once >> done.txt' }, 'c1')),
    calls(call('bash', { command: stays }, 'c2')),
    says('ok'),
  ]);
  const run = start(['-p', 'go', ...free]);
  await group(join(project, 'pids'));
  run.kill('SIGKILL');
  await run.done;
  expect((await tau(['-p', '-c', 'go on'])).code).toBe(0);
  expectEveryCallAnswered(request(model, 2));
  expect(resultsIn(request(model, 2))).toMatchObject([{ id: 'c1', text: '(no output)' }, { id: 'c2' }]);
  expect(read('done.txt')).toBe('once\n');
});

test('kill -9 while the model speaks loses only what it was saying', async () => {
  const { start, tau, model, tauHome } = await converse([{ hang: 'midStream' }, says('here again')]);
  const run = start(['-p', 'go', '--output-format', 'stream-json']);
  await run.waitFor('message_update');
  run.kill('SIGKILL');
  await run.done;
  expect(outlineOf(onlySession(tauHome))).toEqual(['session', 'model_change', 'message user']);
  expect(await tau(['-p', '-c', 'go on'])).toMatchObject({ code: 0, stdout: 'here again\n', stderr: '' });
  expect(talkIn(request(model, 1))).toEqual(['user: go', 'user: go on']);
});

test('a session that was put right once is not put right again', async () => {
  const { start, tau, model, project, tauHome } = await converse([
    calls(call('bash', { command: stays }, 'c1')),
    says('one'),
    says('two'),
  ]);
  const run = start(['-p', 'go', ...free]);
  await group(join(project, 'pids'));
  run.kill('SIGKILL');
  await run.done;
  await tau(['-p', '-c', 'a']);
  await tau(['-p', '-c', 'b']);
  expectEveryCallAnswered(request(model, 2));
  expect(outlineOf(onlySession(tauHome)).filter((line) => line === 'message toolResult')).toHaveLength(1);
});

test('a session cut in its last line, as by a power cut, goes on without it', async () => {
  const { tau, model, tauHome, read } = await converse([says('one'), says('two')]);
  await tau(['-p', 'first']);
  const path = onlySession(tauHome);
  writeFileSync(path, read(path).slice(0, -20));
  const run = await tau(['-p', '-c', 'second']);
  expect(run).toMatchObject({ code: 0, stdout: 'two\n', stderr: expect.stringContaining('warning') });
  expect(talkIn(request(model, 1))).toEqual(['user: first', 'user: second']);
  expect(await tau(['-p', '-c', '--max-turns', '1', 'third'])).toMatchObject({ code: 1 });
  expect(talkIn(request(model, 2))).toEqual(['user: first', 'user: second', 'assistant: two', 'user: third']);
});
