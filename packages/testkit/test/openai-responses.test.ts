/** The Responses stream, event by event. */
import { expect, test } from 'vitest';
import { type ScriptStep, startScriptedModel } from '../src/index.ts';
import { post } from './sse.ts';

async function ask(step: ScriptStep, options: object = {}) {
  const model = await startScriptedModel([step]);
  try {
    return await post(`${model.url}/v1/responses`, { model: 'gpt-x', stream: true, store: false, ...options });
  } finally {
    await model.close();
  }
}

/** The payloads, whose names and numbers are checked here and then left out. */
async function payloads(step: ScriptStep, options?: object): Promise<unknown[]> {
  const blocks = (await ask(step, options)).text.split('\n\n');
  expect(blocks.pop()).toBe('');
  return blocks.map((block, number) => {
    const [, event, data = ''] = /^event: ([\w.]+)\ndata: (.+)$/.exec(block) ?? [];
    const { sequence_number, ...payload } = JSON.parse(data);
    expect({ event, sequence_number }).toEqual({ event: payload.type, sequence_number: number });
    expect(payload).not.toHaveProperty('obfuscation');
    return payload;
  });
}

const encrypted = { include: ['reasoning.encrypted_content'] };
const part = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text });

test('a text reply is the events the vendor sends, and the last one holds it all again', async () => {
  const usage = { input: 100, output: 7, cacheRead: 40, cacheWrite: 3 };
  const at = { item_id: 'msg_scripted_0_0', output_index: 0, content_index: 0 };
  const item = {
    id: 'msg_scripted_0_0',
    type: 'message',
    status: 'completed',
    content: [part('Hello, world')],
    role: 'assistant',
  };
  const response = {
    id: 'resp_scripted_0',
    object: 'response',
    created_at: expect.any(Number),
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model: 'gpt-x',
    output: [],
    store: false,
    usage: null,
  };
  expect(await payloads({ blocks: [{ text: 'Hello, world' }], usage })).toEqual([
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part: part('') },
    { type: 'response.output_text.delta', ...at, logprobs: [], delta: 'Hello, w' },
    { type: 'response.output_text.delta', ...at, logprobs: [], delta: 'orld' },
    { type: 'response.output_text.done', ...at, logprobs: [], text: 'Hello, world' },
    { type: 'response.content_part.done', ...at, part: part('Hello, world') },
    { type: 'response.output_item.done', output_index: 0, item },
    {
      type: 'response.completed',
      response: {
        ...response,
        status: 'completed',
        output: [item],
        usage: {
          input_tokens: 143,
          input_tokens_details: { cached_tokens: 40, cache_write_tokens: 3 },
          output_tokens: 7,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 150,
        },
      },
    },
  ]);
});

test('thinking is a summary in pieces, and encrypted when the request asks for it', async () => {
  const step = { blocks: [{ thinking: 'abcd' }, { text: 'x' }], chunk: 3 };
  const at = { item_id: 'rs_scripted_0_0', output_index: 0, summary_index: 0 };
  const item = { id: 'rs_scripted_0_0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'abcd' }] };
  expect((await payloads(step, encrypted)).slice(2, 9)).toEqual([
    { type: 'response.output_item.added', output_index: 0, item: { ...item, summary: [] } },
    { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...at, delta: 'abc' },
    { type: 'response.reasoning_summary_text.delta', ...at, delta: 'd' },
    { type: 'response.reasoning_summary_text.done', ...at, text: 'abcd' },
    { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text: 'abcd' } },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...item, encrypted_content: expect.stringMatching(/^gAAAA_/) },
    },
  ]);
  expect(await payloads(step)).toContainEqual({ type: 'response.output_item.done', output_index: 0, item });
});

test('redacted thinking is encrypted, and says nothing', async () => {
  const events = await payloads({ blocks: [{ thinking: 'secret', redacted: true }, { text: 'x' }] }, encrypted);
  expect(JSON.stringify(events)).not.toContain('secret');
  expect(events[3]).toMatchObject({
    type: 'response.output_item.done',
    item: { type: 'reasoning', summary: [], encrypted_content: expect.any(String) },
  });
});

test('a call has two ids and its name from the beginning, and its arguments in pieces and as a whole', async () => {
  const events = await payloads({ blocks: [{ call: 'read', input: { a: 1 }, id: 'mine' }], chunk: 4 });
  const call = { id: 'fc_scripted_0_0', type: 'function_call', call_id: 'mine', name: 'read' };
  const at = { item_id: 'fc_scripted_0_0', output_index: 0 };
  expect(events.slice(2, -1)).toEqual([
    { type: 'response.output_item.added', output_index: 0, item: { ...call, status: 'in_progress', arguments: '' } },
    { type: 'response.function_call_arguments.delta', ...at, delta: '{"a"' },
    { type: 'response.function_call_arguments.delta', ...at, delta: ':1}' },
    { type: 'response.function_call_arguments.done', ...at, arguments: '{"a":1}' },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { ...call, status: 'completed', arguments: '{"a":1}' },
    },
  ]);
});

test('a reply cut by the output limit is incomplete', async () => {
  expect((await payloads({ blocks: [{ text: 'x' }], stopReason: 'length' })).at(-1)).toMatchObject({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  });
});

test.each([
  [401, 'invalid_request_error', 'invalid_api_key'],
  [404, 'invalid_request_error', 'model_not_found'],
  [429, 'requests', 'rate_limit_exceeded'],
  [400, 'invalid_request_error', null],
  [500, 'server_error', null],
])('an error %i without a body gets the vendor shape', async (status, type, code) => {
  const answer = await ask({ status });
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toEqual({ error: { message: `scripted error ${status}`, type, param: null, code } });
});

const call = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c', output: '' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
const answer = { type: 'message', role: 'assistant', content: [] };

test.each([
  ['no stream is asked for', { stream: false }, /stream/],
  ['a call has no output', { input: [call] }, /no output for the call c/],
  ['an output has no call', { input: [output] }, /no call for the output c/],
  ['a call id is too long', { input: [{ ...call, call_id: 'c'.repeat(65) }] }, /call_id is not valid/],
  ['reasoning is last', { input: [answer, reasoning] }, /rs_1/],
  ['what follows reasoning is not known to do so', { input: [reasoning, answer] }, /rs_1/],
])('a request is refused when %s', async (_, body, message) => {
  const { status, text } = await ask({ blocks: [{ text: 'x' }] }, body);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringMatching(message) },
  });
});

test('a request whose pairs are whole is answered', async () => {
  const input = [reasoning, reasoning, { ...answer, id: 'msg_1' }, call, output];
  expect((await ask({ blocks: [{ text: 'x' }] }, { input })).status).toBe(200);
});
