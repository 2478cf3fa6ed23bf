/** A recording stands in for the network, and says so when the conversation leaves it. */
import { TauError, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { createStream, replay } from '../src/index.ts';
import { askAt, collect, modelAt, requestTo, sse } from './wire.ts';

const head = { type: 'tau-recording', version: 1, api: 'anthropic-messages' };
const model = modelAt('http://replay.invalid', 'anthropic-messages');

function pieces(said: string): string[] {
  return [
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '!' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ].map((payload) => sse([payload]));
}

const exchange = (messages: number, said: string) => ({ type: 'exchange', messages, status: 200, body: pieces(said) });
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const question = (count: number) => ({ messages: Array.from({ length: count }, () => userMessage('hi', 1)) });

test('answers are played in order, whatever the words of the questions', async () => {
  const { api, transport } = replay('tape', lines(head, exchange(1, 'öne'), exchange(3, 'two')));
  expect(api).toBe('anthropic-messages');
  const first = await askAt(model, transport, question(1));
  const second = await askAt(model, transport, question(3));
  expect([first, second].map(({ message }) => message.content)).toEqual([
    [{ type: 'text', text: 'öne!' }],
    [{ type: 'text', text: 'two!' }],
  ]);
});

test('a recorded failure is played as the failure it was', async () => {
  const failed = { type: 'exchange', messages: 1, status: 529, body: ['{"error":{"type":"overloaded_error"}}'] };
  const { transport } = replay('tape', lines(head, failed));
  expect((await askAt(model, transport, question(1))).error).toMatchObject({ class: 'overloaded', status: 529 });
});

test('a conversation that goes on after the recording is told so', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 'one')));
  await askAt(model, transport, question(1));
  const { error } = await askAt(model, transport, question(3));
  expect(error).toEqual({
    class: 'badRequest',
    message: 'The conversation leaves the recording tape: it holds 1 answers and the model was asked once more',
  });
});

test('a conversation that goes another way than the recording is told where', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 'one'), exchange(3, 'two')));
  await askAt(model, transport, question(1));
  const { error } = await askAt(model, transport, question(4));
  expect(error?.message).toBe('The conversation leaves the recording tape: answer 2 was given after 3 messages, not 4');
});

test('an abort ends a replay in the middle', async () => {
  const { transport } = replay('tape', lines(head, exchange(1, 'one')));
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

test('an empty line does not change the number of the lines after it', () => {
  expect(() => replay('tape', `${lines(head)}\n\n{}\n`)).toThrow('line 4 is not');
});

test.each([
  ['nothing', '', 1],
  ['no JSON', 'hello\n', 1],
  ['a list', '[]\n', 1],
  ['null', 'null\n', 1],
  ['a session', lines({ type: 'session', version: 3 }), 1],
  ['a recording of another version', lines({ ...head, version: 2 }), 1],
  ['a recording without its protocol', lines({ type: 'tau-recording', version: 1 }), 1],
  ['an exchange that is none', lines(head, exchange(1, 'x'), { type: 'exchange', messages: 1, status: 200 }), 3],
  ['a body that is no text', lines(head, { ...exchange(1, 'x'), body: [1] }), 2],
  ['a cut line', `${lines(head)}{"type":"exch`, 2],
])('%s is not a recording, and the line is named', (_, content, line) => {
  expect(() => replay('tape.jsonl', content)).toThrow(
    new TauError('recording', `tape.jsonl is not a recording: line ${line} is not what it should be`),
  );
});
