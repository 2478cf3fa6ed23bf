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
  ['end_turn', 'stop'],
  ['function_call', 'stop'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['a reason of next year', 'stop'],
])('the finish reason %s is %s', async (reason, expected) => {
  const { message } = await ask(api, saying(delta({ content: 'x' }), finish(reason), '[DONE]'));
  expect(message.stopReason).toBe(expected);
});

test('a filtered answer is an error of class refused, not an answer', async () => {
  const { error } = await ask(api, saying(delta({ content: 'x' }), finish('content_filter'), '[DONE]'));
  expect(error?.class).toBe('refused');
});

test.each([
  ['sensitive', 'refused'],
  ['network_error', 'network'],
  ['insufficient_system_resource', 'overloaded'],
  ['error', 'unknown'],
])('the finish reason %s is an error of class %s, and what was said is kept', async (reason, expected) => {
  const { error, message } = await ask(api, saying(delta({ content: 'x' }), finish(reason), '[DONE]'));
  expect(error?.class).toBe(expected);
  expect(message.content).toEqual([{ type: 'text', text: 'x' }]);
});

test('an error inside a choice is told with its message and class', async () => {
  const { error } = await ask(
    api,
    saying({ choices: [{ delta: {}, finish_reason: 'error', error: { code: 429, message: 'slow down' } }] }),
  );
  expect(error).toMatchObject({ class: 'rateLimited', message: expect.stringContaining('slow down') });
});

test('a refusal in words is shown, and is no answer', async () => {
  const { error, message } = await ask(api, saying(delta({ refusal: 'I will not.' }), finish('stop'), '[DONE]'));
  expect(error?.class).toBe('refused');
  expect(message.content).toEqual([{ type: 'text', text: 'I will not.' }]);
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

test.each(['reasoning', 'reasoning_content', 'reasoning_text'])(
  'thinking in the field %s is remembered by that name',
  async (name) => {
    const { message } = await ask(
      api,
      saying(delta({ [name]: 'hm' }), delta({ [name]: 'm' }), delta({ content: 'x' }), finish('stop'), '[DONE]'),
    );
    expect(message.content[0]).toEqual({ type: 'thinking', thinking: 'hmm', thinkingSignature: name });
  },
);

test('a field for thinking that only compat knows is heard under that name', async () => {
  const { message } = await ask(api, saying(delta({ inner_voice: 'hm' }), finish('stop'), '[DONE]'), {
    model: { compat: { reasoningField: 'inner_voice' } },
  });
  expect(message.content).toEqual([{ type: 'thinking', thinking: 'hm', thinkingSignature: 'inner_voice' }]);
});

test('details of reasoning beyond all measure are not kept, and the message is whole without them', async () => {
  const piece = delta({ reasoning_details: [{ type: 'reasoning.text', text: 'x'.repeat(9_000_000), index: 0 }] });
  const { message, error } = await ask(api, saying(piece, piece, delta({ content: 'so' }), finish('stop'), '[DONE]'));
  expect(error).toBeUndefined();
  expect(message.content).toMatchObject([{ redacted: true, thinkingSignature: '[]' }, {}, { text: 'so' }]);
});

test('details of reasoning are shown where no plain field says the same', async () => {
  const details = (...reasoning_details: object[]) => delta({ reasoning_details });
  const { message } = await ask(
    api,
    saying(
      details({ type: 'reasoning.summary', summary: 'in ' }),
      details({ type: 'reasoning.summary', summary: 'short' }),
      details({ type: 'reasoning.encrypted', data: 'a' }, { type: 'reasoning.encrypted', data: 'b' }),
      finish('stop'),
      '[DONE]',
    ),
  );
  expect(message.content).toMatchObject([{ redacted: true }, { type: 'thinking', thinking: 'in short' }]);
  expect(JSON.parse(JSON.stringify(message.content[0])).thinkingSignature).toBe(
    JSON.stringify([
      { type: 'reasoning.summary', summary: 'in short' },
      { type: 'reasoning.encrypted', data: 'a' },
      { type: 'reasoning.encrypted', data: 'b' },
    ]),
  );
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

test.each([
  [
    'in a choice',
    { choices: [{ delta: {}, usage: { prompt_tokens: 7, completion_tokens: 2, cached_tokens: 3 } }] },
    4,
    2,
    3,
    0,
  ],
  [
    'with cache hits',
    { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, prompt_cache_hit_tokens: 3 } },
    4,
    2,
    3,
    0,
  ],
  [
    'with cache writes',
    {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 5 },
      },
    },
    2,
    2,
    3,
    5,
  ],
  [
    'with cache writes that count as cached too',
    {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 9, cache_write_tokens: 5 },
      },
    },
    1,
    2,
    4,
    5,
  ],
  [
    'with thinking beside the completion',
    {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 2,
        total_tokens: 15,
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    },
    10,
    5,
    0,
    0,
  ],
  [
    'with thinking inside the completion',
    {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    },
    10,
    5,
    0,
    0,
  ],
  ['under the name of Groq', { x_groq: { usage: { prompt_tokens: 7, completion_tokens: 2 } } }, 7, 2, 0, 0],
  ['nowhere', {}, 0, 0, 0, 0],
])('usage is found %s', async (_, chunk, input, output, cacheRead, cacheWrite) => {
  const { message } = await ask(api, saying(delta({ content: 'x' }), finish('stop'), chunk, '[DONE]'));
  const totalTokens = input + output + cacheRead + cacheWrite;
  expect(message.usage).toMatchObject({ input, output, cacheRead, cacheWrite, totalTokens });
});

test('content in parts is text and thinking, each as what it is', async () => {
  const { message } = await ask(
    api,
    saying(
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      delta({ content: [{ type: 'text', text: 'so' }, { type: 'reference', reference_ids: [1] }, null] }),
      delta({ content: null }),
      finish('stop'),
      '[DONE]',
    ),
  );
  expect(message.content).toEqual([
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'so' },
  ]);
});

test('a whole message at the end is taken when nothing came before, and not a second time when it did', async () => {
  const whole = {
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'all',
          reasoning: 'hm',
          tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{}' } }],
        },
        finish_reason: 'stop',
      },
    ],
  };
  const alone = await ask(api, saying(whole, '[DONE]'));
  const after = await ask(
    api,
    saying(
      delta({ reasoning: 'hm' }),
      delta({ content: 'all' }),
      call({ index: 0, id: 'a' }, 'read', '{}'),
      whole,
      '[DONE]',
    ),
  );
  expect(alone.message.content).toMatchObject([{ thinking: 'hm' }, { text: 'all' }, { id: 'a', name: 'read' }]);
  expect(after.message.content).toEqual(alone.message.content);
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

  test('a call that comes whole after a whole one is another, also without number and id', async () => {
    const found = await calls(call({}, 'read', '{"x":1}'), call({}, 'write', '{"y":2}'));
    expect(found).toMatchObject(two.map(({ name, input }) => ({ name, input })));
  });

  test('a name repeated on every piece is still one call', async () => {
    const found = await calls(call({ index: 0 }, 'read', '{"x"'), call({ index: 0 }, 'read', ':1}'));
    expect(found).toMatchObject([{ name: 'read', input: { x: 1 } }]);
  });

  test('a name that comes after the id is waited for', async () => {
    const found = await calls(call({ index: 0, id: 'a' }, undefined, ''), call({ index: 0 }, 'read', '{"x":1}'));
    expect(found).toEqual(two.slice(0, 1));
  });

  test('a name that never comes does not lose the call', async () => {
    expect(await calls(call({ index: 0, id: 'a' }, undefined, '{"x":1}'))).toEqual([
      { id: 'a', name: '', input: { x: 1 } },
    ]);
  });

  test('arguments that are an object are taken as they are', async () => {
    const piece = { index: 0, id: 'a', function: { name: 'read', arguments: { x: 1 } } };
    expect(await calls(delta({ tool_calls: [piece] }))).toEqual(two.slice(0, 1));
  });

  test('a call in the old form is a call', async () => {
    const found = await calls(
      delta({ function_call: { name: 'read', arguments: '{"x"' } }),
      delta({ function_call: { arguments: ':1}' } }),
    );
    expect(found).toMatchObject([{ name: 'read', input: { x: 1 } }]);
  });

  test('null in place of what a piece leaves out is nothing', async () => {
    const found = await calls(
      delta({ content: null, tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: null } }] }),
      delta({ tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '{"x":1}' } }] }),
      delta({ tool_calls: null }),
    );
    expect(found).toEqual(two.slice(0, 1));
  });

  test('more calls than any model means to make end the message', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ index, function: { name: 'read', arguments: '{}' } }));
    const { error, message } = await ask(api, saying(delta({ tool_calls: many }), '[DONE]'));
    expect(error).toMatchObject({ class: 'outputLimit', message: expect.stringContaining('1000 calls') });
    expect(toolCallsOf(message).length).toBeLessThanOrEqual(1000);
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
