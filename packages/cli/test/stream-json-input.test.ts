/** A client that speaks in lines while tau works. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningTau } from '@tau/testkit';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, talkIn } from './conversation.ts';
import { at, textAt } from './json.ts';

const open = { openStdin: true };
const message = (content: unknown, more: object = {}) => ({ type: 'message', content, ...more });
const waiting = 'until [ -e go ]; do sleep 0.02; done';

const types = (events: readonly Record<string, unknown>[], ...wanted: string[]) =>
  events.map(({ type }) => String(type)).filter((type) => wanted.includes(type));

test('each message is a prompt in one conversation, and the end of stdin is the end', async () => {
  const { start, model } = await converse([says('one'), says('two')]);
  const run = start(['--json'], open);
  run.send(message('first'));
  await run.waitFor('agent_end');
  run.send(message([{ type: 'text', text: 'second' }]));
  await run.waitFor(/agent_end.*agent_end/s);
  run.endInput();
  const done = await run.done;
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(types(done.events(), 'agent_start', 'agent_end')).toEqual([
    'agent_start',
    'agent_end',
    'agent_start',
    'agent_end',
  ]);
  expect(talkIn(request(model, 1))).toEqual(['user: first', 'assistant: one', 'user: second']);
});

test('what is already there when tau starts is answered to the end, the prompts of the command line first', async () => {
  const { tau, model } = await converse([says('one'), says('two'), says('three')]);
  const stdin = `${JSON.stringify(message('b'))}\n\n${JSON.stringify(message('c'))}`;
  const run = await tau(['-p', 'a', '--input-format', 'stream-json'], { stdin });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(talkIn(request(model, 2)).filter((line) => line.startsWith('user'))).toEqual([
    'user: a',
    'user: b',
    'user: c',
  ]);
});

test('without a message nothing is asked, and that is no failure', async () => {
  const { tau, model } = await converse([]);
  expect(await tau(['--json'], { stdin: '' })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(model.requests).toHaveLength(0);
});

test('a message during a run waits for its end, and one that steers comes after the current batch', async () => {
  const { start, model, write } = await converse([
    calls(call('bash', { command: waiting })),
    calls(call('bash', { command: 'echo more' })),
    says('done'),
    says('and that'),
  ]);
  const run = start(['--json', '--allow', 'bash'], open);
  run.send(message('go'));
  await run.waitFor('tool_execution_start');
  run.send(message('later'));
  await run.waitFor('"followUp":1');
  run.send(message('now', { deliverAs: 'steer' }));
  await run.waitFor('"steering":1');
  write('go', '');
  run.endInput();
  const done = await run.done;
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(talkIn(request(model, 1))).toEqual(['user: go', 'user: now']);
  expect(talkIn(request(model, 3))).toEqual(['user: go', 'user: now', 'assistant: done', 'user: later']);
  expect(types(done.events(), 'agent_start')).toHaveLength(1);
});

test('an interrupt ends the run only, and the next message is answered', async () => {
  const { start, model } = await converse([{ hang: 'midStream' }, says('back')]);
  const run = start(['--json'], open);
  run.send(message('go'));
  await run.waitFor('message_update');
  run.send({ type: 'interrupt' });
  await run.waitFor('"interrupted"');
  run.send(message('again'));
  run.endInput();
  const done = await run.done;
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(types(done.events(), 'agent_end', 'interrupted')).toEqual(['agent_end', 'interrupted', 'agent_end']);
  expect(done.events().find(({ type }) => type === 'agent_end')).toMatchObject({ reason: 'aborted' });
  await request(model, 0).aborted;
});

test('what waited when the run was interrupted is the next prompt', async () => {
  const { start, model } = await converse([{ hang: 'midStream' }, says('back')]);
  const run = start(['--json'], open);
  run.send(message('go'));
  await run.waitFor('message_update');
  run.send(message('then this'));
  await run.waitFor('"followUp":1');
  run.send({ type: 'interrupt' });
  run.endInput();
  expect(await run.done).toMatchObject({ code: 0, stderr: '' });
  expect(talkIn(request(model, 1)).at(-1)).toBe('user: then this');
});

test('clear_queue takes back what waits and says what it was', async () => {
  const { start, model, write } = await converse([calls(call('bash', { command: waiting })), says('done')]);
  const run = start(['--json', '--allow', 'bash'], open);
  run.send(message('go'));
  await run.waitFor('tool_execution_start');
  run.send(message('never mind'));
  await run.waitFor('"followUp":1');
  run.send({ type: 'clear_queue' });
  await run.waitFor('queue_cleared');
  write('go', '');
  run.endInput();
  const done = await run.done;
  expect(done.events().find(({ type }) => type === 'queue_cleared')).toMatchObject({ messages: ['never mind'] });
  expect(model.requests).toHaveLength(2);
});

test('the last run gives the code: an interrupted one 130', async () => {
  const { start } = await converse([{ hang: 'midStream' }]);
  const run = start(['--json'], open);
  run.send(message('go'));
  await run.waitFor('message_update');
  run.send({ type: 'interrupt' });
  await run.waitFor('"interrupted"');
  run.endInput();
  expect((await run.done).code).toBe(130);
});

test('an interrupt with nothing to interrupt is answered all the same', async () => {
  const { tau } = await converse([]);
  const run = await tau(['--json'], { stdin: '{"type":"interrupt"}\n' });
  expect(run.code).toBe(0);
  expect(run.events()).toMatchObject([{ type: 'interrupted', timestamp: expect.any(String) }]);
});

const writing = [calls(call('write', { path: 'a.txt', content: 'x' }, 'w1')), says('done')];

test('a permission_request waits for its response, and allow lets the call happen', async () => {
  const { start, read } = await converse(writing);
  const run = start(['--json'], open);
  run.send(message('go'));
  await run.waitFor('permission_request');
  run.send({ type: 'permission_response', id: idOf(run, 'permission_request'), outcome: 'allow' });
  run.endInput();
  expect(await run.done).toMatchObject({ code: 0, stderr: '' });
  expect(read('a.txt')).toBe('x');
});

test('deny keeps it from happening, and the model hears why', async () => {
  const { start, project, model } = await converse(writing);
  const run = start(['--json'], open);
  run.send(message('go'));
  await run.waitFor('permission_request');
  const response = { outcome: 'deny', feedback: 'write b.txt instead' };
  run.send({ type: 'permission_response', id: idOf(run, 'permission_request'), ...response });
  await run.waitFor('agent_end');
  run.endInput();
  expect(await run.done).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
  expect(resultsIn(request(model, 1))[0]?.text).toContain('write b.txt instead');
});

test('when stdin ends nobody can answer any more: the call is denied and the code is 3', async () => {
  const { start, project } = await converse(writing);
  const run = start(['--json'], open);
  run.send(message('go'));
  await run.waitFor('permission_request');
  run.endInput();
  const done = await run.done;
  expect(done.code).toBe(3);
  expect(done.events().find(({ type }) => type === 'permission_response')).toMatchObject({ unattended: true });
  expect(existsSync(join(project, 'a.txt'))).toBe(false);
});

test('a question of a tool is answered by a line', async () => {
  const question = { question: 'Tabs or spaces?', options: [{ label: 'Tabs' }, { label: 'Spaces' }] };
  const { start, model } = await converse([calls(call('ask_user', question)), says('Tabs it is')]);
  const run = start(['--json', '--tools', 'ask_user'], open);
  run.send(message('go'));
  await run.waitFor('question_request');
  run.send({ type: 'question_response', id: idOf(run, 'question_request'), answers: ['Tabs'] });
  run.endInput();
  expect(await run.done).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))[0]?.text).toContain('Tabs');
});

test('a line that is not understood is an error with its number, and tau goes on', async () => {
  const { tau } = await converse([says('ok')]);
  const lines = [
    'hello',
    '[]',
    '{"type":"hello"}',
    '{"type":"message"}',
    '{"type":"message","content":" "}',
    '{"type":"message","content":[{"type":"video"}]}',
    '{"type":"message","content":"x","deliverAs":"carrier pigeon"}',
    '{"type":"permission_response","id":"nobody","outcome":"allow"}',
    '{"type":"permission_response","id":"nobody","outcome":"perhaps"}',
    '{"type":"question_response","id":"nobody","answers":["yes"]}',
    '{"type":"question_response","id":"nobody"}',
    JSON.stringify(message('x'.repeat(11 * 1024 * 1024))),
    JSON.stringify(message('hi')),
  ];
  const run = await tau(['--json'], { stdin: lines.join('\n') });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const errors = run.events().filter(({ type }) => type === 'error');
  expect(errors.map((event) => textAt(event, 'message').split(':')[0])).toEqual(
    lines.slice(0, -1).map((_, index) => `line ${index + 1}`),
  );
  expect(new Set(errors.map((event) => at(event, 'class')))).toEqual(new Set(['badRequest']));
  expect(run.events().at(-1)).toMatchObject({ type: 'agent_end', reason: 'done' });
});

test('more messages than may wait at once are all heard, in order', async () => {
  const texts = Array.from({ length: 1200 }, (_, index) => `m${index}`);
  const { tau, model } = await converse(
    texts.map(() => says('ok')),
    { settings: { followUpMode: 'all' } },
  );
  const stdin = texts.map((text) => JSON.stringify(message(text))).join('\n');
  expect(await tau(['--json', '--no-session'], { stdin })).toMatchObject({ code: 0, stderr: '' });
  const heard = talkIn(request(model, model.requests.length - 1)).filter((line) => line !== 'assistant: ok');
  expect(heard).toEqual(texts.map((text) => `user: ${text}`));
});

test('an image is part of a prompt', async () => {
  const { tau, model } = await converse([says('a dot')]);
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const content = [
    { type: 'text', text: 'what is it?' },
    { type: 'image', data, mimeType: 'image/png' },
  ];
  expect(await tau(['--json'], { stdin: JSON.stringify(message(content)) })).toMatchObject({ code: 0 });
  expect(request(model, 0).raw).toContain(data);
});

test('Ctrl+C ends it, whether something runs or not', async () => {
  const { start } = await converse([{ hang: 'midStream' }]);
  const idle = start(['--json'], open);
  idle.send('nonsense');
  await idle.waitFor('line 1');
  idle.kill('SIGINT');
  expect(await idle.done).toMatchObject({ code: 130, signal: null, stderr: '' });
  const busy = start(['--json'], open);
  busy.send(message('go'));
  await busy.waitFor('message_update');
  busy.kill('SIGINT');
  const done = await busy.done;
  expect(done).toMatchObject({ code: 130, signal: null, stderr: '' });
  expect(done.events().at(-1)).toMatchObject({ type: 'agent_end', reason: 'aborted' });
});

/** The id in the first event of this type. */
function idOf(run: Pick<RunningTau, 'soFar'>, type: string): string {
  const [, id] = new RegExp(`"type":"${type}","id":"([^"]+)"`).exec(run.soFar('stdout')) ?? [];
  if (id === undefined) throw new Error(`there was no ${type}`);
  return id;
}
