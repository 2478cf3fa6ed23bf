/** What only Anthropic's stream can say. */
import { expect, test } from 'vitest';
import { ask, askAt, canned, modelAt, saying, sse } from './wire.ts';

const api = 'anthropic-messages';
const textBlock = (text: string, index = 0) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
];
const stopping = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
];

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['a reason of next year', 'stop'],
])('the stop reason %s is %s', async (reason, expected) => {
  const { message } = await ask(api, saying(...textBlock('x'), ...stopping(reason)));
  expect(message.stopReason).toBe(expected);
});

test('a refusal is an error of its own class, not an answer', async () => {
  const { error } = await ask(api, saying(...textBlock('I'), ...stopping('refusal')));
  expect(error?.class).toBe('refused');
});

test('a refusal tells its reason when there is one', async () => {
  const delta = { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'It could\n harm.' } };
  const { error } = await ask(
    api,
    saying(...textBlock('I'), { type: 'message_delta', delta }, { type: 'message_stop' }),
  );
  expect(error).toMatchObject({
    class: 'refused',
    message: 'scripted refused to answer: It could harm. Say it in other words, or choose another model',
  });
});

test('a stream that closes after its stop reason is complete without the closing word', async () => {
  const { message, error } = await ask(api, saying(...textBlock('all said'), stopping('end_turn')[0]));
  expect(error).toBeUndefined();
  expect(message.content).toEqual([{ type: 'text', text: 'all said' }]);
});

test('a stream that closes without a stop reason was cut', async () => {
  const { error } = await ask(api, saying(...textBlock('half')));
  expect(error?.class).toBe('network');
});

test('an error in the middle of a call is the last word, also when the call still ends', async () => {
  const { error, message } = await ask(
    api,
    saying(
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'read', input: {} } },
      { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
      { type: 'content_block_stop', index: 0 },
      ...stopping('tool_use'),
    ),
  );
  expect(error?.class).toBe('overloaded');
  expect(message.content).toEqual([]);
});

test('an input that comes whole with its call counts, unless pieces follow', async () => {
  const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'read', input });
  const { message } = await ask(
    api,
    saying(
      { type: 'content_block_start', index: 0, content_block: use('a', { path: 'whole' }) },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: use('b', { path: 'whole' }) },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"path":"pieces"}' } },
      { type: 'content_block_stop', index: 1 },
      ...stopping('tool_use'),
    ),
  );
  expect(message.content).toMatchObject([
    { id: 'a', arguments: { path: 'whole' } },
    { id: 'b', arguments: { path: 'pieces' } },
  ]);
});

test('thinking that is there when its block begins is not lost', async () => {
  const { message } = await ask(
    api,
    saying(
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: 'hm', signature: 'sig' } },
      { type: 'content_block_stop', index: 0 },
      ...textBlock('x', 1),
      ...stopping('end_turn'),
    ),
  );
  expect(message.content[0]).toEqual({ type: 'thinking', thinking: 'hm', thinkingSignature: 'sig' });
});

test('the words of a block that is not known are not taken for the model’s', async () => {
  const { message } = await ask(
    api,
    saying(
      { type: 'content_block_start', index: 0, content_block: { type: 'web_search_tool_result', content: [] } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'from a page' } },
      { type: 'content_block_stop', index: 0 },
      ...textBlock('mine', 1),
      ...stopping('end_turn'),
    ),
  );
  expect(message.content).toEqual([{ type: 'text', text: 'mine' }]);
});

test('redacted thinking has no text, and what the provider wants back is its signature', async () => {
  const { message, events } = await ask(
    api,
    saying(
      { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: 'c2VjcmV0' } },
      { type: 'content_block_stop', index: 0 },
      ...textBlock('done', 1),
      ...stopping('end_turn'),
    ),
  );
  expect(message.content).toEqual([
    { type: 'thinking', thinking: '', thinkingSignature: 'c2VjcmV0', redacted: true },
    { type: 'text', text: 'done' },
  ]);
  expect(events.filter(({ type }) => type === 'thinking')).toEqual([]);
});

test('cache writes are counted, and the last word on usage wins', async () => {
  const { message } = await ask(
    api,
    saying(
      {
        type: 'message_start',
        message: {
          id: 'm',
          model: 'model-1-2026',
          usage: { input_tokens: 9, output_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 30 },
        },
      },
      ...textBlock('x'),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 11, output_tokens: 8 } },
      { type: 'message_stop' },
    ),
  );
  expect(message.usage).toMatchObject({ input: 11, output: 8, cacheRead: 30, cacheWrite: 20, totalTokens: 69 });
  expect(message).toMatchObject({ responseId: 'm', responseModel: 'model-1-2026' });
});

test('counts that are null leave what was known', async () => {
  const nothing = { input_tokens: null, cache_creation_input_tokens: null, cache_read_input_tokens: null };
  const { message } = await ask(
    api,
    saying(
      { type: 'message_start', message: { usage: { input_tokens: 9, output_tokens: 1 } } },
      ...textBlock('x'),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { ...nothing, output_tokens: 4 } },
      { type: 'message_stop' },
    ),
  );
  expect(message.usage).toMatchObject({ input: 9, output: 4, cacheRead: 0, cacheWrite: 0, totalTokens: 13 });
});

test('blocks keep the order of their first appearance, whatever their numbers', async () => {
  const { message } = await ask(api, saying(...textBlock('a', 4), ...textBlock('b', 2), ...stopping('end_turn')));
  expect(message.content).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]);
});

test('unknown events, unknown blocks, unknown deltas and comments are passed over', async () => {
  const { message } = await ask(api, {
    status: 200,
    body: `: keepalive\n\nretry: 10\n\n${sse([
      { type: 'ping' },
      { type: 'event_of_next_year', index: 0 },
      { type: 'content_block_start', index: 5, content_block: { type: 'server_tool_use', id: 's', name: 'web' } },
      { type: 'content_block_delta', index: 5, delta: { type: 'input_json_delta', partial_json: '{' } },
      { type: 'content_block_stop', index: 5 },
      ...textBlock('x', 6),
      { type: 'content_block_delta', index: 6, delta: { type: 'citations_delta', citation: {} } },
      ...stopping('end_turn'),
    ])}`,
  });
  expect(message.content).toEqual([{ type: 'text', text: 'x' }]);
});

test('what follows the end changes nothing, in whatever pieces it comes', async () => {
  const text = sse([
    ...textBlock('whole'),
    ...stopping('end_turn'),
    ...textBlock('too late', 3),
    { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 999 } },
    { type: 'error', error: { type: 'overloaded_error', message: 'too late' } },
  ]);
  const model = modelAt('http://canned.invalid', api);
  const bytes = Buffer.from(text);
  const one = await askAt(model, canned([bytes]));
  const many = await askAt(model, canned(Array.from(bytes, (byte) => Uint8Array.of(byte))));
  expect(many.message).toMatchObject({ content: [{ type: 'text', text: 'whole' }], stopReason: 'stop' });
  expect(many.message.usage.output).toBe(3);
  expect(one).toEqual(many);
});
