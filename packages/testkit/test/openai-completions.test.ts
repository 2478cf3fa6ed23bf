/** The OpenAI stream, chunk by chunk. */
import { expect, test } from 'vitest';
import { type ScriptStep, startScriptedModel } from '../src/index.ts';
import { parseEvents, post } from './sse.ts';

async function ask(step: ScriptStep, options: object = {}) {
  const model = await startScriptedModel([step]);
  try {
    return await post(`${model.url}/v1/chat/completions`, { model: 'gpt-x', stream: true, ...options });
  } finally {
    await model.close();
  }
}

async function chunks(step: ScriptStep, options?: object): Promise<unknown[]> {
  const events = parseEvents((await ask(step, options)).text);
  for (const event of events) expect(event).not.toHaveProperty('event');
  return events.map(({ data }) => data);
}

const delta = (value: object, finish_reason: string | null = null) =>
  expect.objectContaining({ choices: [{ index: 0, delta: value, logprobs: null, finish_reason }] });

test('a text reply is role, content, finish and done, and no usage was asked for', async () => {
  const all = await chunks({ blocks: [{ text: 'Hello, world' }] });
  expect(all).toEqual([
    delta({ role: 'assistant', content: '' }),
    delta({ content: 'Hello, w' }),
    delta({ content: 'orld' }),
    delta({}, 'stop'),
    '[DONE]',
  ]);
  for (const chunk of all.slice(0, -1)) {
    expect(chunk).toMatchObject({ id: 'chatcmpl-scripted-0', object: 'chat.completion.chunk', model: 'gpt-x' });
    expect(chunk).not.toHaveProperty('usage');
  }
});

test('usage comes in a chunk of its own before the end when the request asks for it', async () => {
  const usage = { input: 100, output: 7, cacheRead: 40 };
  const all = await chunks({ blocks: [{ text: 'x' }], usage }, { stream_options: { include_usage: true } });
  expect(all[0]).toMatchObject({ usage: null });
  expect(all.at(-2)).toMatchObject({
    choices: [],
    usage: {
      prompt_tokens: 140,
      completion_tokens: 7,
      total_tokens: 147,
      prompt_tokens_details: { cached_tokens: 40 },
    },
  });
  expect(all.at(-1)).toBe('[DONE]');
});

test('thinking is reasoning content, and each call has its own index with its head before its arguments', async () => {
  const blocks = [{ thinking: 'hm' }, { call: 'read', input: { a: 1 }, id: 'mine' }, { call: 'ls', input: {} }];
  expect(await chunks({ blocks, chunk: 4 })).toEqual([
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'hm' }),
    delta({ tool_calls: [{ index: 0, id: 'mine', type: 'function', function: { name: 'read', arguments: '' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
    delta({
      tool_calls: [{ index: 1, id: 'call_scripted_0_1', type: 'function', function: { name: 'ls', arguments: '' } }],
    }),
    delta({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
    delta({}, 'tool_calls'),
    '[DONE]',
  ]);
});

test('redacted thinking is a sealed reasoning detail without text', async () => {
  const redacted = { thinking: '', redacted: true };
  const sealed = (index: number) =>
    delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: `sealed_scripted_0_${index}`, index }] });
  expect((await chunks({ blocks: [redacted, redacted] })).slice(1, 3)).toEqual([sealed(0), sealed(1)]);
});

test('a reply cut by the output limit finishes with length', async () => {
  expect(await chunks({ blocks: [{ text: 'x' }], stopReason: 'length' })).toContainEqual(delta({}, 'length'));
});

test('an error without a body gets the vendor shape for its status', async () => {
  const answer = await ask({ status: 401 });
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.text)).toEqual({
    error: {
      message: 'scripted error 401',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    },
  });
});
