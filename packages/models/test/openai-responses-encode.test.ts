/** The bytes that go to whoever speaks the Responses API. */
import { type AssistantMessage, type Message, type Model, userMessage } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { call, png, result, said, text, thought } from './conversation.ts';
import { ask, askAt, bodyOf, modelAt, type Question, startModel } from './wire.ts';

const api = 'openai-responses';
const self = { api, provider: 'scripted' };
const tool = { name: 'read', description: 'Reads', parameters: { type: 'object' as const } };
const image = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,aGk=' };

/** A reasoning item as it comes, with a field that nobody knows yet. */
const reasoning = (id: string) => ({
  id,
  type: 'reasoning',
  encrypted_content: 'gAAAA=',
  summary: [{ type: 'summary_text', text: 'hm' }],
  of_next_year: { kept: true },
});
const thinks = (id: string) => thought('hm', JSON.stringify(reasoning(id)));
const signed = (words: string, id: string, phase?: string) => ({
  ...text(words),
  textSignature: JSON.stringify({ v: 1, id, ...(phase && { phase }) }),
});
/** In the long form when the vendor numbered it, else in the short one. */
const spoken = (words: string, fields: { id?: string; status?: string; phase?: string } = {}) => {
  const { id, status, ...more } = fields;
  const role = { role: 'assistant', ...more };
  if (id === undefined) return { type: 'message', ...role, content: words };
  return { type: 'message', id, status, ...role, content: [{ type: 'output_text', text: words, annotations: [] }] };
};
const called = (call_id: string, fields: object = {}) => ({
  type: 'function_call',
  ...fields,
  call_id,
  name: 'read',
  arguments: '{}',
});
const user = (words: string) => ({ role: 'user', content: [{ type: 'input_text', text: words }] });
const answered = (call_id: string, output: unknown) => ({ type: 'function_call_output', call_id, output });

async function bodyFor(question: Question, model: Partial<Model> = {}): Promise<Record<string, unknown>> {
  return JSON.parse(await bodyOf(modelAt('http://x.invalid', api, model), question));
}

async function sent(messages: readonly Message[], model: Partial<Model> = {}): Promise<unknown> {
  return (await bodyFor({ messages }, model)).input;
}

test('a whole conversation is exactly these bytes, and the server takes it', async () => {
  const messages: Message[] = [
    userMessage('look', 1),
    said(
      self,
      thinks('rs_1'),
      signed('I will', 'msg_1', 'commentary'),
      thinks('rs_2'),
      call('call_1|fc_1', 'read', { a: 1 }),
    ),
    result('call_1|fc_1', [text('one'), png]),
    said(self, call('call_2|fc_2', 'read'), call('call_3', 'read')),
    result('call_2|fc_2', [], true),
    result('call_3', [text('three')]),
    said(self, signed('Done', 'msg_2', 'final_answer')),
    { role: 'user', content: [text('and this?'), text(''), png], timestamp: 4 },
  ];
  const { request, error } = await ask(api, { blocks: [] }, { messages, tools: [tool], system: 'Be brief.' });
  expect(error).toBeUndefined();
  expect(request.raw).toBe(
    JSON.stringify({
      model: 'model-1',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', ...tool, strict: false }],
      instructions: 'Be brief.',
      input: [
        user('look'),
        reasoning('rs_1'),
        spoken('I will', { id: 'msg_1', status: 'completed', phase: 'commentary' }),
        reasoning('rs_2'),
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read', arguments: '{"a":1}' },
        answered('call_1', [{ type: 'input_text', text: 'one' }, image]),
        called('call_2', { id: 'fc_2' }),
        called('call_3'),
        answered('call_2', '(no text)'),
        answered('call_3', 'three'),
        spoken('Done', { id: 'msg_2', status: 'completed', phase: 'final_answer' }),
        { role: 'user', content: [{ type: 'input_text', text: 'and this?' }, image] },
      ],
    }),
  );
});

test('the request has the vendor path and headers, and those of the model over all', async () => {
  const headers = { 'x-team': 'blue', accept: 'text/plain' };
  const { request } = await ask(api, { blocks: [] }, { key: 'k-1', model: { headers } });
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/responses',
    headers: {
      authorization: 'Bearer k-1',
      'content-type': 'application/json',
      'x-team': 'blue',
      accept: 'text/plain',
    },
  });
});

test('without a key there is no authorization, and what was not asked for has no field', async () => {
  const { request } = await ask(api, { blocks: [] });
  expect(request.headers).not.toHaveProperty('authorization');
  expect(Object.keys(JSON.parse(request.raw))).toEqual(['model', 'stream', 'store', 'include', 'input']);
});

test('a user message that says nothing is not sent', async () => {
  expect(await sent([userMessage('', 1), { role: 'user', content: [text('')], timestamp: 1 }])).toEqual([]);
});

test('behind a login there is no limit on the output, and the rest is the same', async () => {
  const question = { system: 's', maxTokens: 7 };
  const { max_output_tokens, ...plain } = await bodyFor(question, { maxTokens: 9 });
  expect(max_output_tokens).toBe(7);
  expect(plain).toMatchObject({ store: false, stream: true });
  expect(await bodyFor(question, { maxTokens: 9, compat: { login: true } })).toEqual(plain);
});

test('the limit is that of the request, or else of the model, or else nobody’s', async () => {
  expect(await bodyFor({}, { maxTokens: 9 })).toMatchObject({ max_output_tokens: 9 });
  expect(await bodyFor({})).not.toHaveProperty('max_output_tokens');
});

test.each([
  ['off', ['off', 'low', 'max'], 'none'],
  ['off', ['low', 'high'], 'low'],
  ['off', undefined, 'low'],
  ['minimal', undefined, 'low'],
  ['low', undefined, 'low'],
  ['medium', undefined, 'medium'],
  ['high', undefined, 'high'],
  ['max', ['high', 'max'], 'xhigh'],
  ['max', ['high'], 'high'],
  ['max', undefined, 'high'],
] as const)('thinking %s with the levels %j is the effort %s', async (thinking, thinkingLevels, effort) => {
  const body = await bodyFor({ thinking }, thinkingLevels && { thinkingLevels });
  expect(body.reasoning).toEqual({ effort, summary: 'auto' });
});

test('nothing is said about reasoning to a model that does not reason, and its history is without it', async () => {
  const messages = [
    userMessage('x', 1),
    said(self, thinks('rs_1'), signed('y', 'msg_1'), call('call_1|fc_1', 'read')),
    result('call_1|fc_1', [text('z')]),
  ];
  const body = await bodyFor({ messages, thinking: 'high' }, { reasoning: false });
  expect(body).not.toHaveProperty('reasoning');
  expect(body).not.toHaveProperty('include');
  expect(body.input).toEqual([user('x'), spoken('y'), called('call_1'), answered('call_1', 'z')]);
  expect(await bodyFor({})).not.toHaveProperty('reasoning');
});

test('a choice of tool, a schema for the answer and a key for the cache have their fields', async () => {
  const schema = { type: 'object' as const };
  const body = await bodyFor({
    tools: [{ ...tool, name: 'files.read' }],
    toolChoice: { tool: 'files.read' },
    answer: { name: 'the verdict', schema },
    cacheKey: '0190-session',
  });
  const [wired] = [body.tools].flat();
  expect(body.tool_choice).toEqual({ type: 'function', name: expect.stringMatching(/^files_read_\w+$/) });
  expect(wired).toMatchObject({ name: Reflect.get(Object(body.tool_choice), 'name') });
  expect(body.text).toEqual({
    format: { type: 'json_schema', name: expect.stringMatching(/^the_verdict_\w+$/), schema, strict: false },
  });
  expect(body.prompt_cache_key).toBe('0190-session');
  for (const toolChoice of ['auto', 'none', 'required'] as const) {
    expect(await bodyFor({ tools: [tool], toolChoice })).toMatchObject({ tool_choice: toolChoice });
    expect(await bodyFor({ toolChoice })).not.toHaveProperty('tool_choice');
  }
});

test('strict tools are for servers whose switch says so', async () => {
  expect(await bodyFor({ tools: [tool] }, { compat: { strictTools: true } })).toMatchObject({
    tools: [{ name: 'read', strict: true }],
  });
});

describe('what another provider said', () => {
  const long = `toolu_${'x'.repeat(100)}`;
  const gemini = { api: 'google-generative-ai', provider: 'google' };
  const histories: [string, AssistantMessage['api'], string, string[], string][] = [
    ['Anthropic', 'anthropic-messages', 'anthropic', ['toolu_1', long], 'sig=='],
    ['Chat Completions', 'openai-completions', 'openai', ['call.1', 'call|1/2'], 'reasoning_content'],
    ['Gemini', gemini.api, gemini.provider, ['gemini_call_ü', 'x:1'], 'Cg=='],
    ['Responses elsewhere', api, 'elsewhere', ['call_1|fc_1', `call_2|${'+/'.repeat(200)}`], '{"type":"reasoning"}'],
    ['the same provider over Chat Completions', 'openai-completions', 'scripted', ['call_1', 'call_2'], 'reasoning'],
  ];

  test.each(histories)(
    '%s: its history is valid items, and the server takes them',
    async (_, from, provider, ids, sig) => {
      const messages = [
        userMessage('x', 1),
        said(
          { api: from, provider },
          thought('mine', sig),
          { ...text('y'), textSignature: 'msg_theirs' },
          ...ids.map((id) => call(id, 'mcp.files/read')),
        ),
        ...ids.map((id) => result(id, [text(id)])),
      ];
      const { request, error } = await ask(api, { blocks: [] }, { messages });
      expect(error).toBeUndefined();
      const { input } = JSON.parse(request.raw);
      expect(input).toHaveLength(2 + 2 * ids.length);
      expect(input[1]).toEqual(spoken('y'));
      const calls = input.slice(2, 2 + ids.length);
      for (const [at, item] of calls.entries()) {
        expect(Object.keys(item)).toEqual(['type', 'call_id', 'name', 'arguments']);
        expect(item.call_id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(item.name).toMatch(/^mcp_files_read_\w+$/);
        expect(input[2 + ids.length + at]).toEqual(answered(item.call_id, ids[at]));
      }
      expect(new Set(calls.map((item: { call_id: string }) => item.call_id)).size).toBe(ids.length);
    },
  );

  test('only the call id of another Responses provider goes on', async () => {
    const elsewhere = said({ api, provider: 'elsewhere' }, call('call_1|fc_1', 'read'));
    expect(await sent([elsewhere, result('call_1|fc_1', [text('z')])])).toEqual([
      called('call_1'),
      answered('call_1', 'z'),
    ]);
  });
});

describe('what is incomplete does not make the request invalid', () => {
  const broken = (...content: AssistantMessage['content']): AssistantMessage => ({
    ...said(self, ...content),
    stopReason: 'aborted',
    errorMessage: 'aborted',
  });

  async function takes(...messages: Message[]): Promise<unknown> {
    const { request, error } = await ask(api, { blocks: [] }, { messages: [...messages, userMessage('on', 9)] });
    expect(error).toBeUndefined();
    return JSON.parse(request.raw).input.slice(0, -1);
  }

  test('reasoning that led to nothing is left out', async () => {
    expect(await takes(broken(signed('so', 'msg_1'), thinks('rs_1'), thinks('rs_2')))).toEqual([
      spoken('so', { id: 'msg_1', status: 'completed' }),
    ]);
  });

  test('half a message stays, without the reasoning that was to lead to the whole of it', async () => {
    expect(await takes(broken(thinks('rs_1'), text('half a sen')))).toEqual([spoken('half a sen')]);
  });

  test('a call that got no result is left out, and with it the reasoning that led to it', async () => {
    const message = broken(thinks('rs_1'), call('call_1|fc_1', 'read'), call('call_2|fc_2', 'read'));
    expect(await takes(message, result('call_2|fc_2', [text('z')]))).toEqual([
      called('call_2'),
      answered('call_2', 'z'),
    ]);
  });

  test('a result whose call is gone is told in words', async () => {
    expect(await takes(result('call_1|fc_1', [text('z')]))).toEqual([user('The tool any answered:\nz')]);
  });

  test.each([
    ['no signature', undefined],
    ['a signature of something else', 'sig=='],
    ['a signature that is broken JSON', '{"type":"reasoning"'],
    ['an item that is no reasoning', '{"type":"message","encrypted_content":"x"}'],
    ['nothing in it that a vendor who kept nothing could use', '{"id":"rs_1","type":"reasoning","summary":[]}'],
  ])('reasoning with %s is left out, and what it led to goes without its id', async (_, signature) => {
    const message = said(self, thought('hm', signature), signed('y', 'msg_1', 'commentary'), call('c|fc_1', 'read'));
    expect(await takes(message, result('c|fc_1', [text('z')]))).toEqual([
      spoken('y', { phase: 'commentary' }),
      called('c'),
      answered('c', 'z'),
    ]);
  });

  test('after lost reasoning the next that is whole goes with what it led to', async () => {
    const message = said(self, thought('hm'), signed('y', 'msg_1'), thinks('rs_2'), signed('z', 'msg_2'));
    expect(await takes(message)).toEqual([
      spoken('y'),
      reasoning('rs_2'),
      spoken('z', { id: 'msg_2', status: 'completed' }),
    ]);
  });
});

test('reasoning in the open goes back to a server that does not encrypt it, also without ids', async () => {
  const item = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] };
  expect(await sent([said(self, thought('hm', JSON.stringify(item)), text('y'))])).toEqual([item, spoken('y')]);
});

test('a text signature of an older session is the bare id, and one that is not understood is nobody’s', async () => {
  const texts = ['msg_old', '{"v":2,"id":"msg_new"}', '{broken'].map((textSignature) => ({
    ...text('y'),
    textSignature,
  }));
  expect(await sent([said(self, ...texts)])).toEqual([
    spoken('y', { id: 'msg_old', status: 'completed' }),
    spoken('y'),
    spoken('y'),
  ]);
});

test('encrypted reasoning, ids and redacted thinking come back unchanged over two turns', async () => {
  const server = await startModel(
    {
      blocks: [{ thinking: 'hm' }, { text: 'so' }, { thinking: '', redacted: true }, { call: 'read', input: { a: 1 } }],
    },
    { blocks: [{ thinking: 'aha' }, { text: 'done' }] },
    { blocks: [] },
  );
  const model = modelAt(server.url, api);
  const messages: Message[] = [userMessage('begin', 1)];
  for (let turn = 0; turn < 3; turn += 1) {
    const { message, error } = await askAt(model, httpTransport(), { messages });
    expect(error).toBeUndefined();
    messages.push(message);
    for (const block of message.content) if (block.type === 'toolCall') messages.push(result(block.id, [text('ok')]));
  }
  const item = (at: string, summary: object[]) => ({
    id: `rs_scripted_${at}`,
    type: 'reasoning',
    encrypted_content: `gAAAA_scripted_${at}`,
    summary,
  });
  expect(JSON.parse(server.requests[2]?.raw ?? '').input).toEqual([
    user('begin'),
    item('0_0', [{ type: 'summary_text', text: 'hm' }]),
    spoken('so', { id: 'msg_scripted_0_1', status: 'completed' }),
    item('0_2', []),
    {
      type: 'function_call',
      id: 'fc_scripted_0_3',
      call_id: 'call_scripted_0_3',
      name: 'read',
      arguments: '{"a":1}',
    },
    answered('call_scripted_0_3', 'ok'),
    item('1_0', [{ type: 'summary_text', text: 'aha' }]),
    spoken('done', { id: 'msg_scripted_1_1', status: 'completed' }),
  ]);
});

test('a tool whose name the vendor would not take is called by its own name here', async () => {
  const name = 'mcp.files/read';
  const step = ({ body }: { body: unknown }) => ({
    blocks: [{ call: String(Reflect.get(Object([Reflect.get(Object(body), 'tools')].flat()[0]), 'name')), input: {} }],
  });
  const { message, request } = await ask(api, step, { tools: [{ ...tool, name }] });
  expect(JSON.parse(request.raw).tools[0].name).toMatch(/^mcp_files_read_\w+$/);
  expect(message.content).toMatchObject([{ type: 'toolCall', name }]);
});
