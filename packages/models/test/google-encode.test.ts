/** The bytes that go to Gemini. */
import { type JsonSchema, type Message, type Model, userMessage } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { call, png, result, said, text, thought } from './conversation.ts';
import { createStream } from './flat.ts';
import { ask, askAt, bodyOf, modelAt, type Question, startModel } from './wire.ts';

const api = 'google-generative-ai';
const self = { api, provider: 'scripted' };
const skip = 'skip_thought_signature_validator';
const image = { inlineData: { mimeType: 'image/png', data: 'aGk=' } };
const tool = {
  name: 'read',
  description: 'Reads',
  parameters: { type: 'object' as const, properties: { path: { type: 'string' as const } } },
};

interface Body {
  systemInstruction?: unknown;
  tools?: { functionDeclarations: Record<string, unknown>[] }[];
  toolConfig?: unknown;
  generationConfig?: Record<string, unknown>;
  contents: { role: string; parts: Record<string, unknown>[] }[];
}

async function bodyFor(question: Question, extra: Partial<Model> = {}): Promise<Body> {
  return JSON.parse(await bodyOf(modelAt('http://x.invalid', api, extra), question));
}

async function sent(messages: readonly Message[], extra: Partial<Model> = {}) {
  return (await bodyFor({ messages }, extra)).contents;
}

async function addressOf(extra: Partial<Model>): Promise<string> {
  let seen = '';
  const stream = createStream({
    key: 'k-1',
    transport: async ({ url }) => {
      seen = url;
      throw new Error('seen enough');
    },
  });
  const model = modelAt('https://x.invalid/proxy', api, extra);
  for await (const _ of stream({ model, system: '', messages: [], tools: [] }, new AbortController().signal));
  return seen;
}

test('a whole conversation is exactly these bytes', async () => {
  const messages: Message[] = [
    userMessage('look', 1),
    said(
      self,
      thought('hm', 'sig1'),
      text('I will'),
      { ...call('t1', 'read', { path: 'a' }), thoughtSignature: 'sig2' },
      call('t2', 'read'),
    ),
    result('t1', [text('one'), png]),
    result('t2', [text('no such file')], true),
    { role: 'user', content: [text('and this?'), png], timestamp: 4 },
  ];
  const { request } = await ask(api, { blocks: [] }, { messages, tools: [tool], system: 'Be brief.', key: 'k-1' });
  expect(request.raw).toBe(
    JSON.stringify({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [
        {
          functionDeclarations: [{ name: 'read', description: 'Reads', parametersJsonSchema: tool.parameters }],
        },
      ],
      contents: [
        { role: 'user', parts: [{ text: 'look' }] },
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true, thoughtSignature: 'sig1' },
            { text: 'I will' },
            { functionCall: { id: 't1', name: 'read', args: { path: 'a' } }, thoughtSignature: 'sig2' },
            { functionCall: { id: 't2', name: 'read', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 't1', name: 'read', response: { output: 'one' } } },
            { functionResponse: { id: 't2', name: 'read', response: { error: 'no such file' } } },
          ],
        },
        { role: 'user', parts: [{ text: 'From the tool any:' }, image] },
        { role: 'user', parts: [{ text: 'and this?' }, image] },
      ],
    }),
  );
});

test('the request has the vendor path and headers, those of the model go over all, and the key is not in the path', async () => {
  const headers = { 'x-team': 'blue', accept: 'all of it' };
  const { request } = await ask(api, { blocks: [] }, { key: 'k-1', model: { headers } });
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1beta/models/model-1:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': 'k-1', 'content-type': 'application/json', ...headers },
  });
  expect(request.headers).not.toHaveProperty('authorization');
});

test('without a key there is no key header, and what is not asked for is no field', async () => {
  const { request } = await ask(api, { blocks: [] });
  expect(request.headers).not.toHaveProperty('x-goog-api-key');
  expect(Object.keys(JSON.parse(request.raw))).toEqual(['contents']);
});

test.each([
  ['gemini-3-pro', 'models/gemini-3-pro'],
  ['models/gemini-3-pro', 'models/gemini-3-pro'],
  ['tunedModels/mine', 'tunedModels/mine'],
  ['a/b?c#d:e', 'models/a%2Fb%3Fc%23d%3Ae'],
])('the model %s is at %s', async (id, resource) => {
  expect(await addressOf({ id })).toBe(`https://x.invalid/proxy/v1beta/${resource}:streamGenerateContent?alt=sse`);
});

test('a base address may end in a slash', async () => {
  const address = await addressOf({ id: 'm', baseUrl: 'https://x.invalid/v1beta/' });
  expect(address).toBe('https://x.invalid/v1beta/models/m:streamGenerateContent?alt=sse');
});

test('the body is in cache order, with the conversation last', async () => {
  const body = await bodyFor(
    { system: 's', tools: [tool], toolChoice: 'auto', thinking: 'low', maxTokens: 9 },
    { id: 'gemini-3-flash' },
  );
  expect(Object.keys(body)).toEqual(['systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'contents']);
});

describe('limits and choices', () => {
  test('the smaller of the two limits is the limit of the request', async () => {
    const limit = async (question: Question, extra: Partial<Model>) =>
      (await bodyFor(question, extra)).generationConfig?.maxOutputTokens;
    expect(await limit({}, { maxTokens: 123 })).toBe(123);
    expect(await limit({ maxTokens: 50 }, { maxTokens: 123 })).toBe(50);
    expect(await limit({ maxTokens: 500 }, { maxTokens: 123 })).toBe(123);
    expect(await limit({ maxTokens: 50 }, {})).toBe(50);
  });

  test.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    ['required', { mode: 'ANY' }],
    [{ tool: 'read' }, { mode: 'ANY', allowedFunctionNames: ['read'] }],
    [{ tool: 'mcp/read' }, { mode: 'ANY', allowedFunctionNames: [expect.stringMatching(/^mcp_read_\w+$/)] }],
  ] as const)('the choice of tools %j goes as %j', async (toolChoice, functionCallingConfig) => {
    const { toolConfig } = await bodyFor({ tools: [tool], toolChoice });
    expect(toolConfig).toEqual({ functionCallingConfig });
  });

  test('without tools there is no choice among them', async () => {
    expect(await bodyFor({ toolChoice: 'none' })).not.toHaveProperty('toolConfig');
  });
});

describe('an answer that must fit a schema', () => {
  const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const answer = { name: 'count', schema };
  const bound = { responseMimeType: 'application/json', responseJsonSchema: schema };

  test('is bound to it by the API', async () => {
    for (const id of ['gemini-2.5-flash', 'gemini-3-flash']) {
      expect((await bodyFor({ answer }, { id })).generationConfig).toEqual(bound);
    }
    expect((await bodyFor({ answer, tools: [tool] }, { id: 'gemini-3-flash' })).generationConfig).toEqual(bound);
  });

  test('is asked for in words where the API takes no schema beside tools', async () => {
    const body = await bodyFor({ answer, tools: [tool], system: 's' }, { id: 'gemini-2.5-flash' });
    expect(body).not.toHaveProperty('generationConfig');
    expect(body.systemInstruction).toEqual({
      parts: [{ text: 's' }, { text: expect.stringContaining(JSON.stringify(schema)) }],
    });
  });
});

describe('thinking', () => {
  const config = async (thinking: Question['thinking'], extra: Partial<Model>) =>
    (await bodyFor({ ...(thinking && { thinking }) }, extra)).generationConfig?.thinkingConfig;

  test.each([
    ['gemini-2.5-flash', 'off', { thinkingBudget: 0 }],
    ['gemini-2.5-flash', 'minimal', { thinkingBudget: 512, includeThoughts: true }],
    ['gemini-2.5-flash', 'low', { thinkingBudget: 2048, includeThoughts: true }],
    ['gemini-2.5-flash', 'medium', { thinkingBudget: 8192, includeThoughts: true }],
    ['gemini-2.5-flash', 'high', { thinkingBudget: 16384, includeThoughts: true }],
    ['gemini-2.5-flash-lite', 'max', { thinkingBudget: 24576, includeThoughts: true }],
    ['models/gemini-2.5-pro', 'off', { thinkingBudget: 128 }],
    ['gemini-2.5-pro', 'minimal', { thinkingBudget: 128, includeThoughts: true }],
    ['gemini-2.5-pro', 'max', { thinkingBudget: 32768, includeThoughts: true }],
    ['gemini-3-flash-preview', 'off', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3-flash-preview', 'minimal', { thinkingLevel: 'MINIMAL', includeThoughts: true }],
    ['gemini-3.5-flash', 'low', { thinkingLevel: 'LOW', includeThoughts: true }],
    ['gemini-3.5-flash', 'medium', { thinkingLevel: 'MEDIUM', includeThoughts: true }],
    ['gemini-flash-latest', 'max', { thinkingLevel: 'HIGH', includeThoughts: true }],
    ['gemini-3-pro-preview', 'off', { thinkingLevel: 'LOW' }],
    ['gemini-3-pro-preview', 'medium', { thinkingLevel: 'HIGH', includeThoughts: true }],
    ['gemini-3.1-pro-preview', 'minimal', { thinkingLevel: 'LOW', includeThoughts: true }],
    ['gemini-3.1-pro-preview', 'medium', { thinkingLevel: 'MEDIUM', includeThoughts: true }],
    ['gemma-4-31b-it', 'low', { thinkingLevel: 'HIGH', includeThoughts: true }],
  ] as const)('%s takes %s as %j', async (id, level, expected) => {
    expect(await config(level, { id })).toEqual(expected);
  });

  test('is not spoken of to a model that does not think, nor when nobody asked', async () => {
    expect(await config('high', { id: 'gemini-3-flash', reasoning: false })).toBeUndefined();
    expect(await config('off', { id: 'gemini-2.0-flash' })).toBeUndefined();
    expect(await config('high', { id: 'gemma-3-27b-it' })).toBeUndefined();
    expect(await config(undefined, { id: 'gemini-3-flash' })).toBeUndefined();
  });

  test('goes by what is known of the model before what its name says', async () => {
    expect(await config('low', { id: 'mine', compat: { thinking: 'budget' } })).toHaveProperty('thinkingBudget');
    expect(await config('low', { id: 'gemini-2.5-pro', compat: { thinking: 'level' } })).toHaveProperty(
      'thinkingLevel',
    );
    expect(await config('low', { id: 'gemini-2.0-odd', reasoning: true })).toHaveProperty('thinkingBudget');
    expect(await config('off', { id: 'gemini-9', thinkingLevels: ['medium', 'high'] })).toEqual({
      thinkingLevel: 'MEDIUM',
    });
    expect(await config('off', { id: 'gemini-2.5-flash', thinkingLevels: ['low', 'high'] })).toEqual({
      thinkingBudget: 512,
    });
  });
});

describe('tools', () => {
  const declared = async (...tools: { name: string; parameters: JsonSchema }[]) => {
    const body = await bodyFor({ tools: tools.map((one) => ({ description: 'd', ...one })) });
    return body.tools?.[0]?.functionDeclarations ?? [];
  };
  const schemaOf = async (parameters: JsonSchema) =>
    (await declared({ name: 'x', parameters }))[0]?.parametersJsonSchema;

  test('have names the vendor takes, each its own', async () => {
    const names = ['read', 'mcp/fs.read', 'mcp fs.read', '7zip', '-x', 'é', 'l'.repeat(80)];
    const wire = (await declared(...names.map((name) => ({ name, parameters: {} })))).map(({ name }) => name);
    for (const name of wire) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/);
    expect(new Set(wire).size).toBe(names.length);
    expect(wire[0]).toBe('read');
  });

  test.each([
    [{}],
    [{ type: 'object' }],
    [{ type: 'object', properties: {}, required: [], additionalProperties: false, $schema: 'x' }],
  ] as JsonSchema[][])('without parameters have no schema: %j', async (parameters = {}) => {
    expect(await declared({ name: 'x', parameters })).toEqual([{ name: 'x', description: 'd' }]);
  });

  test('keep their schema as it is, keywords and all', async () => {
    const parameters: JsonSchema = {
      type: 'object',
      properties: {
        to: { type: ['string', 'null'], pattern: '^a', minLength: 1, default: { $ref: '#/no' } },
        kind: { const: 'x' },
        $ref: { type: 'string' },
      },
      oneOf: [{ required: ['to'] }, { required: ['kind'] }],
      additionalProperties: false,
    };
    expect(await schemaOf(parameters)).toEqual(parameters);
  });

  test('refer to nothing: what a reference means stands in its place, with the words beside it', async () => {
    const schema = await schemaOf({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        from: { $ref: '#/$defs/point', description: 'where' },
        path: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'null' }] } },
        old: { $ref: '#/definitions/a~1b' },
        again: { $ref: '#/properties/old' },
        lost: { $ref: 'https://elsewhere.invalid/x', title: 'kept' },
      },
      $defs: {
        point: { type: 'object', description: 'a point', properties: { x: { $ref: '#/$defs/number' } } },
        number: { type: 'number' },
      },
      definitions: { 'a/b': { enum: ['a', 'b'] } },
    });
    const point = { type: 'object', description: 'a point', properties: { x: { type: 'number' } } };
    expect(schema).toEqual({
      type: 'object',
      properties: {
        from: { ...point, description: 'where' },
        path: { type: 'array', items: { anyOf: [point, { type: 'null' }] } },
        old: { enum: ['a', 'b'] },
        again: { enum: ['a', 'b'] },
        lost: { title: 'kept' },
      },
    });
  });

  test('that refer to themselves are cut where the circle closes', async () => {
    const node: JsonSchema = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    expect(await schemaOf({ properties: { first: { $ref: '#/$defs/node' } }, $defs: { node } })).toEqual({
      type: 'object',
      properties: { first: { type: 'object', properties: { next: { type: 'object' } } } },
    });
    expect(await schemaOf({ properties: { all: { type: 'array', items: { $ref: '#' } } } })).toEqual({
      type: 'object',
      properties: { all: { type: 'array', items: { type: 'object' } } },
    });
  });

  test('whose references double at every step stay of bounded size', async () => {
    const defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const $ref = `#/$defs/d${at + 1}`;
        return [`d${at}`, { type: 'object' as const, properties: { a: { $ref }, b: { $ref } } }];
      }),
    );
    const schema = await schemaOf({ properties: { x: { $ref: '#/$defs/d0' } }, $defs: { ...defs, d40: {} } });
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(JSON.stringify(schema).length).toBeLessThan(1_000_000);
  });
});

describe('signatures', () => {
  test('go back on the part they came with, to who signed them', async () => {
    const signed = { ...text('so'), textSignature: 'st' };
    const last = { ...text(''), textSignature: 'se' };
    const redacted = { ...thought('', 'sr'), redacted: true };
    const [, content] = await sent([
      userMessage('x', 1),
      said(self, redacted, thought(' spaced \n', 'sp'), thought('cut off'), signed, text(''), last),
    ]);
    expect(content?.parts).toEqual([
      { text: '', thought: true, thoughtSignature: 'sr' },
      { text: ' spaced \n', thought: true, thoughtSignature: 'sp' },
      { text: 'so', thoughtSignature: 'st' },
      { text: '', thoughtSignature: 'se' },
    ]);
  });

  test.each([
    ['another provider with the same protocol', { api, provider: 'elsewhere' }],
    ['the same provider with another protocol', { api: 'openai-completions', provider: 'scripted' }],
  ])('of %s stay behind, with the thinking they sign', async (_, from) => {
    const foreign = { ...call('t1', 'read'), thoughtSignature: 'sc' };
    const contents = await sent([
      userMessage('x', 1),
      said(from, thought('hm', 'st'), { ...text('y'), textSignature: 'sx' }, foreign, call('t2', 'read')),
      result('t1', [text('1')]),
      result('t2', [text('2')]),
    ]);
    expect(contents[1]?.parts).toEqual([
      { text: 'y' },
      { functionCall: { name: 'read', args: {} }, thoughtSignature: skip },
      { functionCall: { name: 'read', args: {} } },
    ]);
    expect(contents[2]?.parts.map(({ functionResponse }) => functionResponse)).toEqual([
      { name: 'read', response: { output: '1' } },
      { name: 'read', response: { output: '2' } },
    ]);
  });

  test('are made up for a first call without one, as documented, and only for models that ask for it', async () => {
    const messages = [userMessage('x', 1), said(self, call('a', 'read')), result('a', [text('1')])];
    const signatureFor = async (id: string) => (await sent(messages, { id }))[1]?.parts[0]?.thoughtSignature;
    expect(await signatureFor('gemini-3-flash')).toBe(skip);
    expect(await signatureFor('gemini-2.5-flash')).toBeUndefined();
    expect(await signatureFor('gemini-2.0-flash')).toBeUndefined();
  });

  test('of two turns over the wire all go back, with the ids the API gave', async () => {
    const step = (name: string) => ({
      blocks: [
        { thinking: `about ${name}` },
        { thinking: '', redacted: true },
        { text: name },
        { call: name, input: { of: name } },
        { call: name, input: {} },
      ],
    });
    const server = await startModel(step('one'), step('two'), { blocks: [{ text: 'done' }] });
    const messages: Message[] = [userMessage('begin', 1)];
    for (let turn = 0; turn < 3; turn += 1) {
      const { message } = await askAt(modelAt(server.url, api), httpTransport(), { messages });
      messages.push(message);
      for (const block of message.content) if (block.type === 'toolCall') messages.push(result(block.id, [text('ok')]));
    }
    const turn = (number: number, name: string) => [
      {
        role: 'model',
        parts: [
          { text: `about ${name}`, thought: true, thoughtSignature: `sig_scripted_${number}_0` },
          { text: '', thought: true, thoughtSignature: `sig_scripted_${number}_1` },
          { text: name },
          {
            functionCall: { id: `call_scripted_${number}_3`, name, args: { of: name } },
            thoughtSignature: `sig_scripted_${number}_3`,
          },
          { functionCall: { id: `call_scripted_${number}_4`, name, args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [3, 4].map((at) => ({
          functionResponse: { id: `call_scripted_${number}_${at}`, name, response: { output: 'ok' } },
        })),
      },
    ];
    expect(server.requests[2]?.body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'begin' }] }, ...turn(0, 'one'), ...turn(1, 'two')],
    });
  });
});

describe('results', () => {
  test('of parallel calls are one content in the order of the calls, with their images after it', async () => {
    const contents = await sent([
      userMessage('x', 1),
      said(self, call('a', 'one'), call('b', 'two'), call('c', 'one')),
      result('c', [text('C')]),
      result('b', [png]),
      result('a', [text('A'), png, text('a')]),
      userMessage('and?', 2),
    ]);
    expect(contents.slice(2)).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'one', response: { output: 'Aa' } } },
          { functionResponse: { id: 'b', name: 'two', response: { output: '' } } },
          { functionResponse: { id: 'c', name: 'one', response: { output: 'C' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'From the tool any:' }, image, { text: 'From the tool any:' }, image] },
      { role: 'user', parts: [{ text: 'and?' }] },
    ]);
  });

  test('to a call whose id is ours carry no id', async () => {
    const functionCall = { name: 'read', args: {} };
    const { message } = await ask(api, {
      status: 200,
      body: `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }] })}\n\n`,
    });
    const [block] = message.content;
    if (block?.type !== 'toolCall') throw new Error('there is no call');
    const contents = await sent([userMessage('x', 1), message, result(block.id, [text('ok')])]);
    expect(contents[1]?.parts[0]?.functionCall).toEqual(functionCall);
    expect(contents[2]?.parts).toEqual([{ functionResponse: { name: 'read', response: { output: 'ok' } } }]);
  });

  test('are named as the call was, in the spelling the vendor takes', async () => {
    const contents = await sent([userMessage('x', 1), said(self, call('a', 'mcp/read')), result('a', [text('ok')])]);
    const name = expect.stringMatching(/^mcp_read_\w+$/);
    expect(contents[1]?.parts[0]).toMatchObject({ functionCall: { name } });
    expect(contents[2]?.parts[0]).toMatchObject({ functionResponse: { name } });
  });

  test('whose call is not in the conversation are told in words', async () => {
    const contents = await sent([userMessage('x', 1), result('gone', [text('ok')])]);
    expect(contents[1]).toEqual({ role: 'user', parts: [{ text: 'The tool any answered:\nok' }] });
  });
});

describe('turns', () => {
  test('that would be empty are left out, and so are empty texts', async () => {
    const contents = await sent([
      userMessage('x', 1),
      said(self, text('')),
      said(self, thought('hm', 'sig')),
      userMessage('', 2),
      { role: 'user', content: [text(''), png], timestamp: 3 },
    ]);
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'user', parts: [image] },
    ]);
  });

  test('with a call always follow the user, which the vendor asks for', async () => {
    const contents = await sent([
      said(self, call('a', 'read')),
      result('a', [text('1')]),
      said(self, text('so far')),
      said(self, call('b', 'read')),
      result('b', [text('2')]),
    ]);
    for (const [at, { parts }] of contents.entries()) {
      if (parts.some((part) => part.functionCall)) expect(contents[at - 1]?.role).toBe('user');
    }
    expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model', 'user', 'model', 'user']);
  });
});

test.each([
  ['Anthropic', { api: 'anthropic-messages', provider: 'anthropic' }, 'toolu_01'],
  ['Chat Completions', { api: 'openai-completions', provider: 'openai' }, 'call_1'],
  ['Responses', { api: 'openai-responses', provider: 'openai' }, 'call_1|fc_2'],
])('a conversation that began with %s goes on with Gemini 3', async (_, from, id) => {
  const other = `${id}b`;
  const contents = await sent(
    [
      userMessage('begin', 1),
      said(
        from,
        thought('hm', '{"id":"rs_1"}'),
        { ...text('let me'), textSignature: 'msg_1' },
        call(id, 'read'),
        call(other, 'ls'),
      ),
      result(id, [text('one'), png]),
      result(other, [text('two')], true),
      said({ ...self, model: 'gemini-3-flash' }, text('now me'), { ...call('g1', 'read'), thoughtSignature: 'sig' }),
      result('g1', [text('three')]),
    ],
    { id: 'gemini-3-flash' },
  );
  expect(contents).toEqual([
    { role: 'user', parts: [{ text: 'begin' }] },
    {
      role: 'model',
      parts: [
        { text: 'let me' },
        { functionCall: { name: 'read', args: {} }, thoughtSignature: skip },
        { functionCall: { name: 'ls', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'read', response: { output: 'one' } } },
        { functionResponse: { name: 'ls', response: { error: 'two' } } },
      ],
    },
    { role: 'user', parts: [{ text: 'From the tool any:' }, image] },
    {
      role: 'model',
      parts: [{ text: 'now me' }, { functionCall: { id: 'g1', name: 'read', args: {} }, thoughtSignature: 'sig' }],
    },
    { role: 'user', parts: [{ functionResponse: { id: 'g1', name: 'read', response: { output: 'three' } } }] },
  ]);
});
