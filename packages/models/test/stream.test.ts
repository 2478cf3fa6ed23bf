/** What every protocol must deliver when all goes well. */
import { malformedArguments } from '@tau/core';
import type { RecordedRequest } from '@tau/testkit';
import { describe, expect, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { createStream } from './flat.ts';
import { type Api, apis, ask, collect, deltas, modelAt, requestTo, saying, startModel, unsignedCalls } from './wire.ts';

const signatureOf: Record<Api, string> = {
  'anthropic-messages': 'sig_scripted_0_0',
  'openai-completions': 'reasoning_content',
  'openai-responses': JSON.stringify({
    id: 'rs_scripted_0_0',
    type: 'reasoning',
    encrypted_content: 'gAAAA_scripted_0_0',
    summary: [{ type: 'summary_text', text: 'let me see…' }],
  }),
  'google-generative-ai': 'sig_scripted_0_0',
};

describe.each(apis)('%s', (api) => {
  test('text arrives piece by piece and is whole in the end', async () => {
    const text = 'Grüße, 世界 👋🏽, and\nanother line';
    const { events, message } = await ask(api, { blocks: [{ text }], chunk: 1 });
    expect(message).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text }],
      api,
      provider: 'scripted',
      model: 'model-1',
      stopReason: 'stop',
      timestamp: 7,
    });
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(Array.from(text).length);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['usage', 'end']);
  });

  test('thinking comes before the text and keeps its signature', async () => {
    const { events, message } = await ask(api, { blocks: [{ thinking: 'let me see…' }, { text: 'yes' }] });
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'let me see…', thinkingSignature: signatureOf[api] },
      { type: 'text', text: 'yes', ...(api === 'openai-responses' && { textSignature: expect.any(String) }) },
    ]);
    expect(deltas(events, 'thinking', 0)).toBe('let me see…');
  });

  test('several calls arrive complete, in order, each ended before the message', async () => {
    const inputs = [{ path: 'a "quoted" \\ name' }, { nested: { list: [1, null, 'ü'] } }, { n: 3 }];
    const calls = inputs.map((input, at) => ({ call: `tool_${at}`, id: `id_${at}`, input }));
    const { events, message } = await ask(api, { blocks: [{ text: 'three' }, ...calls], chunk: 3 });
    expect(message.stopReason).toBe('toolUse');
    expect(message.content).toHaveLength(4);
    expect(unsignedCalls(message)).toEqual(
      calls.map(({ call, id, input }) => ({ type: 'toolCall', id, name: call, arguments: input })),
    );
    for (const [at, input] of inputs.entries()) {
      expect(deltas(events, 'toolCallDelta', at + 1)).toBe(JSON.stringify(input));
    }
  });

  test('a call is ended as soon as the next one begins', async () => {
    const calls = ['first', 'second'].map((call) => ({ call, input: { of: call } }));
    const { events } = await ask(api, { blocks: calls });
    const order = events.flatMap((event) =>
      event.type === 'toolCallStart' || event.type === 'toolCallEnd' ? [`${event.type} ${event.index}`] : [],
    );
    expect(order).toEqual(['toolCallStart 0', 'toolCallEnd 0', 'toolCallStart 1', 'toolCallEnd 1']);
  });

  test('a call without arguments has an empty object', async () => {
    const { message } = await ask(api, { blocks: [{ call: 'now', input: {}, id: 'x' }] });
    expect(unsignedCalls(message)).toEqual([{ type: 'toolCall', id: 'x', name: 'now', arguments: {} }]);
  });

  test('usage is counted once, totalled, and priced where the price is known', async () => {
    const step = { blocks: [{ text: 'x' }], usage: { input: 100, output: 40, cacheRead: 1000 } };
    const free = await ask(api, step);
    expect(free.message.usage).toEqual({
      input: 100,
      output: 40,
      cacheRead: 1000,
      cacheWrite: 0,
      totalTokens: 1140,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    });
    const priced = await ask(api, step, { model: { cost: { input: 3, output: 15, cacheRead: 0.5, cacheWrite: 4 } } });
    const { cost } = priced.message.usage;
    expect(cost.input).toBeCloseTo(0.0003, 12);
    expect(cost.output).toBeCloseTo(0.0006, 12);
    expect(cost.cacheRead).toBeCloseTo(0.0005, 12);
    expect(cost.total).toBeCloseTo(0.0014, 12);
    expect(priced.events.at(-2)).toEqual({ type: 'usage', usage: priced.message.usage });
  });

  test('a reply that ran into the limit stops with length, also when it holds a call', async () => {
    const cut = await ask(api, { blocks: [{ text: 'and then' }], stopReason: 'length' });
    expect(cut.message.stopReason).toBe('length');
    const call = await ask(api, { blocks: [{ call: 'read', input: { path: 'x' } }], stopReason: 'length' });
    expect(call.message.stopReason).toBe('length');
  });

  test('the response is identified, and its model only when it is another than asked for', async () => {
    const { message } = await ask(api, { blocks: [{ text: 'x' }] });
    expect(message.responseId).toMatch(/scripted.0$/);
    expect(message).not.toHaveProperty('responseModel');
  });

  test('an empty reply is a message without content, not an error', async () => {
    const { message, events } = await ask(api, { blocks: [] });
    expect(message).toMatchObject({ content: [], stopReason: 'stop' });
    expect(events.map(({ type }) => type)).toEqual(['start', 'usage', 'end']);
  });

  test('one stream function serves many requests, also at the same time, without mixing them', async () => {
    const server = await startModel(echo, echo);
    const stream = createStream({ transport: httpTransport(), key: undefined });
    const ids = ['left', 'right'];
    const answers = await Promise.all(
      ids.map((id) => collect(stream(requestTo(modelAt(server.url, api, { id })), new AbortController().signal))),
    );
    expect(answers.map(({ message }) => message.content)).toMatchObject(ids.map((text) => [{ type: 'text', text }]));
  });
});

/** Says which model was asked: its name is in the body, or in the path. */
function echo({ raw, path }: RecordedRequest) {
  const [, model = 'nobody'] = /"model":"(\w+)"/.exec(raw) ?? /models\/(\w+):/.exec(path) ?? [];
  return { blocks: [{ text: model }], chunk: 1 };
}

const broken = ['{"path": "a', '[1,2]', '"text"', 'null', 'not json'];

test.each(broken)('Anthropic arguments that are no object are kept as they came: %s', async (json) => {
  const { message } = await ask(
    'anthropic-messages',
    saying(
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name: 'read', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: json } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ),
  );
  expect(message.content).toEqual([
    { type: 'toolCall', id: 't', name: 'read', arguments: { [malformedArguments]: json } },
  ]);
});

test.each(broken)('Chat Completions arguments that are no object are kept as they came: %s', async (json) => {
  const call = { index: 0, id: 't', function: { name: 'read', arguments: json } };
  const { message } = await ask(
    'openai-completions',
    saying(
      { choices: [{ delta: { tool_calls: [call] } }] },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      '[DONE]',
    ),
  );
  expect(message.content).toEqual([
    { type: 'toolCall', id: 't', name: 'read', arguments: { [malformedArguments]: json } },
  ]);
});
