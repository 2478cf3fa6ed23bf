import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, says, talkIn } from './conversation.ts';
import { expectGone, pidsIn } from './processes.ts';
import { onlySession, outlineOf } from './sessions.ts';

const free = ['--permission-mode', 'dangerously'];

/** A shell with a child and a grandchild, all three written down. */
const tree = `echo $$ >> pids; sh -c 'echo $$ >> pids; sh -c "echo \\$\\$ >> pids; sleep 300; true"; true' & wait`;

test.each(apis)('Ctrl+C while the model speaks over %s ends with 130 and hangs up', async (api) => {
  const { start, model, tauHome } = await converse([{ hang: 'midStream' }], { api });
  const run = start(['-p', 'go', '--output-format', 'stream-json']);
  await run.waitFor('message_update');
  run.kill('SIGINT');
  const done = await run.done;
  expect(done).toMatchObject({ code: 130, signal: null, stderr: '' });
  await request(model, 0).aborted;
  expect(done.events().at(-1)).toMatchObject({ type: 'agent_end', reason: 'aborted' });
  expect(outlineOf(onlySession(tauHome)).at(-1)).toBe('message assistant');
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGQUIT', 131],
  ['SIGTERM', 143],
] as const)('%s before the provider answers ends with %i', async (signal, code) => {
  const { start, model } = await converse([{ hang: 'beforeHeaders' }]);
  const run = start(['-p', 'go']);
  await model.arrival(0);
  run.kill(signal);
  expect(await run.done).toMatchObject({ code, signal: null, stdout: '', stderr: '' });
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGQUIT', 131],
  ['SIGTERM', 143],
] as const)('%s during a command ends with %i, and its whole process tree is gone', async (signal, code) => {
  const { start, project, model } = await converse([calls(call('bash', { command: tree })), says('never')]);
  const run = start(['-p', 'go', ...free]);
  const pids = await pidsIn(join(project, 'pids'), 3);
  run.kill(signal);
  expect(await run.done).toMatchObject({ code, signal: null, stdout: '', stderr: '' });
  await expectGone(pids);
  expect(model.requests).toHaveLength(1);
});

test('commands that will not stop are gone all the same, and so are those that ran beside them', async () => {
  const stubborn = `trap '' TERM INT HUP; ${tree.replace("sh -c '", `sh -c 'trap "" TERM INT HUP; `)}`;
  const { start, project } = await converse([calls(call('bash', { command: stubborn })), says('never')]);
  const run = start(['-p', 'go', ...free]);
  const pids = await pidsIn(join(project, 'pids'), 3);
  run.kill('SIGINT');
  expect(await run.done).toMatchObject({ code: 130, signal: null });
  await expectGone(pids);
});

test('a second Ctrl+C does not wait, and leaves nothing running', async () => {
  const stubborn = calls(call('bash', { command: `trap '' TERM; ${tree}` }));
  const { start, project, write } = await converse([stubborn, says('never')]);
  // Two that are sent at once are heard as one; the second comes when the first was heard.
  write('again.cjs', `process.once('SIGINT', () => setImmediate(() => process.kill(process.pid, 'SIGINT')));`);
  const env = { NODE_OPTIONS: `--require ${join(project, 'again.cjs')}` };
  const run = start(['-p', 'go', '--output-format', 'stream-json', ...free], { env });
  const pids = await pidsIn(join(project, 'pids'), 3);
  run.kill('SIGINT');
  const done = await run.done;
  expect(done).toMatchObject({ code: 130, signal: null, stderr: '' });
  // After one of them the run would have come to its end.
  const types = done.events().map(({ type }) => type);
  expect([types.includes('tool_execution_start'), types.includes('agent_end')]).toEqual([true, false]);
  await expectGone(pids);
});

test('after an interrupted command the conversation goes on, and the model knows', async () => {
  const { start, tau, project, model } = await converse([
    calls(call('bash', { command: tree }, 'c1'), call('write', { path: 'late.txt', content: 'x' }, 'c2')),
    says('back'),
  ]);
  const run = start(['-p', 'go', ...free]);
  await pidsIn(join(project, 'pids'), 3);
  run.kill('SIGINT');
  await run.done;
  expect(await tau(['-p', '-c', 'what happened?'])).toMatchObject({ code: 0, stdout: 'back\n' });
  const { raw } = request(model, 1);
  expect(raw).toContain('aborted by the user');
  expect(raw).toContain('Not run: the user interrupted.');
  expect(talkIn(request(model, 1))).toEqual(['user: go', 'user: what happened?']);
});

test('an interrupt between prompts stops before the next one is sent', async () => {
  const { start, model } = await converse([{ hang: 'midStream' }, says('never')]);
  const run = start(['-p', 'one', 'two']);
  await model.arrival(0);
  run.kill('SIGINT');
  expect((await run.done).code).toBe(130);
  expect(model.requests).toHaveLength(1);
});
