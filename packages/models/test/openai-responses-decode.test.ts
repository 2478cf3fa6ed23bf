/** What the servers that speak the Responses API say, leave out, say twice and get wrong. */
import { type AssistantMessage, malformedArguments, textOf, toolCallsOf } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { ask, askAt, canned, modelAt, saying, sse } from './wire.ts';

const api = 'openai-responses';

const begin = (output_index: number, item: object) => ({ type: 'response.output_item.added', output_index, item });
const end = (output_index: number, item: object) => ({ type: 'response.output_item.done', output_index, item });
const completed = (response: object = {}) => ({
  type: 'response.completed',
  response: { id: 'r', status: 'completed', ...response },
});

const message = (text: string, fields: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
  ...fields,
});
const reasoning = (fields: object = {}) => ({ id: 'rs_1', type: 'reasoning', summary: [], ...fields });
const call = (call_id: string, args: string, fields: object = {}) => ({
  id: `fc_${call_id}`,
  type: 'function_call',
  call_id,
  name: 'read',
  arguments: args,
  ...fields,
});

const says = (delta: string, output_index = 0, content_index = 0) => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index,
  content_index,
  delta,
});
const summarises = (delta: string, summary_index = 0) => ({
  type: 'response.reasoning_summary_text.delta',
  item_id: 'rs_1',
  output_index: 0,
  summary_index,
  delta,
});
const argues = (item_id: string, delta: string, output_index: number) => ({
  type: 'response.function_call_arguments.delta',
  item_id,
  output_index,
  delta,
});
const numbered = (events: object[]) => events.map((event, sequence_number) => ({ ...event, sequence_number }));

async function hear(...payloads: unknown[]): Promise<AssistantMessage> {
  const { message: heard, error } = await ask(api, saying(...payloads));
  expect(error).toBeUndefined();
  return heard;
}

const signature = (fields: object) => JSON.stringify({ v: 1, ...fields });

test('every event of a plain answer adds up to one signed block', async () => {
  const part = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const { content, responseId, responseModel } = await hear(
    { type: 'response.created', response: { id: 'resp_1', model: 'model-1' } },
    { type: 'response.in_progress', response: { id: 'resp_1', model: 'model-1-of-may' } },
    begin(0, message('', { content: [], status: 'in_progress' })),
    { type: 'response.content_part.added', ...part, part: { type: 'output_text', text: '' } },
    says('Hel'),
    says('lo'),
    { type: 'response.output_text.done', ...part, text: 'Hello' },
    { type: 'response.content_part.done', ...part, part: { type: 'output_text', text: 'Hello' } },
    end(0, message('Hello', { phase: 'final_answer' })),
    completed({ id: 'resp_1', output: [message('Hello')] }),
  );
  expect({ responseId, responseModel }).toEqual({ responseId: 'resp_1', responseModel: 'model-1-of-may' });
  expect(content).toEqual([
    { type: 'text', text: 'Hello', textSignature: signature({ id: 'msg_1', phase: 'final_answer' }) },
  ]);
});

test('a refusal is the text of the answer', async () => {
  const refusal = 'I cannot do that';
  const part = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const item = message('', { content: [{ type: 'refusal', refusal }] });
  const pieces = [
    { type: 'response.refusal.delta', ...part, delta: 'I cannot' },
    { type: 'response.refusal.done', ...part, refusal },
  ];
  expect(textOf(await hear(...pieces, end(0, item), completed()))).toBe(refusal);
  expect(textOf(await hear(completed({ output: [item] })))).toBe(refusal);
});

describe('reasoning', () => {
  test('the parts of a summary are separated by a blank line, and the whole item is the signature', async () => {
    const whole = reasoning({
      encrypted_content: 'gAAAA',
      summary: [{ text: 'one' }, { text: 'two' }],
      of_next_year: [1],
    });
    const part = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
    const { content } = await hear(
      begin(0, reasoning({ encrypted_content: 'not yet' })),
      { type: 'response.reasoning_summary_part.added', ...part, part: { text: '' } },
      summarises('on'),
      summarises('e'),
      { type: 'response.reasoning_summary_text.done', ...part, text: 'one' },
      { type: 'response.reasoning_summary_part.done', ...part, part: { text: 'one' } },
      summarises('two', 1),
      end(0, whole),
      says('x', 1),
      end(1, message('x')),
      completed(),
    );
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'one\n\ntwo', thinkingSignature: JSON.stringify(whole) },
      { type: 'text', text: 'x' },
    ]);
    expect(content[0]).not.toHaveProperty('redacted');
  });

  test('reasoning in the open is thinking too', async () => {
    const at = { item_id: 'rs_1', output_index: 0, content_index: 0 };
    const whole = reasoning({ content: [{ type: 'reasoning_text', text: 'hmm' }] });
    const { content } = await hear(
      begin(0, reasoning()),
      { type: 'response.reasoning_text.delta', ...at, delta: 'h' },
      { type: 'response.reasoning_text.done', ...at, text: 'hmm' },
      { type: 'response.content_part.done', ...at, part: { type: 'reasoning_text', text: 'hmm' } },
      end(0, whole),
      completed(),
    );
    expect(content).toEqual([{ type: 'thinking', thinking: 'hmm', thinkingSignature: JSON.stringify(whole) }]);
  });

  test('without a summary it keeps its place, as redacted', async () => {
    const whole = reasoning({ encrypted_content: 'gAAAA' });
    const { content } = await hear(
      begin(0, reasoning()),
      begin(1, message('', { content: [] })),
      says('x', 1),
      end(1, message('x')),
      end(0, whole),
      completed(),
    );
    expect(content).toMatchObject([
      { type: 'thinking', thinking: '', thinkingSignature: JSON.stringify(whole), redacted: true },
      { type: 'text', text: 'x' },
    ]);
  });

  test('that never came to its end has no signature, whatever it said at its beginning', async () => {
    const { content } = await hear(
      begin(0, reasoning({ encrypted_content: 'not yet' })),
      summarises('hm'),
      completed(),
    );
    expect(content).toEqual([{ type: 'thinking', thinking: 'hm' }]);
  });
});

describe('calls', () => {
  test('a call has both ids, and is ended with its item', async () => {
    const { events, message: heard } = await ask(
      api,
      saying(
        begin(0, call('a', '')),
        argues('fc_a', '{"x"', 0),
        argues('fc_a', ':1}', 0),
        { type: 'response.function_call_arguments.done', item_id: 'fc_a', output_index: 0, arguments: '{"x":1}' },
        end(0, call('a', '{"x":1}')),
        begin(1, call('b', '')),
        completed(),
      ),
    );
    expect(heard.stopReason).toBe('toolUse');
    expect(toolCallsOf(heard)).toEqual([
      { type: 'toolCall', id: 'a|fc_a', name: 'read', arguments: { x: 1 } },
      { type: 'toolCall', id: 'b|fc_b', name: 'read', arguments: {} },
    ]);
    const order = events.flatMap(({ type, ...event }) => ('index' in event ? [`${type} ${event.index}`] : []));
    expect(order.filter((line) => !line.startsWith('toolCallDelta'))).toEqual([
      'toolCallStart 0',
      'toolCallEnd 0',
      'toolCallStart 1',
      'toolCallEnd 1',
    ]);
  });

  test('interleaved pieces go to the call they name', async () => {
    const heard = await hear(
      begin(0, call('a', '')),
      begin(1, call('b', '')),
      argues('fc_a', '{"x"', 0),
      argues('fc_b', '{"y"', 1),
      argues('fc_a', ':1}', 0),
      argues('fc_b', ':2}', 1),
      end(1, call('b', '{"y":2}')),
      end(0, call('a', '{"x":1}')),
      completed(),
    );
    expect(toolCallsOf(heard)).toMatchObject([
      { id: 'a|fc_a', arguments: { x: 1 } },
      { id: 'b|fc_b', arguments: { y: 2 } },
    ]);
  });

  test('a call without an item id is known by its call id alone', async () => {
    const bare = { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"x":1}' };
    const heard = await hear(begin(0, { ...bare, arguments: '' }), end(0, bare), completed({ output: [bare] }));
    expect(toolCallsOf(heard)).toEqual([{ type: 'toolCall', id: 'a', name: 'read', arguments: { x: 1 } }]);
  });

  test('calls without any id get ids that are theirs alone', async () => {
    const bare = { type: 'function_call', name: 'read', arguments: '{}' };
    const heard = await hear(end(0, bare), end(1, bare), completed());
    const ids = toolCallsOf(heard).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^call_.+/);
  });

  test.each(['{"path": "a', '[1,2]', 'null', 'not json'])('arguments that are no object are kept: %s', async (json) => {
    const heard = await hear(begin(0, call('a', '')), argues('fc_a', json, 0), end(0, call('a', json)), completed());
    expect(toolCallsOf(heard)).toMatchObject([{ arguments: { [malformedArguments]: json } }]);
  });
});

const whole: object[] = [
  { type: 'response.created', response: { id: 'r' } },
  begin(0, reasoning()),
  summarises('h'),
  summarises('m'),
  end(0, reasoning({ encrypted_content: 'gAAAA', summary: [{ text: 'hm' }] })),
  begin(1, message('', { content: [] })),
  says('Hel', 1),
  says('lo', 1),
  end(1, message('Hello')),
  begin(2, call('a', '')),
  argues('fc_a', '{"x"', 2),
  argues('fc_a', ':1}', 2),
  end(2, call('a', '{"x":1}')),
  completed({
    output: [
      reasoning({ encrypted_content: 'gAAAA', summary: [{ text: 'hm' }] }),
      message('Hello'),
      call('a', '{"x":1}'),
    ],
  }),
];
const is = (type: string) => (event: object) => String(Reflect.get(event, 'type')).endsWith(type);
const without = (type: string) => whole.filter((event) => !is(type)(event));
/** As a server would that leaves these fields out of every event. */
const lacking = (...names: string[]) =>
  whole.map((event) => Object.fromEntries(Object.entries(event).filter(([name]) => !names.includes(name))));
const renamed = (event: object, at: number): object => {
  const text = JSON.stringify(event).replace(/"(msg_1|rs_1|fc_a)"/g, `"$1_${at}"`);
  return JSON.parse(text);
};

describe('the message is the same', () => {
  const expected = [
    {
      type: 'thinking',
      thinking: 'hm',
      thinkingSignature: JSON.stringify(reasoning({ encrypted_content: 'gAAAA', summary: [{ text: 'hm' }] })),
    },
    { type: 'text', text: 'Hello', textSignature: signature({ id: 'msg_1' }) },
    { type: 'toolCall', id: 'a|fc_a', name: 'read', arguments: { x: 1 } },
  ];

  const odd: [string, unknown[]][] = [
    ['when nothing is odd', whole],
    ['with numbers', numbered(whole)],
    ['when every event comes twice', numbered(whole).flatMap((event) => [event, event])],
    ['when the stream begins anew in the middle', [...numbered(whole).slice(0, 8), ...numbered(whole)]],
    ['when all events have the same number', whole.map((event) => ({ ...event, sequence_number: 0 }))],
    ['without the ends of items', without('output_item.done')],
    ['without the beginnings of items', without('output_item.added')],
    ['without deltas', without('.delta')],
    ['with half of the deltas', whole.filter((event, at) => !is('.delta')(event) || at % 2 === 0)],
    ['from the last event alone', whole.slice(-1)],
    ['without the output in the last event', [...whole.slice(0, -1), completed({ output: [] })]],
    ['without places', lacking('output_index')],
    ['without the names of items', lacking('item_id')],
    ['without either', lacking('output_index', 'item_id')],
    ['with events of an unknown kind between', whole.flatMap((event) => [event, { type: 'response.of_next_year' }])],
    ['with the closing word of another protocol', [...whole.slice(0, -1), '[DONE]', ...whole.slice(-1)]],
  ];

  test.each(odd)('%s', async (_, payloads) => {
    const { content } = await hear(...payloads);
    expect(content).toEqual(expected);
  });

  test('from a server that gives an item another id in every event, but for the ids', async () => {
    const { content } = await hear(...whole.map(renamed));
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'Hello' },
      { type: 'toolCall', id: expect.stringMatching(/^a\|fc_a_\d+$/), arguments: { x: 1 } },
    ]);
    expect(content).toHaveLength(3);
  });
});

test('an event that comes late is heard in its place, and one that comes twice is not', async () => {
  const [first, second, third, ...rest] = numbered([says('a'), says('b'), says('c'), says('d'), completed()]);
  expect(textOf(await hear(first, third, second, first, third, second, ...rest))).toBe('abcd');
});

test('a number that never comes holds up nothing for long, and its neighbours keep their order', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const all = numbered([...letters].map((letter) => says(letter)));
  const missing = all.filter((_, at) => at !== 3);
  expect(textOf(await hear(...missing, completed()))).toBe(letters.replace('d', ''));
  const events = (await ask(api, saying(...missing))).events.filter(({ type }) => type === 'text');
  expect(events).toHaveLength(25);
});

test('a server that counts anew from the start of each item loses no text', async () => {
  const first = numbered([says('a'), says('b'), says('c')]);
  const second = numbered([says('d'), says('e'), says('f')]);
  expect(textOf(await hear(...first, ...second, completed()))).toBe('abcdef');
});

test('what is held when the stream is cut is heard before the error', async () => {
  const [a, , c] = numbered([says('a'), says('b'), says('c')]);
  const { error, message: heard } = await ask(api, saying(a, c));
  expect(error?.class).toBe('network');
  expect(textOf(heard)).toBe('ac');
});

test('after a number that was left out, what comes twice is still heard once', async () => {
  const all = numbered([...'abcdefghijklmnopqrstuvwxyz'].map((letter) => says(letter)));
  const [x, y] = all.slice(24);
  const missing = all.filter((_, at) => at !== 3);
  expect(textOf(await hear(...missing, x, y, completed()))).toBe('abcefghijklmnopqrstuvwxyz');
});

test('a server that begins to count anew with every item loses nothing', async () => {
  const { content } = await hear(
    ...numbered([begin(0, message('', { content: [] })), says('Hel'), says('lo'), end(0, message('Hello'))]),
    ...numbered([begin(1, call('a', '')), argues('fc_a', '{}', 1), end(1, call('a', '{}'))]),
    { ...completed({ output: [message('Hello'), call('a', '{}')] }), sequence_number: 0 },
  );
  expect(content).toMatchObject([{ text: 'Hello' }, { id: 'a|fc_a', arguments: {} }]);
});

test('the closing word of another protocol ends nothing', async () => {
  const { error } = await ask(api, saying(says('half'), '[DONE]'));
  expect(error?.class).toBe('network');
});

test('items that were not asked for are passed over, and the rest keeps its order', async () => {
  const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' };
  const { content } = await hear(
    begin(0, search),
    { type: 'response.web_search_call.searching', item_id: 'ws_1', output_index: 0 },
    end(0, search),
    begin(1, message('', { content: [] })),
    says('found', 1),
    end(1, message('found')),
    completed({ output: [search, message('found'), { type: 'image_generation_call', id: 'ig_1' }] }),
  );
  expect(content).toMatchObject([{ type: 'text', text: 'found' }]);
  expect(content).toHaveLength(1);
});

test('two messages are two blocks, also when a server numbers every item 0', async () => {
  const second = message('two', { id: 'msg_2' });
  const { content } = await hear(
    begin(0, message('', { content: [] })),
    says('one'),
    end(0, message('one')),
    begin(0, message('', { id: 'msg_2', content: [] })),
    { ...says('two'), item_id: 'msg_2' },
    end(0, second),
    completed({ output: [message('one'), second] }),
  );
  expect(content).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  expect(content).toHaveLength(2);
});

test('an item without a word is no block', async () => {
  const empty = message('', { content: [] });
  expect((await hear(begin(0, empty), end(0, empty), completed({ output: [empty] }))).content).toEqual([]);
});

test('content that is not text is never shown as if it were', async () => {
  const { content } = await hear({ ...says(''), delta: { odd: true } }, completed());
  expect(JSON.stringify(content)).not.toContain('[object');
});

test('usage: what the cache read and wrote is part of the input', async () => {
  const { usage } = await hear(
    completed({
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 5 },
        total_tokens: 107,
      },
    }),
  );
  expect(usage).toMatchObject({ input: 30, output: 7, cacheRead: 60, cacheWrite: 10, totalTokens: 107 });
  const bare = await hear(completed({ usage: { input_tokens: 3, output_tokens: 1, input_tokens_details: null } }));
  expect(bare.usage).toMatchObject({ input: 3, output: 1, cacheRead: 0, totalTokens: 4 });
});

describe('an answer that is not whole', () => {
  const incomplete = (reason: string | undefined, fields: object = {}) => ({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: reason ? { reason } : null, ...fields },
  });

  test.each(['max_output_tokens', 'of_next_year', undefined])('because of %s stops with length', async (reason) => {
    const { stopReason, content, usage } = await hear(
      says('and then'),
      incomplete(reason, { output: [message('and then')], usage: { input_tokens: 2, output_tokens: 9 } }),
    );
    expect({ stopReason, output: usage.output }).toEqual({ stopReason: 'length', output: 9 });
    expect(content).toMatchObject([{ text: 'and then' }]);
  });

  test('is told by its status too', async () => {
    const { stopReason } = await hear(says('and'), { type: 'response.done', response: { status: 'incomplete' } });
    expect(stopReason).toBe('length');
  });

  test('because of a filter is refused, and keeps what had arrived', async () => {
    const { error, message: heard } = await ask(api, saying(says('and then'), incomplete('content_filter')));
    expect(error).toEqual({
      class: 'refused',
      message: 'scripted filtered the answer. Say it in other words, or choose another model',
    });
    expect(textOf(heard)).toBe('and then');
  });
});

describe('a failure', () => {
  const codes = [
    ['server_error', 'overloaded'],
    ['rate_limit_exceeded', 'rateLimited'],
    ['context_length_exceeded', 'contextOverflow'],
    ['error_of_next_year', 'unknown'],
  ] as const;
  const shapes: [string, (error: object) => object][] = [
    ['a failed response', (error) => ({ type: 'response.failed', response: { status: 'failed', error } })],
    [
      'a response that is done, but failed',
      (error) => ({ type: 'response.done', response: { status: 'failed', error } }),
    ],
    ['an error event', (error) => ({ type: 'error', ...error, param: null })],
    ['an error event with an envelope', (error) => ({ type: 'error', error })],
  ];

  test.each(shapes.flatMap(([name, shape]) => codes.map(([code, as]) => [name, code, as, shape] as const)))(
    'as %s with %s is %s and keeps what had arrived',
    async (_, code, expected, shape) => {
      const { error, message: heard } = await ask(
        api,
        saying(says('so far'), shape({ code, message: 'Sorry' }), completed()),
      );
      expect(error).toMatchObject({ class: expected, message: expect.stringContaining('scripted broke off: Sorry') });
      expect(heard.content).toEqual([{ type: 'text', text: 'so far' }]);
    },
  );

  test('without a reason says so, and its tokens are counted', async () => {
    const usage = { input_tokens: 5, output_tokens: 2 };
    const { error, message: heard } = await ask(
      api,
      saying({ type: 'response.failed', response: { status: 'failed', error: null, usage } }),
    );
    expect(error).toMatchObject({
      class: 'unknown',
      message: expect.stringContaining('scripted broke off: no reason was given'),
    });
    expect(heard.usage).toMatchObject({ input: 5, output: 2 });
  });
});

test('items without end are a limit of output, not of memory', async () => {
  const flood = Array.from({ length: 2001 }, (_, at) => begin(at, { id: `x_${at}`, type: 'web_search_call' }));
  const { error } = await askAt(modelAt('http://canned.invalid', api), canned([Buffer.from(sse(flood))]));
  expect(error).toEqual({ class: 'outputLimit', message: 'scripted sent more than 2000 items in one message' });
});

test('what follows the end changes nothing', async () => {
  const { content, stopReason } = await hear(
    says('whole'),
    completed({ output: [message('whole')] }),
    says(' too late'),
    end(1, call('late', '{}')),
    { type: 'error', code: 'server_error', message: 'too late' },
  );
  expect(stopReason).toBe('stop');
  expect(content).toMatchObject([{ text: 'whole' }]);
});
