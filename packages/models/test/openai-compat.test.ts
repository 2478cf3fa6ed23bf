/** How the request changes with who serves it, and with what a model's `compat` says. */
import { type Model, type ModelRequest, type ThinkingLevel, userMessage } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compatOf, compatProblems } from '../src/openai-completions/compat.ts';
import { openaiCompletions } from '../src/openai-completions/protocol.ts';
import { call, png, result, said, text, thought } from './conversation.ts';

const api = 'openai-completions';
const self = { api, provider: 'p' };
const tool = { name: 'read', description: 'Reads', parameters: {} };
const strict = {
  type: 'object' as const,
  properties: { a: { type: 'string' as const } },
  required: ['a'],
  additionalProperties: false,
};

function encode(facts: Partial<Model> = {}, request: Partial<ModelRequest> = {}, key?: string) {
  const model = { provider: 'p', id: 'm', api, baseUrl: 'http://x.invalid/v1', ...facts };
  const wire = openaiCompletions.encode(
    { model, system: 's', messages: [userMessage('x', 1)], tools: [], ...request },
    key,
  );
  const body: Record<string, unknown> & { messages: Record<string, unknown>[] } = JSON.parse(wire.body);
  return { body, headers: wire.headers, url: wire.url, raw: wire.body };
}

describe('who serves a model', () => {
  test.each([
    ['https://api.openai.com/v1', 'openai'],
    ['https://me.openai.azure.com/openai/v1', 'azure'],
    ['https://api.deepseek.com/v1', 'deepseek'],
    ['https://api.x.ai/v1', 'xai'],
    ['https://api.mistral.ai/v1', 'mistral'],
    ['https://api.groq.com/openai/v1', 'groq'],
    ['https://api.cerebras.ai/v1', 'cerebras'],
    ['https://openrouter.ai/api/v1', 'openrouter'],
    ['https://api.together.xyz/v1', 'together'],
    ['https://api.fireworks.ai/inference/v1', 'fireworks'],
    ['https://api.moonshot.cn/v1', 'moonshot'],
    ['https://api.z.ai/api/paas/v4', 'zai'],
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'qwen'],
    ['https://api.openai.com.evil.invalid/v1', undefined],
    ['https://notdeepseek.com/v1', undefined],
    ['not an address', undefined],
  ])('%s is %s', (baseUrl, vendor) => {
    expect(compatOf({ provider: 'mine', id: 'm', api, baseUrl }).vendor).toBe(vendor);
  });

  test('the name counts before the address, for a proxy in front of a vendor', () => {
    const model = { provider: 'deepseek', id: 'm', api, baseUrl: 'https://api.openai.com/v1' };
    expect(compatOf(model).vendor).toBe('deepseek');
  });

  test('one that nobody knows gets nothing that some refuse', () => {
    expect(Object.keys(encode({ reasoning: true }, { cacheKey: 'c' }).body)).toEqual([
      'model',
      'stream',
      'stream_options',
      'messages',
    ]);
  });
});

describe('compat', () => {
  test('has the last word over what the address tells', () => {
    const compat = { supportsStore: false, maxTokensField: 'max_tokens', supportsUsageInStreaming: false };
    const { body } = encode({ provider: 'openai', compat, maxTokens: 9 });
    expect(Object.keys(body)).toEqual(['model', 'stream', 'max_tokens', 'messages']);
  });

  test('of the wrong type is named and not used', () => {
    const compat = {
      supportsStore: 'yes',
      maxTokensField: 'tokens',
      reasoningEffortMap: { low: 1 },
      toolIdLength: 0,
      openRouterRouting: [],
      authHeader: '',
      supportsStores: true,
      toString: true,
    };
    expect(compatProblems(compat)).toEqual([
      'compat.supportsStore is not true or false',
      'compat.maxTokensField is not one of max_tokens, max_completion_tokens',
      'compat.reasoningEffortMap is not an object from thinking levels to texts',
      'compat.toolIdLength is not a whole number above zero',
      'compat.openRouterRouting is not an object',
      'compat.authHeader is not a text',
      'compat.supportsStores is not known',
      'compat.toString is not known',
    ]);
    const model = { provider: 'p', id: 'm', api, baseUrl: 'http://x.invalid' };
    expect(compatOf({ ...model, compat })).toEqual(compatOf(model));
  });

  test.each([[undefined], [{}], [{ thinkingFormat: 'zai', zaiToolStream: true }]])(
    'without a fault has no problems: %j',
    (compat) => {
      expect(compatProblems(compat)).toEqual([]);
    },
  );

  test.each([[null], [[]], ['x'], [3]])('that is no object is a problem: %j', (compat) => {
    expect(compatProblems(compat)).toEqual(['compat is not an object']);
  });

  test('of any shape never breaks a request', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(compatOf({ ...self, id: 'm', baseUrl: '' }))), fc.anything()),
        (compat) => {
          expect(compatProblems(compat)).toBeInstanceOf(Array);
          expect(encode({ compat }, { thinking: 'low', tools: [tool] }).body.messages).toHaveLength(2);
        },
      ),
      { numRuns: 200, seed: 3 },
    );
  });
});

describe('thinking', () => {
  const asked = (facts: Partial<Model>, thinking: ThinkingLevel) => {
    const { model, stream, stream_options, messages, store, ...rest } = encode(facts, { thinking }).body;
    return rest;
  };

  test.each<[string, Partial<Model>, object, object, object]>([
    [
      'openai',
      { provider: 'openai', id: 'gpt-5.4' },
      { reasoning_effort: 'none' },
      { reasoning_effort: 'low' },
      { reasoning_effort: 'xhigh' },
    ],
    [
      'openai',
      { provider: 'openai', id: 'gpt-5.1' },
      { reasoning_effort: 'none' },
      { reasoning_effort: 'low' },
      { reasoning_effort: 'high' },
    ],
    [
      'openai',
      { provider: 'openai', id: 'gpt-5-mini' },
      { reasoning_effort: 'minimal' },
      { reasoning_effort: 'minimal' },
      { reasoning_effort: 'high' },
    ],
    ['openai', { provider: 'openai', id: 'o3' }, {}, { reasoning_effort: 'low' }, { reasoning_effort: 'high' }],
    ['an unknown server', {}, {}, { reasoning_effort: 'low' }, { reasoning_effort: 'high' }],
    [
      'ollama',
      { provider: 'ollama' },
      { reasoning_effort: 'none' },
      { reasoning_effort: 'low' },
      { reasoning_effort: 'high' },
    ],
    [
      'openrouter',
      { provider: 'openrouter' },
      { reasoning: { effort: 'none' } },
      { reasoning: { effort: 'minimal' } },
      { reasoning: { effort: 'xhigh' } },
    ],
    [
      'deepseek',
      { provider: 'deepseek' },
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
      { thinking: { type: 'enabled' }, reasoning_effort: 'max' },
    ],
    [
      'zai',
      { provider: 'zai' },
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'enabled' } },
      { thinking: { type: 'enabled' } },
    ],
    [
      'moonshot',
      { provider: 'moonshot' },
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'enabled' } },
      { thinking: { type: 'enabled' } },
    ],
    [
      'together',
      { provider: 'together' },
      { reasoning: { enabled: false } },
      { reasoning: { enabled: true } },
      { reasoning: { enabled: true } },
    ],
    ['qwen', { provider: 'qwen' }, { enable_thinking: false }, { enable_thinking: true }, { enable_thinking: true }],
    [
      'llamacpp',
      { provider: 'llamacpp' },
      { chat_template_kwargs: { enable_thinking: false } },
      { chat_template_kwargs: { enable_thinking: true } },
      { chat_template_kwargs: { enable_thinking: true } },
    ],
    ['xai', { provider: 'xai' }, {}, {}, {}],
    ['whoever is said to have no word for it', { compat: { thinkingFormat: 'none' } }, {}, {}, {}],
    ['a model that does not think', { provider: 'deepseek', reasoning: false }, {}, {}, {}],
  ])('%s hears off, minimal and max in its own words: %j', (_, facts, off, minimal, max) => {
    expect(asked(facts, 'off')).toEqual(off);
    expect(asked(facts, 'minimal')).toEqual(minimal);
    expect(asked(facts, 'max')).toEqual(max);
  });

  test('a map of efforts has the last word, and null says that there is none', () => {
    const facts = { provider: 'openai', id: 'gpt-5.4', compat: { reasoningEffortMap: { max: 'high', low: null } } };
    expect(asked(facts, 'max')).toEqual({ reasoning_effort: 'high' });
    expect(asked(facts, 'low')).toEqual({});
    expect(asked(facts, 'off')).toEqual({ reasoning_effort: 'none' });
  });

  test('nothing is said when no level was asked for', () => {
    expect(encode({ provider: 'deepseek' }).body).not.toHaveProperty('thinking');
  });
});

describe('keys and addresses', () => {
  test('Azure takes the key in a header of its own', () => {
    const { headers, url } = encode({ baseUrl: 'https://me.openai.azure.com/openai/v1' }, {}, 'k');
    expect(url).toBe('https://me.openai.azure.com/openai/v1/chat/completions');
    expect(headers).toMatchObject({ 'api-key': 'k' });
    expect(headers).not.toHaveProperty('authorization');
  });

  test('compat names the header, and the headers of the model come last', () => {
    const facts = { compat: { authHeader: 'X-Key' }, headers: { 'x-key': 'other' } };
    expect(encode({ compat: { authHeader: 'X-Key' } }, {}, 'k').headers).toHaveProperty('x-key', 'k');
    expect(encode(facts, {}, 'k').headers).toHaveProperty('x-key', 'other');
  });

  test('the key of the conversation goes to OpenAI, and as headers to whom compat says', () => {
    expect(encode({ provider: 'openai' }, { cacheKey: 'c1' }).body).toHaveProperty('prompt_cache_key', 'c1');
    expect(encode({}, { cacheKey: 'c1' }).raw).not.toContain('c1');
    const { headers } = encode({ compat: { sendSessionAffinityHeaders: true } }, { cacheKey: 'c1' });
    expect(headers).toMatchObject({ session_id: 'c1', 'x-session-affinity': 'c1' });
  });

  test('a gateway is told which servers may answer', () => {
    const compat = { openRouterRouting: { only: ['a'] }, vercelGatewayRouting: { order: ['b'] } };
    expect(encode({ compat }).body).toMatchObject({
      provider: { only: ['a'] },
      providerOptions: { gateway: { order: ['b'] } },
    });
  });
});

describe('what the model is told', () => {
  test.each([
    ['openai', true, 'developer'],
    ['openai', undefined, 'system'],
    ['openai', false, 'system'],
    ['p', true, 'system'],
  ])('%s with reasoning %s hears the system prompt from the %s', (provider, reasoning, role) => {
    expect(encode({ provider, ...(reasoning !== undefined && { reasoning }) }).body.messages[0]).toEqual({
      role,
      content: 's',
    });
  });

  test.each([
    [undefined, undefined, undefined],
    [undefined, 5, 5],
    [9, undefined, 9],
    [9, 5, 5],
    [9, 20, 9],
  ])('with a limit of %s, and %s asked for, the limit is %s', (limit, asked, expected) => {
    const { body } = encode(
      limit === undefined ? {} : { maxTokens: limit },
      asked === undefined ? {} : { maxTokens: asked },
    );
    expect(body.max_tokens).toBe(expected);
  });

  test.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'read' }, { type: 'function', function: { name: 'read' } }],
  ] as const)('the choice %j is %j, and only with tools', (toolChoice, expected) => {
    expect(encode({}, { toolChoice, tools: [tool] }).body.tool_choice).toEqual(expected);
    expect(encode({}, { toolChoice }).body).not.toHaveProperty('tool_choice');
    expect(encode({ provider: 'zai' }, { toolChoice, tools: [tool] }).body).not.toHaveProperty('tool_choice');
  });

  test('an answer is asked for by its schema, strictly where schema and server allow it', () => {
    const loose = { type: 'object' as const, properties: strict.properties };
    const format = (schema: typeof loose, facts: Partial<Model> = {}) =>
      encode(facts, { answer: { name: 'the answer', schema } }).body.response_format;
    expect(format(strict)).toEqual({
      type: 'json_schema',
      json_schema: { name: expect.stringMatching(/^the_answer_\w+$/), schema: strict },
    });
    expect(format(strict, { provider: 'openai' })).toMatchObject({ json_schema: { strict: true } });
    expect(JSON.stringify(format(loose, { provider: 'openai' }))).not.toContain('strict');
  });

  test('a server that takes no schema is told it in words', () => {
    const { body } = encode({ provider: 'deepseek' }, { answer: { name: 'a', schema: strict } });
    expect(body.response_format).toEqual({ type: 'json_object' });
    expect(body.messages[0]?.content).toBe(
      `s\n\nAnswer with one JSON object that fits this JSON schema, and nothing else: ${JSON.stringify(strict)}`,
    );
  });

  test('tools are strict where compat wants it and their schema allows it', () => {
    const tools = [tool, { ...tool, name: 'write', parameters: strict }];
    const compat = { strictTools: true, supportsStrictMode: true };
    expect(encode({ compat }, { tools }).body.tools).toEqual([
      { type: 'function', function: tool },
      { type: 'function', function: { name: 'write', description: 'Reads', parameters: strict, strict: true } },
    ]);
    expect(encode({ provider: 'openai' }, { tools }).raw).not.toContain('strict');
    const nested = { ...strict, properties: { a: { type: 'object' as const, properties: {} } } };
    expect(encode({ compat }, { tools: [{ ...tool, parameters: nested }] }).raw).not.toContain('strict');
  });

  test('streams of calls are asked for where the vendor wants to be asked', () => {
    const compat = { zaiToolStream: true };
    expect(encode({ compat }, { tools: [tool] }).body).toHaveProperty('tool_stream', true);
    expect(encode({ compat }).body).not.toHaveProperty('tool_stream');
  });
});

describe('history', () => {
  const messages = [
    userMessage('x', 1),
    said(self, thought('hm', 'reasoning'), call('call|1', 'read')),
    result('call|1', [text('one'), png]),
    userMessage('y', 4),
  ];
  const sent = (facts: Partial<Model>) => encode(facts, { messages, system: '' }).body.messages;

  test('ids that do not fit are mapped alike on call and result, to the length the vendor takes', () => {
    const long = `call_${'x'.repeat(50)}`;
    const talk = [said(self, call(long, 'read')), result(long, [text('z')])];
    for (const [provider, length] of [
      ['p', 64],
      ['openai', 40],
    ] as const) {
      const [asked, answered] = encode({ provider }, { messages: talk, system: '' }).body.messages;
      const id = answered?.tool_call_id;
      expect(asked?.tool_calls).toMatchObject([{ id }]);
      expect(String(id).length).toBeLessThanOrEqual(length);
      expect(id === long).toBe(provider === 'p');
    }
  });

  test('Mistral gets ids of nine letters and digits, different for different calls', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 50 });
    fc.assert(
      fc.property(ids, (own) => {
        const talk = own.flatMap((id) => [said(self, call(id, 'read')), result(id, [text('z')])]);
        const wire = encode({ provider: 'mistral' }, { messages: talk, system: '' }).body.messages;
        const answered = wire.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [String(id)]));
        const asked = wire.flatMap(({ tool_calls: calls }) => (Array.isArray(calls) ? [calls[0].id] : []));
        expect(asked).toEqual(answered);
        expect(new Set(answered).size).toBe(own.length);
        for (const id of answered) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      }),
      { numRuns: 50, seed: 5 },
    );
    const fitting = [said(self, call('abcDEF123', 'read')), result('abcDEF123', [text('z')])];
    expect(encode({ provider: 'mistral' }, { messages: fitting }).raw).toContain('"tool_call_id":"abcDEF123"');
  });

  test('a result carries the name of its tool where that is required', () => {
    expect(sent({})[2]).not.toHaveProperty('name');
    expect(sent({ compat: { requiresToolResultName: true } })[2]).toHaveProperty('name', 'any');
  });

  test('the model speaks between results and the user where that is required', () => {
    const roles = (facts: Partial<Model>) => sent(facts).map(({ role }) => role);
    expect(roles({})).toEqual(['user', 'assistant', 'tool', 'user', 'user']);
    const compat = { requiresAssistantAfterToolResult: true };
    expect(roles({ compat })).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'user']);
  });

  test.each([
    ['null', { content: null }],
    ['string', { content: '' }],
    ['omit', {}],
  ])('a message of calls alone has content as compat says: %s', (emptyContent, expected) => {
    const { reasoning, tool_calls, role, ...rest } = sent({ compat: { emptyContent } })[1] ?? {};
    expect(rest).toEqual(expected);
  });

  test('thoughts are text where there is no field for them', () => {
    const told = sent({ compat: { requiresThinkingAsText: true } })[1];
    expect(told).toMatchObject({ content: 'hm\n\n' });
    expect(told).not.toHaveProperty('reasoning');
  });

  test('a server that wants the field of reasoning gets it empty, if its model thinks', () => {
    const compat = { requiresReasoningContentOnAssistantMessages: true };
    const talk = [said({ api, provider: 'other' }, text('y'))];
    const [asked] = encode({ compat, reasoning: true }, { messages: talk, system: '' }).body.messages;
    expect(asked).toHaveProperty('reasoning_content', '');
    const [silent] = encode({ compat }, { messages: talk, system: '' }).body.messages;
    expect(silent).not.toHaveProperty('reasoning_content');
  });

  test('an image for a model that cannot see is told in words', () => {
    const { raw, body } = encode({ images: false }, { messages, system: '' });
    expect(raw).not.toContain('image_url');
    expect(body.messages[2]).toMatchObject({ content: 'one[an image, image/png, which this model cannot see]' });
  });

  test('a model without tools gets none, and hears of earlier calls in words', () => {
    const { body } = encode({ tools: false }, { messages, system: '', tools: [tool], toolChoice: 'required' });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
    expect(body.messages).toEqual([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'I called the tool read with {}.', reasoning: 'hm' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'The tool any answered:\none' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
      { role: 'user', content: 'y' },
    ]);
  });

  test('markers of the cache are on the last tool, the system prompt and the last message, for Claude on OpenRouter', () => {
    const facts = { provider: 'openrouter', id: 'anthropic/claude-x' };
    const { body, raw } = encode(facts, { tools: [tool, { ...tool, name: 'ls' }], messages: messages.slice(0, 3) });
    const cache_control = { type: 'ephemeral' };
    expect(body.tools).toMatchObject([{}, { cache_control }]);
    expect(body.messages[0]).toEqual({ role: 'system', content: [{ type: 'text', text: 's', cache_control }] });
    // The message after it holds only an image.
    expect(body.messages[3]).toMatchObject({ role: 'tool', content: [{ type: 'text', text: 'one', cache_control }] });
    expect(raw.match(/cache_control/g)).toHaveLength(3);
    const spoken = encode(facts, { messages });
    expect(spoken.body.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'y', cache_control }],
    });
    expect(encode({ provider: 'openrouter', id: 'openai/x' }, { messages }).raw).not.toContain('cache_control');
  });
});
