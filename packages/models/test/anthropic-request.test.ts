/** The parts of a request to Anthropic that are not its messages: keys, betas, the cache, limits and answers. */
import { type Model, type ModelRequest, userMessage } from '@tau/core';
import { expect, test } from 'vitest';
import { compatProblems } from '../src/anthropic-messages/compat.ts';
import { anthropicMessages } from '../src/anthropic-messages/protocol.ts';
import { call, png, result, said, text } from './conversation.ts';

const api = 'anthropic-messages';
const tools = ['read', 'ls'].map((name) => ({ name, description: name, parameters: {} }));

function encode(facts: Partial<Model>, request: Partial<ModelRequest> = {}, key?: string) {
  const model = { provider: 'p', id: 'm', api, baseUrl: 'http://x.invalid', ...facts };
  const wire = anthropicMessages.encode(
    { model, system: 's', messages: [userMessage('x', 1)], tools, ...request },
    key,
  );
  const body: Record<string, unknown> = JSON.parse(wire.body);
  return { body, headers: wire.headers, raw: wire.body };
}

test('an API key and a token from a login go each its own way', () => {
  expect(encode({}, {}, 'sk-ant-api03-x').headers).toMatchObject({ 'x-api-key': 'sk-ant-api03-x' });
  const login = encode({}, {}, 'sk-ant-oat01-x').headers;
  expect(login).toMatchObject({ authorization: 'Bearer sk-ant-oat01-x', 'anthropic-beta': 'oauth-2025-04-20' });
  expect(login).not.toHaveProperty('x-api-key');
});

test.each([
  ['bearer', 'authorization', 'Bearer k'],
  ['api-key', 'api-key', 'k'],
  ['X-Team-Key', 'x-team-key', 'k'],
])('with the auth header %s the key is in %s', (authHeader, name, value) => {
  const { headers } = encode({ compat: { authHeader } }, {}, 'k');
  expect(headers[name]).toBe(value);
  expect(headers).not.toHaveProperty('x-api-key');
});

test('betas of the key, of compat and of the headers are one list without doubles', () => {
  const { headers } = encode(
    { compat: { betas: ['b', 'c'] }, headers: { 'Anthropic-Beta': 'c, d,', 'x-team': 'blue' } },
    {},
    'sk-ant-oat01-x',
  );
  expect(headers['anthropic-beta']).toBe('oauth-2025-04-20,b,c,d');
  expect(headers['x-team']).toBe('blue');
  expect(headers).not.toHaveProperty('Anthropic-Beta');
});

test('the cache is marked for the whole request, on the last tool and on the system prompt, within the four that are allowed', () => {
  const { body, raw } = encode({});
  expect(body.cache_control).toEqual({ type: 'ephemeral' });
  expect(body.tools).toEqual([
    { name: 'read', description: 'read', input_schema: {} },
    { name: 'ls', description: 'ls', input_schema: {}, cache_control: { type: 'ephemeral' } },
  ]);
  expect(body.system).toEqual([{ type: 'text', text: expect.any(String), cache_control: { type: 'ephemeral' } }]);
  expect(raw.match(/"cache_control"/g)).toHaveLength(3);
});

test('a server that refuses markers gets none, and one that refuses them on tools none there', () => {
  expect(encode({ compat: { cache: false } }).raw).not.toContain('cache_control');
  const { body, raw } = encode({ compat: { supportsCacheControlOnTools: false } });
  expect(body).toHaveProperty('cache_control');
  expect(raw.match(/"cache_control"/g)).toHaveLength(2);
});

test('the conversation leads to the server that knows it, where that is wanted', () => {
  expect(encode({}, { cacheKey: 'c1' }).headers).not.toHaveProperty('x-session-affinity');
  const compat = { sendSessionAffinityHeaders: true };
  expect(encode({ compat }, { cacheKey: 'c1' }).headers).toHaveProperty('x-session-affinity', 'c1');
});

test.each([
  [undefined, undefined, 16_384],
  [undefined, 500, 500],
  [4000, undefined, 4000],
  [4000, 500, 500],
  [4000, 9000, 4000],
])('with a limit of %s, and %s asked for, the limit is %s', (limit, asked, expected) => {
  const facts = limit === undefined ? {} : { maxTokens: limit };
  expect(encode(facts, asked === undefined ? {} : { maxTokens: asked }).body.max_tokens).toBe(expected);
});

test('the schema of an answer is closed, and free of limits the vendor refuses', () => {
  const schema = {
    type: 'object' as const,
    properties: {
      minimum: { type: 'integer' as const, minimum: 1, description: 'a name, not a limit' },
      list: { type: 'array' as const, maxItems: 3, items: { properties: { a: { type: 'string' as const } } } },
      either: { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
      word: { enum: ['minimum', { maximum: 1 }] },
    },
    required: ['minimum'],
  };
  expect(encode({}, { answer: { name: 'a', schema } }).body.output_config).toEqual({
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          minimum: { type: 'integer', description: 'a name, not a limit' },
          list: {
            type: 'array',
            items: { properties: { a: { type: 'string' } }, additionalProperties: false },
          },
          either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          word: { enum: ['minimum', { maximum: 1 }] },
        },
        required: ['minimum'],
        additionalProperties: false,
      },
    },
  });
});

test('an effort and an answer share one field', () => {
  const answer = { name: 'a', schema: { type: 'object' as const } };
  const { body } = encode({ id: 'claude-opus-4-6' }, { answer, thinking: 'high' });
  expect(body.output_config).toMatchObject({ effort: 'high', format: { type: 'json_schema' } });
});

test('an image for a model that cannot see is told in words, from the user and from a tool', () => {
  const messages = [
    { role: 'user' as const, content: [text('this?'), png], timestamp: 1 },
    said({ api, provider: 'p' }, call('a', 'read')),
    result('a', [png]),
  ];
  const { body, raw } = encode({ images: false }, { messages });
  const words = { type: 'text', text: '[an image, image/png, which this model cannot see]' };
  expect(body.messages).toMatchObject([
    { content: [{ text: 'this?' }, words] },
    {},
    { content: [{ type: 'tool_result', content: [words] }] },
  ]);
  expect(raw).not.toContain('aGk=');
  expect(encode({}, { messages }).raw).toContain('aGk=');
});

test('a model without tools gets none, and hears of earlier calls in words', () => {
  const messages = [
    userMessage('x', 1),
    said({ api, provider: 'p' }, text('look'), call('a', 'read', { path: 'f' })),
    result('a', [text('one')]),
  ];
  const { body } = encode({ tools: false }, { messages, toolChoice: 'required' });
  expect(body).not.toHaveProperty('tools');
  expect(body).not.toHaveProperty('tool_choice');
  expect(body.messages).toEqual([
    { role: 'user', content: 'x' },
    { role: 'assistant', content: [{ type: 'text', text: 'look\n\nI called the tool read with {"path":"f"}.' }] },
    { role: 'user', content: [{ type: 'text', text: 'The tool any answered:\none' }] },
  ]);
});

test('problems of compat are named, one sentence each', () => {
  expect(compatProblems(undefined)).toEqual([]);
  expect(compatProblems({ thinking: 'budget', betas: [], cache: false })).toEqual([]);
  expect(compatProblems({ thinking: 'much', betas: 'b', cash: true })).toEqual([
    'compat.thinking is not one of adaptive, budget',
    'compat.betas is not a list of texts',
    'compat.cash is not known',
  ]);
});
