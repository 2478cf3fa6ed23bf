/** What the many servers that speak Chat Completions say, leave out and get wrong. */
import { toolCallsOf } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { ask, askAt, canned, modelAt, saying, sse } from './wire.ts';

const api = 'openai-completions';
const delta = (fields: object) => ({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
const finish = (finish_reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason }] });
const call = (fields: object, name: string | undefined, args: string) =>
  delta({ tool_calls: [{ ...fields, function: { ...(name && { name }), arguments: args } }] });

test.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['eos', 'stop'],
])('the finish reason %s is %s', async (reason, expected) => {
  const { message } = await ask(api, saying(delta({ content: 'x' }), finish(reason), '[DONE]'));
  expect(message.stopReason).toBe(expected);
});

test('a filtered answer is an error of class refused, not an answer', async () => {
  const { error } = await ask(api, saying(delta({ content: 'x' }), finish('content_filter'), '[DONE]'));
  expect(error?.class).toBe('refused');
});

test('a server that says stop after calls still meant the calls', async () => {
  const { message } = await ask(api, saying(call({ index: 0, id: 'a' }, 'read', '{}'), finish('stop'), '[DONE]'));
  expect(message.stopReason).toBe('toolUse');
});

test('a server that gives no finish reason after calls still meant the calls', async () => {
  const { message } = await ask(api, saying(call({ index: 0, id: 'a' }, 'read', '{"x":1}'), '[DONE]'));
  expect(message).toMatchObject({ stopReason: 'toolUse', content: [{ id: 'a', arguments: { x: 1 } }] });
});

test('a stream that closes after its finish reason is complete without the closing word', async () => {
  const { message, error } = await ask(api, saying(delta({ content: 'all said' }), finish('stop')));
  expect(error).toBeUndefined();
  expect(message.content).toEqual([{ type: 'text', text: 'all said' }]);
});

test('a stream that closes without a finish reason was cut', async () => {
  const { error, message } = await ask(api, saying(delta({ content: 'half' })));
  expect(error?.class).toBe('network');
  expect(message.content).toEqual([{ type: 'text', text: 'half' }]);
});

test.each(['reasoning', 'reasoning_content'])('thinking in the field %s is remembered by that name', async (name) => {
  const { message } = await ask(
    api,
    saying(delta({ [name]: 'hm' }), delta({ [name]: 'm' }), delta({ content: 'x' }), finish('stop'), '[DONE]'),
  );
  expect(message.content[0]).toEqual({ type: 'thinking', thinking: 'hmm', thinkingSignature: name });
});

test('thinking that is sent under both names is heard once', async () => {
  const { message } = await ask(
    api,
    saying(delta({ reasoning: 'hm', reasoning_content: 'hm' }), finish('stop'), '[DONE]'),
  );
  expect(message.content).toMatchObject([{ type: 'thinking', thinking: 'hm' }]);
});

test('usage comes on any chunk, replaces what came before, and may be null in its parts', async () => {
  const { message } = await ask(
    api,
    saying(
      { ...delta({ content: 'x' }), usage: { prompt_tokens: 5, completion_tokens: 1 } },
      { ...finish('stop'), usage: null },
      { choices: [], usage: { prompt_tokens: 50, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 20 } } },
      { choices: [], usage: { prompt_tokens: 50, completion_tokens: 8, prompt_tokens_details: null } },
      '[DONE]',
    ),
  );
  expect(message.usage).toMatchObject({ input: 50, output: 8, cacheRead: 0, totalTokens: 58 });
});

test('content that is not text is never shown as if it were', async () => {
  const { message } = await ask(
    api,
    saying(delta({ content: [{ type: 'thinking', thinking: [] }] }), finish('stop'), '[DONE]'),
  );
  expect(JSON.stringify(message.content)).not.toContain('[object');
});

describe('calls', () => {
  async function calls(...chunks: unknown[]) {
    const { message } = await ask(api, saying(...chunks, finish('tool_calls'), '[DONE]'));
    return toolCallsOf(message).map(({ id, name, arguments: input }) => ({ id, name, input }));
  }
  const two = [
    { id: 'a', name: 'read', input: { x: 1 } },
    { id: 'b', name: 'write', input: { y: 2 } },
  ];

  test('interleaved pieces go to the call they name', async () => {
    const found = await calls(
      call({ index: 0, id: 'a' }, 'read', '{"x"'),
      call({ index: 1, id: 'b' }, 'write', '{"y":'),
      call({ index: 0 }, undefined, ':1}'),
      call({ index: 1 }, undefined, '2}'),
    );
    expect(found).toEqual(two);
  });

  test('two calls in one chunk without numbers are told apart by their place', async () => {
    const parts = two.map(({ id, name, input }) => ({ id, function: { name, arguments: JSON.stringify(input) } }));
    expect(await calls(delta({ tool_calls: parts }))).toEqual(two);
  });

  test.each([
    ['no number', {}],
    ['the same number', { index: 0 }],
  ])('two calls in two chunks with %s are told apart by their ids', async (_, number) => {
    const found = await calls(
      call({ ...number, id: 'a' }, 'read', '{"x":1}'),
      call({ ...number, id: 'b' }, 'write', '{"y":2}'),
    );
    expect(found).toEqual(two);
  });

  test('an id repeated on every piece is still one call', async () => {
    const found = await calls(
      call({ index: 0, id: 'a' }, 'read', '{"x"'),
      call({ index: 0, id: 'a' }, undefined, ':1}'),
    );
    expect(found).toEqual(two.slice(0, 1));
  });

  test('calls without an id get ids that are theirs alone, in one message and over turns', async () => {
    const nameless = [call({ index: 0 }, 'read', '{}'), call({ index: 1 }, 'read', '{}')];
    const ids = [...(await calls(...nameless)), ...(await calls(...nameless))].map(({ id }) => id);
    expect(ids).not.toContain('');
    expect(new Set(ids).size).toBe(4);
  });
});

test('what follows the end changes nothing, in whatever pieces it comes', async () => {
  const bytes = Buffer.from(
    sse([
      delta({ content: 'whole' }),
      finish('stop'),
      '[DONE]',
      delta({ reasoning: 'too late', content: ' too late' }),
      finish('length'),
      { error: { type: 'server_error', message: 'too late' } },
      'garbage',
    ]),
  );
  const model = modelAt('http://canned.invalid', api);
  const one = await askAt(model, canned([bytes]));
  const many = await askAt(model, canned(Array.from(bytes, (byte) => Uint8Array.of(byte))));
  expect(many.message).toMatchObject({ content: [{ type: 'text', text: 'whole' }], stopReason: 'stop' });
  expect(one).toEqual(many);
});
