/** The bytes that go to whoever speaks Chat Completions. */
import { type Message, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { alias } from '../src/alias.ts';
import { call, png, result, said, text, thought } from './conversation.ts';
import { ask, askAt, bodyOf, canned, modelAt, sse } from './wire.ts';

const api = 'openai-completions';
const self = { api, provider: 'scripted' };
const tool = { name: 'read', description: 'Reads', parameters: { type: 'object' as const } };

async function sent(messages: readonly Message[]): Promise<unknown[]> {
  const body: { messages: unknown[] } = JSON.parse(await bodyOf(modelAt('http://x.invalid', api), { messages }));
  return body.messages;
}

test('a whole conversation is exactly these bytes, with the images after the results they came in', async () => {
  const messages: Message[] = [
    userMessage('look', 1),
    said(
      self,
      thought('h', 'reasoning'),
      thought('m', 'reasoning'),
      text('I '),
      text('will'),
      call('t1', 'read', { a: 1 }),
    ),
    result('t1', [text('one'), png]),
    said(self, call('t2', 'read'), call('t3', 'read')),
    result('t2', [png], true),
    result('t3', [text('three')]),
    { role: 'user', content: [text('and this?'), png], timestamp: 4 },
  ];
  const { request } = await ask(api, { blocks: [] }, { messages, tools: [tool], system: 'Be brief.' });
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
  const wireCall = (id: string, args: string) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: args },
  });
  expect(request.raw).toBe(
    JSON.stringify({
      model: 'model-1',
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: tool }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'look' },
        { role: 'assistant', content: 'I will', reasoning: 'hm', tool_calls: [wireCall('t1', '{"a":1}')] },
        { role: 'tool', tool_call_id: 't1', content: 'one' },
        { role: 'user', content: [image] },
        { role: 'assistant', content: null, tool_calls: [wireCall('t2', '{}'), wireCall('t3', '{}')] },
        { role: 'tool', tool_call_id: 't2', content: '(no text)' },
        { role: 'tool', tool_call_id: 't3', content: 'three' },
        { role: 'user', content: [image] },
        { role: 'user', content: [{ type: 'text', text: 'and this?' }, image] },
      ],
    }),
  );
});

test('the request has the vendor path and headers, and those of the model', async () => {
  const { request } = await ask(api, { blocks: [] }, { key: 'k-1', model: { headers: { 'x-team': 'blue' } } });
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: {
      authorization: 'Bearer k-1',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(request.raw)),
      'x-team': 'blue',
    },
  });
});

test('without a key there is no authorization, and without system or tools there are no such fields', async () => {
  const { request } = await ask(api, { blocks: [] });
  expect(request.headers).not.toHaveProperty('authorization');
  expect(Object.keys(JSON.parse(request.raw))).toEqual(['model', 'stream', 'stream_options', 'messages']);
  expect(JSON.parse(request.raw).messages).toEqual([{ role: 'user', content: 'hi' }]);
});

test.each([
  ['openai', 'max_completion_tokens'],
  ['scripted', 'max_tokens'],
])('%s is told the limit as %s', async (provider, name) => {
  const body: unknown = JSON.parse(await bodyOf(modelAt('http://x.invalid', api, { provider, maxTokens: 9 }), {}));
  expect(body).toHaveProperty(name, 9);
});

test.each([
  ['another provider with the same protocol', { api, provider: 'someone else' }, 'reasoning_content'],
  ['another provider with another protocol', { api: 'anthropic-messages', provider: 'anthropic' }, 'sig=='],
  ['the same provider with another protocol', { api: 'anthropic-messages', provider: 'scripted' }, 'sig=='],
])('thinking of %s is dropped, and its calls and results still match', async (_, from, signature) => {
  const wire = await sent([
    userMessage('x', 1),
    said(from, thought('mine', signature), text('y'), call('toolu_1', 'read')),
    result('toolu_1', [text('z')]),
  ]);
  expect(wire.slice(1)).toEqual([
    {
      role: 'assistant',
      content: 'y',
      tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'toolu_1', content: 'z' },
  ]);
});

test('a message that says nothing, or only thinks, is not sent', async () => {
  const wire = await sent([userMessage('x', 1), said(self), said(self, thought('hm', 'reasoning'))]);
  expect(wire).toEqual([{ role: 'user', content: 'x' }]);
});

test('a message of the user that says nothing is not sent, and text alone is not sent in parts', async () => {
  const wire = await sent([
    userMessage('', 1),
    { role: 'user', content: [], timestamp: 2 },
    { role: 'user', content: [text(''), text('x')], timestamp: 3 },
  ]);
  expect(wire).toEqual([{ role: 'user', content: 'x' }]);
});

test('a result whose call is not there is told in words, so that it is no orphan', async () => {
  const wire = await sent([said(self, call('a', 'read')), result('a', [text('1')]), result('b', [text('2')])]);
  expect(wire.slice(1)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: '1' },
    { role: 'user', content: 'The tool any answered:\n2' },
  ]);
});

test('names that the vendor refuses are sent as others, everywhere the same, and calls come back under their own', async () => {
  const name = 'mcp.files/read all';
  const wireName = alias(name);
  const { request, message } = await ask(
    api,
    { blocks: [{ call: wireName, input: { path: 'a' } }] },
    {
      tools: [{ ...tool, name }],
      messages: [userMessage('x', 1), said(self, call('a', name)), result('a', [text('1')])],
    },
  );
  expect(JSON.parse(request.raw)).toMatchObject({
    tools: [{ function: { name: wireName } }],
    messages: [{}, { tool_calls: [{ function: { name: wireName } }] }, {}],
  });
  expect(message.content).toMatchObject([{ type: 'toolCall', name, arguments: { path: 'a' } }]);
});

test('a signature that names no field of reasoning does not become a field of the message', async () => {
  const wire = await sent([said(self, thought('hm', 'role'), text('x'))]);
  expect(wire).toEqual([{ role: 'assistant', content: 'x' }]);
});

test('reasoning details go back whole and unchanged, but to no other model', async () => {
  const sealed = { type: 'reasoning.encrypted', data: 'c2VhbGVk', id: 'rs_1', format: 'f', index: 1 };
  const spoken = { type: 'reasoning.text', text: 'hm', signature: null, format: 'f', index: 0 };
  const chunk = (delta: object) => ({ choices: [{ delta, finish_reason: null }] });
  const model = modelAt('http://canned.invalid', api);
  const { message } = await askAt(
    model,
    canned([
      Buffer.from(
        sse([
          chunk({ reasoning: 'h', reasoning_details: [{ ...spoken, text: 'h' }] }),
          chunk({ reasoning: 'm', reasoning_details: [{ ...spoken, text: 'm' }] }),
          chunk({ reasoning_details: [{ type: 'reasoning.text', signature: 'sig', index: 0 }, sealed] }),
          chunk({ content: 'x' }),
          { choices: [{ delta: {}, finish_reason: 'stop' }] },
          '[DONE]',
        ]),
      ),
    ]),
  );
  expect(message.content).toEqual([
    { type: 'thinking', thinking: 'hm', thinkingSignature: 'reasoning' },
    { type: 'thinking', thinking: '', thinkingSignature: expect.any(String), redacted: true },
    { type: 'text', text: 'x' },
  ]);
  const again = async (id: string): Promise<unknown> =>
    JSON.parse(await bodyOf({ ...model, id }, { messages: [message] })).messages[0];
  expect(await again(model.id)).toEqual({
    role: 'assistant',
    content: 'x',
    reasoning_details: [{ ...spoken, signature: 'sig' }, sealed],
  });
  expect(await again('another')).toEqual({ role: 'assistant', content: 'x', reasoning: 'hm' });
});
