/** A recording stands in for the network, and says so when the conversation leaves it. */
import { readFileSync } from 'node:fs';
import { TauError, userMessage } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { replay } from '../src/recording/replay.ts';
import { said, text } from './conversation.ts';
import { createStream } from './flat.ts';
import { converse, replayedModel, script, startTape, tool } from './recording.ts';
import { apis, askAt, collect, modelAt, requestTo, sse, startModel } from './wire.ts';

const api = 'anthropic-messages';
const model = modelAt('http://replay.invalid', api);

function pieces(said: string): string[] {
  return [
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '!' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ].map((payload) => sse([payload]));
}

const head = { type: 'tau-recording', version: 2 };
const exchange = (number: number, messages: number, said: string) => ({
  type: 'exchange',
  number,
  api,
  messages,
  status: 200,
  end: 'complete',
  headers: {},
  body: pieces(said),
});
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const question = (count: number) => ({ messages: Array.from({ length: count }, () => userMessage('hi', 1)) });

test('answers are played in order, whatever the words of the questions', async () => {
  const recording = replay('tape', lines(head, exchange(1, 1, 'öne'), exchange(2, 3, 'two')));
  expect(recording).toMatchObject({ api, models: [{ api }] });
  const first = await askAt(model, recording.transport, question(1));
  const second = await askAt(model, recording.transport, question(3));
  expect([first, second].map(({ message }) => message.content)).toEqual([
    [{ type: 'text', text: 'öne!' }],
    [{ type: 'text', text: 'two!' }],
  ]);
});

describe('version 1', () => {
  const head1 = { type: 'tau-recording', version: 1, api: 'openai-completions' };
  const exchange1 = {
    type: 'exchange',
    messages: 2,
    status: 200,
    body: [sse([{ choices: [{ delta: { content: 'old' }, finish_reason: 'stop' }] }, '[DONE]'])],
  };
  const completions = modelAt('http://replay.invalid', 'openai-completions');

  test('is played, counting the system message as it did', async () => {
    const recording = replay('tape', lines(head1, exchange1));
    expect(recording.api).toBe('openai-completions');
    const { message } = await askAt(completions, recording.transport, { system: 'Be brief.', ...question(1) });
    expect(message.content).toEqual([{ type: 'text', text: 'old' }]);
  });

  test('has a protocol even without an exchange', async () => {
    const { api: named, transport } = replay('tape', lines(head1));
    expect(named).toBe('openai-completions');
    const { error } = await askAt(completions, transport);
    expect(error?.message).toBe(
      'The conversation leaves the recording tape at exchange 1: the recording has 0 exchanges, and one more was begun. Record it again if it should go this way',
    );
  });

  test.each([
    [
      'without its protocol',
      lines({ type: 'tau-recording', version: 1 }),
      'line 1 cannot be used, api is missing or wrong',
    ],
    ['without a status', lines(head1, { ...exchange1, status: undefined }), 'line 2 cannot be used, status is missing'],
    [
      'with a body that is no text',
      lines(head1, { ...exchange1, body: [1] }),
      'line 2 cannot be used, body is missing',
    ],
  ])('%s is damaged', (_, content, message) => {
    expect(() => replay('tape', content)).toThrow(message);
  });
});

test('the recording of the demo is one', () => {
  const text = readFileSync(new URL('../../cli/demo/recording.jsonl', import.meta.url), 'utf8');
  expect(replay('demo', text)).toMatchObject({ api: 'anthropic-messages' });
});

describe.each(apis)('in %s', (spoken) => {
  async function recorded() {
    const server = await startModel(...script);
    const tape = startTape();
    const live = modelAt(server.url, spoken);
    await converse(live, tape.to(live));
    return tape;
  }

  test('another model, another system prompt and other results are allowed', async () => {
    const { transport } = (await recorded()).replay();
    const other = { ...replayedModel(spoken), id: 'other-2' };
    const answers = await converse(other, transport, { system: 'Speak at length. Today is Monday.' });
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(answers[1]?.message.content).toMatchObject([{ text: 'Done: "fine".' }]);
  });

  test('a system prompt that is gone is allowed', async () => {
    const { transport } = (await recorded()).replay();
    const answers = await converse(replayedModel(spoken), transport, { system: '' });
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  test('messages that were not recorded are told, with the place', async () => {
    const { transport } = (await recorded()).replay();
    const between = said({ api: spoken, provider: 'scripted' }, text('where?'));
    const messages = [userMessage('look', 1), between, userMessage('there', 2)];
    const { error } = await askAt(replayedModel(spoken), transport, { messages, tools: [tool] });
    expect(error).toMatchObject({
      class: 'badRequest',
      message: expect.stringContaining('tape at exchange 1: it was recorded with 1 message, and 3 came: 2 are new'),
    });
  });

  test('a tool that is new and one that is missing are told by name', async () => {
    const { transport } = (await recorded()).replay();
    const { error } = await askAt(replayedModel(spoken), transport, { tools: [{ ...tool, name: 'write' }] });
    expect(error?.message).toMatch(
      /at exchange 1: other tools were offered when it was recorded: write is new and read is missing/,
    );
  });

  test('a strict replay takes the same conversation', async () => {
    const { transport } = (await recorded()).replay((text) => text);
    const answers = await converse(replayedModel(spoken), transport);
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
  });

  test('a strict replay tells where a request first differs', async () => {
    const { transport } = (await recorded()).replay((text) => text);
    const messages = [userMessage('peek', 1)];
    const { error } = await askAt(replayedModel(spoken), transport, { system: 'Be brief.', messages, tools: [tool] });
    expect(error?.message).toMatch(
      /at exchange 1: the request differs from the recorded one at (messages|input|contents)\[\d\]/,
    );
  });
});

test('a request in another protocol than the recorded one is told', async () => {
  const server = await startModel({ blocks: [{ text: 'hi' }] });
  const tape = startTape();
  const live = modelAt(server.url, 'anthropic-messages');
  await askAt(live, tape.to(live));
  const { error } = await askAt(replayedModel('openai-completions'), tape.replay().transport);
  expect(error?.message).toContain(
    'The conversation leaves the recording tape at exchange 1: it was in anthropic-messages (/v1/messages), and this request goes to /v1/chat/completions',
  );
});

test('a recorded failure is played as the failure it was', async () => {
  const failed = { ...exchange(1, 1, ''), status: 529, body: ['{"error":{"type":"overloaded_error"}}'] };
  const { transport } = replay('tape', lines(head, failed));
  expect((await askAt(model, transport, question(1))).error).toMatchObject({ class: 'overloaded', status: 529 });
});

test('a failure without a reason is a failure of the network', async () => {
  const { status: _, ...failed } = { ...exchange(1, 1, ''), end: 'failed', body: [] };
  const { error } = await askAt(model, replay('tape', lines(head, failed)).transport);
  expect(error?.class).toBe('network');
});

test('a conversation that goes on after the recording is told so', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 1, 'one')));
  await askAt(model, transport, question(1));
  const { error } = await askAt(model, transport, question(3));
  expect(error).toMatchObject({
    class: 'badRequest',
    message: expect.stringContaining('tape at exchange 2: the recording has 1 exchange, and one more was begun'),
  });
});

test('a conversation that goes another way than the recording is told where', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 1, 'one'), exchange(2, 5, 'two')));
  await askAt(model, transport, question(1));
  const { error } = await askAt(model, transport, question(3));
  expect(error?.message).toContain('at exchange 2: it was recorded with 5 messages, and 3 came: 2 are missing');
});

test('tools are compared only where they were recorded', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 1, 'one'), { ...exchange(2, 1, 'two'), tools: [] }));
  expect((await askAt(model, transport, { tools: [tool] })).error).toBeUndefined();
  expect((await askAt(model, transport, { tools: [tool] })).error?.message).toContain('read is new');
});

test('a strict replay of an exchange without its request says that it cannot compare', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 1, 'one')), { strict: (text) => text });
  expect((await askAt(model, transport)).error?.message).toContain('its request was not recorded');
});

test('an abort ends a replay in the middle', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 1, 'one')));
  const controller = new AbortController();
  const stream = createStream({ transport, key: undefined });
  async function* untilText() {
    for await (const event of stream(requestTo(model), controller.signal)) {
      if (event.type === 'text') controller.abort();
      yield event;
    }
  }
  const { error, message } = await collect(untilText());
  expect(error?.class).toBe('aborted');
  expect(message.content).toEqual([{ type: 'text', text: 'one' }]);
});

test('a request that was aborted before it was made takes no answer', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 1, 'one')));
  const stream = createStream({ transport, key: undefined });
  expect((await collect(stream(requestTo(model), AbortSignal.abort()))).error?.class).toBe('aborted');
  expect((await askAt(model, transport)).error).toBeUndefined();
});

test('an empty line does not change the number of the lines after it', () => {
  expect(() => replay('tape', `${lines(head)}\n\n{}\n`)).toThrow('line 4 cannot be used');
});

test('a recording that was never spoken to is told as that', () => {
  expect(() => replay('tape', lines(head))).toThrow(
    new TauError('recording', 'tape holds no exchange: no model had answered when it ended', {
      remedy: 'Record it again',
    }),
  );
});

test('a recording of a newer tau is told as that', () => {
  expect(() => replay('tape', lines({ ...head, version: 3 }))).toThrow(
    'tape was recorded by a newer tau: it has version 3 of the format, and this tau reads versions up to 2',
  );
});

test.each([
  ['nothing', ''],
  ['no JSON', 'hello\n'],
  ['a list', '[]\n'],
  ['null', 'null\n'],
  ['a session', lines({ type: 'session', version: 3 })],
])('%s is not a recording', (_, content) => {
  expect(() => replay('tape.jsonl', content)).toThrow(
    new TauError('recording', 'tape.jsonl is not a recording: line 1 is not the head of one'),
  );
});

const { status: _, ...unanswered } = exchange(2, 1, 'x');
test.each([
  ['of no version', lines({ ...head, version: '2' }), 1, 'version is missing or wrong'],
  ['with an exchange of another type', lines(head, { ...exchange(1, 1, 'x'), type: 'entry' }), 2, 'type is'],
  ['with a number that is none', lines(head, { ...exchange(0, 1, 'x') }), 2, 'number is missing or wrong'],
  ['with a number twice', lines(head, exchange(1, 1, 'x'), exchange(1, 1, 'y')), 3, 'there is a second exchange 1'],
  ['without an api', lines(head, { ...exchange(1, 1, 'x'), api: undefined }), 2, 'api is missing or wrong'],
  ['with a count below zero', lines(head, exchange(1, -1, 'x')), 2, 'messages is missing or wrong'],
  [
    'with tools that are no names',
    lines(head, { ...exchange(1, 1, 'x'), tools: [{}] }),
    2,
    'tools is missing or wrong',
  ],
  ['with an end nobody knows', lines(head, { ...exchange(1, 1, 'x'), end: 'well' }), 2, 'end is missing or wrong'],
  ['with a failure nobody knows', lines(head, { ...exchange(1, 1, 'x'), failure: { kind: 'moon' } }), 2, 'failure is'],
  [
    'with headers that are no text',
    lines(head, { ...exchange(1, 1, 'x'), headers: { a: 1 } }),
    2,
    'headers is missing',
  ],
  ['with a request without a path', lines(head, { ...exchange(1, 1, 'x'), request: {} }), 2, 'request is missing'],
  ['with a body that is no text', lines(head, { ...exchange(1, 1, 'x'), body: [1] }), 2, 'body is missing or wrong'],
  ['complete without a status', lines(head, exchange(1, 1, 'x'), unanswered), 3, 'status is missing or wrong'],
  ['that is cut', `${lines(head)}{"type":"exch`, 2, 'it is not a JSON object'],
])('a recording %s is damaged, and the line is named', (_, content, line, why) => {
  expect(() => replay('tape.jsonl', content)).toThrow(`tape.jsonl is damaged: line ${line} cannot be used, ${why}`);
  expect(() => replay('tape.jsonl', content)).toThrow(TauError);
});
