import { type ToolCall, textResult, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { createScene } from './scene.ts';
import { act, assistant, barrier, calls, exec, read, type Speech, says, write } from './speech.ts';

const usage = (input: number, total: number) => ({
  ...{ input, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: input + 9 },
  cost: { input: 0.25, output: 0.5, cacheRead: 0.125, cacheWrite: 1, total },
});

/** What is in the log of these lines, in the order it happened. */
const order = (log: readonly string[], ...lines: string[]) => log.filter((line) => lines.includes(line));

test('an answer without calls ends the run after one turn', async () => {
  const scene = createScene({ history: [userMessage('earlier', 0)] });
  expect(await scene.play(says('hello'))).toMatchObject({ reason: 'done', turns: 1 });
  expect(scene.requests).toEqual([[userMessage('earlier', 0), userMessage('go', 1)]]);
  expect(scene.log).toEqual([
    ...['append user', 'message_start user', 'message_end user', 'turn_start', 'message_start assistant', 'request 1'],
    ...['message_update text', 'append assistant', 'message_end assistant', 'turn_end'],
  ]);
});

test('the results of a message are in the next request, after the message that called', async () => {
  const scene = createScene();
  const message = assistant([act('a', read('/a')), act('b', read('/b'))], { stopReason: 'toolUse' });
  const outcome = await scene.play(calls([act('a', read('/a')), act('b', read('/b'))]), says('done'));
  expect(outcome).toMatchObject({ reason: 'done', turns: 2 });
  expect(scene.requests[1]).toEqual([userMessage('go', 1), message, ...scene.results()]);
  expect(scene.results()).toEqual([
    expect.objectContaining({ toolCallId: 'a', toolName: 'act', content: [{ type: 'text', text: 'did a' }] }),
    expect.objectContaining({ toolCallId: 'b', isError: false, timestamp: 1 }),
  ]);
  expect(scene.appended).toEqual([...(scene.requests[1] ?? []), assistant([{ type: 'text', text: 'done' }])]);
});

test('details of a result are kept for a UI', async () => {
  const scene = createScene({ deeds: { a: () => textResult('did it', { lines: 3 }) } });
  await scene.play(calls([act('a', read('/a'))]), says('done'));
  expect(scene.results()[0]?.details).toEqual({ lines: 3 });
});

test('every message is on disk before anything is said of it', async () => {
  const scene = createScene();
  await scene.play(calls([act('a', write('/a'))]), says('done'));
  const appends = ['append user', 'append assistant', 'append result a'];
  const ends = ['message_end user', 'message_end assistant', 'message_end result a'];
  const starts = ['message_start user', 'message_start toolResult'];
  expect(order(scene.log, ...appends, ...ends, ...starts)).toEqual([
    ...['append user', 'message_start user', 'message_end user'],
    ...['append assistant', 'message_end assistant'],
    ...['append result a', 'message_start toolResult', 'message_end result a'],
    ...['append assistant', 'message_end assistant'],
  ]);
});

test('the prompt is on disk before the request leaves', async () => {
  const disk = barrier();
  const scene = createScene({ ports: { append: () => disk.passed } });
  const running = scene.play(says('hello'));
  await new Promise(setImmediate);
  expect(scene.log).toEqual([]);
  disk.open();
  await running;
  expect(order(scene.log, 'append user', 'request 1')).toEqual(['append user', 'request 1']);
});

test('a change is saved, then journalled, then made, all after its message is on disk', async () => {
  const scene = createScene();
  await scene.play(calls([act('a', write('/a'))]), says('done'));
  const steps = ['append assistant', 'checkpoint write', 'journal a', 'run a', 'append result a'];
  expect(order(scene.log, ...steps).slice(0, 5)).toEqual(steps);
});

test.each([
  ['a file is read', read('/a')],
  ['a proved command runs', exec('ls', true)],
])('nothing is saved or journalled when %s', async (_what, effect) => {
  const scene = createScene();
  await scene.play(calls([act('a', effect)]), says('done'));
  expect(scene.log).toContain('run a');
  expect(scene.log.filter((line) => /journal|checkpoint/.test(line))).toEqual([]);
});

test('usage is the sum over the turns, a failed one included', async () => {
  const scene = createScene();
  const failed = { error: { class: 'overloaded' as const, message: 'busy' }, message: { usage: usage(1, 2) } };
  const { usage: total } = await scene.play(
    calls([act('a', read('/a'))], { message: { usage: usage(10, 1.875) } }),
    calls([], failed),
  );
  expect(total).toEqual({
    ...{ input: 11, output: 4, cacheRead: 6, cacheWrite: 8, totalTokens: 29 },
    cost: { input: 0.5, output: 1, cacheRead: 0.25, cacheWrite: 2, total: 3.875 },
  });
});

test('the turn limit ends a run that would go on, with every call answered', async () => {
  const scene = createScene({ maxTurns: 2 });
  const outcome = await scene.play(calls([act('a', write('/a'))]), calls([act('b', write('/a'))]), says('never'));
  expect(outcome).toMatchObject({ reason: 'maxTurns', turns: 2 });
  expect(scene.results().map((result) => result.toolCallId)).toEqual(['a', 'b']);
  expect(scene.requests).toHaveLength(2);
});

test('a run that stops by itself on its last turn is done, not cut off', async () => {
  expect(await createScene({ maxTurns: 1 }).play(says('hello'))).toMatchObject({ reason: 'done', turns: 1 });
});

test('a provider that fails ends the run with what had arrived on disk and the error told once', async () => {
  const scene = createScene();
  const error = { class: 'overloaded' as const, message: 'busy' };
  expect(await scene.play(calls([], { error }))).toMatchObject({ reason: 'error', turns: 1 });
  expect(scene.appended[1]).toMatchObject({ role: 'assistant', stopReason: 'error' });
  expect(scene.events.filter((event) => event.type === 'error')).toEqual([{ type: 'error', ...error }]);
});

test('of a message that broke off, reads under way finish, nothing more is done, and every call is answered', async () => {
  const scene = createScene({ run: { reconnections: 0 } });
  const list = [act('r', read('/a')), act('w', write('/b')), act('x', exec())];
  const error = { class: 'network' as const, message: 'closed' };
  const outcome = await scene.play(calls(list, { until: scene.reached('run r'), error }));
  expect(outcome.reason).toBe('error');
  expect(scene.results().map((result) => [result.toolCallId, result.isError])).toEqual([
    ['r', false],
    ['w', true],
    ['x', true],
  ]);
  expect(scene.told('w')).toContain('broke off');
  expect(scene.log.filter((line) => line.startsWith('run '))).toEqual(['run r']);
});

const brokenStreams: [string, (made: ToolCall) => Speech][] = [
  ['throws', (made) => brokenStream(made, new Error('the wire burnt'))],
  ['ends without an end', (made) => brokenStream(made)],
];

function brokenStream(toolCall: ToolCall, thrown?: Error): Speech {
  return async function* speech() {
    yield { type: 'toolCallEnd', index: 0, toolCall };
    if (thrown) throw thrown;
  };
}

test.each(brokenStreams)(
  'a stream that %s is an error of the model, and the call it had made keeps its result',
  async (_how, broken) => {
    const scene = createScene();
    const made = act('a', read('/a'));
    expect(await scene.play(broken(made))).toMatchObject({ reason: 'error' });
    expect(scene.appended.map((message) => message.role)).toEqual(['user', 'assistant', 'toolResult']);
    expect(scene.appended[1]).toMatchObject({ content: [made], stopReason: 'error' });
    expect(scene.results()[0]?.toolCallId).toBe('a');
    expect(scene.events.filter((event) => event.type === 'error')).toHaveLength(1);
  },
);
