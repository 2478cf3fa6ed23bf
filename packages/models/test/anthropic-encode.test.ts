/** The bytes that go to Anthropic. */
import { type Message, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { alias } from '../src/alias.ts';
import { call, png, result, said, text, thought } from './conversation.ts';
import { createStream } from './flat.ts';
import { ask, bodyOf, modelAt } from './wire.ts';

const api = 'anthropic-messages';
const self = { api, provider: 'scripted' };
const foreign = { api: 'openai-completions', provider: 'openai' };
const tool = {
  name: 'read',
  description: 'Reads',
  parameters: { type: 'object' as const, properties: { path: { type: 'string' as const } } },
};

async function sent(messages: readonly Message[]): Promise<unknown[]> {
  const body: { messages: unknown[] } = JSON.parse(await bodyOf(modelAt('http://x.invalid', api), { messages }));
  return body.messages;
}

test('a whole conversation is exactly these bytes', async () => {
  const messages: Message[] = [
    userMessage('look', 1),
    said(self, thought('hm', 'sig'), text('I will'), call('t1', 'read', { path: 'a' }), call('t2', 'read')),
    result('t1', [text('one'), png]),
    result('t2', [text('no such file')], true),
    { role: 'user', content: [text('and this?'), png], timestamp: 4 },
  ];
  const { request } = await ask(api, { blocks: [] }, { messages, tools: [tool], system: 'Be brief.', key: 'k-1' });
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
  const cache_control = { type: 'ephemeral' };
  expect(request.raw).toBe(
    JSON.stringify({
      model: 'model-1',
      max_tokens: 16384,
      stream: true,
      cache_control,
      tools: [{ name: 'read', description: 'Reads', input_schema: tool.parameters, cache_control }],
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'text', text: 'I will' },
            { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 't2', name: 'read', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'one' }, image] },
            {
              type: 'tool_result',
              tool_use_id: 't2',
              content: [{ type: 'text', text: 'no such file' }],
              is_error: true,
            },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'and this?' }, image] },
      ],
    }),
  );
});

test('the request has the vendor path and headers, and those of the model', async () => {
  const { request } = await ask(api, { blocks: [] }, { key: 'k-1', model: { headers: { 'x-team': 'blue' } } });
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/messages',
    headers: {
      'x-api-key': 'k-1',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(request.raw)),
      'x-team': 'blue',
    },
  });
});

test('without a key there is no key header, and without system or tools there are no such fields', async () => {
  const { request } = await ask(api, { blocks: [] });
  expect(request.headers).not.toHaveProperty('x-api-key');
  expect(request.headers).not.toHaveProperty('authorization');
  expect(Object.keys(JSON.parse(request.raw))).toEqual(['model', 'max_tokens', 'stream', 'cache_control', 'messages']);
});

test.each(['', '/', '/v1', '/v1/', '//'])(
  'a base address that ends in "%s" leads to the same place',
  async (ending) => {
    const urls: string[] = [];
    const stream = createStream({
      key: undefined,
      transport: async ({ url }) => {
        urls.push(url);
        throw new Error('seen enough');
      },
    });
    const model = modelAt(`https://x.invalid/proxy${ending}`, api);
    for await (const _ of stream({ model, system: '', messages: [], tools: [] }, new AbortController().signal));
    expect(urls).toEqual(['https://x.invalid/proxy/v1/messages']);
  },
);

test('the limit of the model is the limit of the request', async () => {
  const body = await bodyOf(modelAt('http://x.invalid', api, { maxTokens: 123 }), {});
  expect(JSON.parse(body)).toMatchObject({ max_tokens: 123 });
});

test('thinking goes back unchanged to who signed it: redacted as redacted, unsigned not at all', async () => {
  const redacted = { ...thought('', 'c2VjcmV0'), redacted: true };
  const [, message] = await sent([
    userMessage('x', 1),
    said(self, redacted, thought(' spaced \n', 'sig'), thought('cut off'), text('y')),
  ]);
  expect(message).toEqual({
    role: 'assistant',
    content: [
      { type: 'redacted_thinking', data: 'c2VjcmV0' },
      { type: 'thinking', thinking: ' spaced \n', signature: 'sig' },
      { type: 'text', text: 'y' },
    ],
  });
});

test.each([
  ['another provider with another protocol', foreign],
  ['another provider with the same protocol', { api, provider: 'someone else' }],
  ['the same provider with another protocol', { api: 'openai-completions', provider: 'scripted' }],
])('thinking of %s is dropped, and its ids are mapped on call and result alike', async (_, from) => {
  const id = alias('call|a/1:é');
  expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  const wire = await sent([
    userMessage('x', 1),
    said(from, thought('mine', 'reasoning_content'), text('y'), call('call|a/1:é', 'read')),
    result('call|a/1:é', [text('z')]),
  ]);
  expect(wire.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'y' },
        { type: 'tool_use', id, name: 'read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: 'z' }] }],
    },
  ]);
});

test('results of two turns are not merged into one message', async () => {
  const wire = await sent([
    userMessage('x', 1),
    said(self, call('a', 'read')),
    result('a', [text('1')]),
    said(self, call('b', 'read')),
    result('b', [text('2')]),
  ]);
  expect(wire).toHaveLength(5);
});

test('a message that says nothing is not sent', async () => {
  const wire = await sent([
    userMessage('x', 1),
    said(self),
    said(self, text(' \n')),
    said(foreign, thought('hm', 's')),
  ]);
  expect(wire).toEqual([{ role: 'user', content: 'x' }]);
});

test('a message of nothing but thinking, as an abort leaves it, is not sent: the vendor refuses it', async () => {
  const wire = await sent([userMessage('x', 1), said(self, thought('hm', 'sig')), userMessage('go on', 3)]);
  expect(JSON.stringify(wire)).not.toContain('"thinking"');
});

test('there is no empty text block, which the vendor refuses', async () => {
  const wire = await sent([
    { role: 'user', content: [text(''), png], timestamp: 1 },
    said(self, text(''), call('a', 'read')),
    result('a', [text('')]),
  ]);
  expect(JSON.stringify(wire)).not.toContain('"text":""');
});

test('a message of the user that is blank is left out, which the vendor would refuse', async () => {
  const wire = await sent([userMessage('x', 1), userMessage(' \n', 2), { role: 'user', content: [], timestamp: 3 }]);
  expect(wire).toEqual([{ role: 'user', content: 'x' }]);
});

test('a result whose call is not there is told in words, so that it is no orphan', async () => {
  const wire = await sent([
    userMessage('x', 1),
    said(self, call('a', 'read')),
    result('a', [text('1')]),
    result('b', [text('2')]),
    result('c', [text('3')], true),
  ]);
  expect(wire.slice(2)).toEqual([
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '1' }] }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'The tool any answered:\n2' },
        { type: 'text', text: 'The tool any failed:\n3' },
      ],
    },
  ]);
});

test('results come before whatever the user said while the tools ran', async () => {
  const wire = await sent([
    userMessage('x', 1),
    said(self, call('a', 'read'), call('b', 'read')),
    result('a', [text('1')]),
    result('b', [text('2')]),
    userMessage('stop', 5),
  ]);
  expect(JSON.stringify(wire.slice(2))).toMatch(/tool_result.*tool_result.*stop/);
});

test('names that the vendor refuses are sent as others, everywhere the same, and calls come back under their own', async () => {
  const name = 'mcp.files/read all';
  const wireName = alias(name);
  expect(wireName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  const { request, message } = await ask(
    api,
    { blocks: [{ call: wireName, input: { path: 'a' } }] },
    {
      tools: [{ ...tool, name }],
      messages: [userMessage('x', 1), said(self, call('a', name)), result('a', [text('1')])],
    },
  );
  expect(JSON.parse(request.raw)).toMatchObject({
    tools: [{ name: wireName }],
    messages: [{}, { content: [{ type: 'tool_use', name: wireName }] }, {}],
  });
  expect(message.content).toMatchObject([{ type: 'toolCall', name, arguments: { path: 'a' } }]);
});
