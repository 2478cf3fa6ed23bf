/** The Anthropic stream, event by event. */
import { expect, test } from 'vitest';
import { type ScriptStep, startScriptedModel } from '../src/index.ts';
import { parseEvents, post } from './sse.ts';

async function ask(step: ScriptStep, body: unknown = { model: 'claude-x', stream: true }) {
  const model = await startScriptedModel([step]);
  try {
    return await post(`${model.url}/v1/messages`, body);
  } finally {
    await model.close();
  }
}

async function payloads(step: ScriptStep): Promise<unknown[]> {
  const events = parseEvents((await ask(step)).text);
  for (const { event, data } of events) expect(data).toMatchObject({ type: event });
  return events.map(({ data }) => data);
}

test('a text reply is the eight events the vendor sends, with the model echoed and the usage split', async () => {
  const usage = { input: 100, output: 7, cacheRead: 40, cacheWrite: 3 };
  expect(await payloads({ blocks: [{ text: 'Hello, world' }], usage })).toEqual([
    {
      type: 'message_start',
      message: {
        id: 'msg_scripted_0',
        type: 'message',
        role: 'assistant',
        model: 'claude-x',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 100,
          cache_creation_input_tokens: 3,
          cache_read_input_tokens: 40,
          output_tokens: 1,
        },
      },
    },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello, w' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'orld' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 100, cache_creation_input_tokens: 3, cache_read_input_tokens: 40, output_tokens: 7 },
    },
    { type: 'message_stop' },
  ]);
});

test('thinking comes in pieces and is signed before its block stops', async () => {
  const events = await payloads({ blocks: [{ thinking: 'abcd' }, { text: 'x' }], chunk: 3 });
  expect(events.slice(2, 7)).toEqual([
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'abc' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'd' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: expect.stringMatching(/^sig_/) },
    },
    { type: 'content_block_stop', index: 0 },
  ]);
  expect(events[7]).toMatchObject({ type: 'content_block_start', index: 1, content_block: { type: 'text' } });
});

test('redacted thinking comes whole and sealed, each with a seal of its own', async () => {
  const redacted = { thinking: '', redacted: true };
  const events = await payloads({ blocks: [redacted, redacted, { text: 'x' }] });
  expect(events.slice(2, 6)).toEqual([
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'redacted_thinking', data: 'sealed_scripted_0_0' },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'redacted_thinking', data: 'sealed_scripted_0_1' },
    },
    { type: 'content_block_stop', index: 1 },
  ]);
});

test('every thinking block has a signature of its own', async () => {
  const events = await payloads({ blocks: [{ thinking: 'a' }, { thinking: 'b' }] });
  const signatures = events.flatMap((event) => JSON.stringify(event).match(/sig_scripted_\w+/) ?? []);
  expect(signatures).toEqual(['sig_scripted_0_0', 'sig_scripted_0_1']);
});

test('calls carry their id and name first, then arguments that join to the input, and stop for tool use', async () => {
  const input = { path: 'src/ä€😀.ts', lines: [1, 2] };
  const events = await payloads({
    blocks: [
      { call: 'read', input, id: 'mine' },
      { call: 'ls', input: {} },
    ],
    chunk: 5,
  });
  expect(events).toContainEqual({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'mine', name: 'read', input: {} },
  });
  const parts = events.flatMap((event) => partialJson(event, 0));
  expect(parts[0]).toBe('');
  expect(parts.length).toBeGreaterThan(3);
  expect(JSON.parse(parts.join(''))).toEqual(input);

  expect(events).toContainEqual(
    expect.objectContaining({ content_block: { type: 'tool_use', id: 'toolu_scripted_0_1', name: 'ls', input: {} } }),
  );
  expect(events.flatMap((event) => partialJson(event, 1))).toEqual(['']);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
});

test('a reply cut by the output limit says max_tokens even when it holds a call', async () => {
  const events = await payloads({ blocks: [{ call: 'ls', input: {} }], stopReason: 'length' });
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'max_tokens' } });
});

test('an error without a body gets the vendor shape for its status, and headers pass through', async () => {
  const overloaded = await ask({ status: 529 });
  expect(overloaded.status).toBe(529);
  expect(JSON.parse(overloaded.text)).toEqual({
    type: 'error',
    error: { type: 'overloaded_error', message: 'scripted error 529' },
  });
  const limited = await ask({ status: 429, headers: { 'retry-after': '3' } });
  expect(limited.headers['retry-after']).toBe('3');
  expect(JSON.parse(limited.text)).toMatchObject({ error: { type: 'rate_limit_error' } });
});

test('a request that does not ask for a stream is refused in the vendor shape', async () => {
  const answer = await ask({ blocks: [{ text: 'x' }] }, { model: 'claude-x' });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
});

function partialJson(event: unknown, index: number): string[] {
  const pattern = { index, delta: { type: 'input_json_delta', partial_json: expect.any(String) } };
  const hit = expect.objectContaining(pattern).asymmetricMatch(event);
  return hit ? [JSON.parse(JSON.stringify(event)).delta.partial_json] : [];
}
