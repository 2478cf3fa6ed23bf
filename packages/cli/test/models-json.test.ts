/** What `models.json` says reaches the wire: shipped providers led elsewhere, facts changed, switches, headers, protocols. */
import { join } from 'node:path';
import { type ScriptStep, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type Api, apis, call, calls, request, resultsIn, says } from './conversation.ts';
import { at } from './json.ts';
import { basePath, homeWith, key, providerAt } from './providers.ts';
import { linesOf, onlySession } from './sessions.ts';

const loop = (): ScriptStep[] => [
  calls(call('read', { path: 'a.txt' })),
  { blocks: [{ text: 'done' }], usage: { input: 100_000, output: 10_000 } },
];

async function scripted(...steps: ScriptStep[]) {
  const model = await startScriptedModel(steps);
  onTestFinished(() => model.close());
  return model;
}

interface Shipped {
  provider: string;
  api: Api;
  id: string;
  variable: string;
  header: string;
  path: string;
  /** What the catalogue's facts and the vendor's ways make of the request. */
  body: Record<string, unknown>;
  /** Dollars for a hundred thousand tokens in and ten thousand out. */
  cost: number;
}

const shipped: Shipped[] = [
  {
    provider: 'anthropic',
    api: 'anthropic-messages',
    id: 'claude-sonnet-5-5',
    variable: 'ANTHROPIC_API_KEY',
    header: 'x-api-key',
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-5-5',
      max_tokens: 128_000,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    },
    cost: 0.3,
  },
  {
    provider: 'openai',
    api: 'openai-responses',
    id: 'gpt-5.4',
    variable: 'OPENAI_API_KEY',
    header: 'authorization',
    path: '/v1/responses',
    body: {
      model: 'gpt-5.4',
      max_output_tokens: 128_000,
      store: false,
      reasoning: { effort: 'high', summary: 'auto' },
    },
    cost: 0.4,
  },
  {
    provider: 'google',
    api: 'google-generative-ai',
    id: 'gemini-2.5-flash',
    variable: 'GEMINI_API_KEY',
    header: 'x-goog-api-key',
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    body: {
      generationConfig: { maxOutputTokens: 65_536, thinkingConfig: { thinkingBudget: 16_384, includeThoughts: true } },
    },
    cost: 0.055,
  },
  {
    provider: 'deepseek',
    api: 'openai-completions',
    id: 'deepseek-v4-pro',
    variable: 'DEEPSEEK_API_KEY',
    header: 'authorization',
    path: '/v1/chat/completions',
    body: {
      model: 'deepseek-v4-pro',
      max_tokens: 384_000,
      thinking: { type: 'enabled' },
      reasoning_effort: 'high',
      stream_options: { include_usage: true },
    },
    cost: 0.1716,
  },
];

test.each(shipped)(
  '$provider/$id works at an address of the user, with its key, its facts and its ways',
  async (one) => {
    const model = await scripted(...loop());
    const name = `${one.provider}/${one.id}`;
    const home = homeWith({ [one.provider]: { baseUrl: model.url + basePath[one.api] } }, { model: name });
    home.write('a.txt', 'in the file');
    const run = await home.tau(['-p', 'hi', '--thinking', 'high'], { env: { [one.variable]: key } });
    expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
    const asked = request(model, 1);
    expect(asked.path).toBe(one.path);
    expect(asked.headers[one.header]).toBe(one.header === 'authorization' ? `Bearer ${key}` : key);
    expect(asked.body).toMatchObject(one.body);
    expect(resultsIn(asked)).toMatchObject([{ text: '1\tin the file' }]);
    const last = linesOf(onlySession(home.tauHome)).at(-1);
    expect(last).toMatchObject({ message: { provider: one.provider, model: one.id, api: one.api } });
    expect(at(last, 'message', 'usage', 'cost', 'total')).toBeCloseTo(one.cost, 6);
  },
);

test('the address of a provider counts for every model of it, each in its own protocol', async () => {
  const ids = {
    'claude-sonnet-5-5': '/v1/messages',
    'gpt-5.1': '/v1/responses',
    'deepseek-v4-pro': '/v1/chat/completions',
    'gemini-3-flash': '/v1/models/gemini-3-flash:streamGenerateContent?alt=sse',
  };
  const model = await scripted(...Object.keys(ids).map(says));
  const { tau } = homeWith({ opencode: { baseUrl: `${model.url}/v1` } });
  for (const [number, [id, path]] of Object.entries(ids).entries()) {
    const run = await tau(['-p', 'hi', '--model', `opencode/${id}`], { env: { OPENCODE_API_KEY: key } });
    expect(run).toMatchObject({ code: 0, stdout: `${id}\n`, stderr: '' });
    expect(request(model, number).path).toBe(path);
    expect(JSON.stringify(request(model, number).headers)).toContain(key);
  }
});

test('facts of a known model are changed by modelOverrides and by models, and the rest stays', async () => {
  const model = await scripted(says('one'), says('two'), says('three'));
  const { tau } = homeWith(
    {
      anthropic: {
        baseUrl: model.url,
        apiKey: key,
        modelOverrides: { 'claude-sonnet-5-5': { maxTokens: 4321, headers: { 'x-one': 'override' } } },
        models: [{ id: 'claude-haiku-4-5', maxTokens: 1234 }],
      },
    },
    { model: 'anthropic/claude-sonnet-5-5' },
  );
  await tau(['-p', 'hi']);
  await tau(['-p', 'hi', '--model', 'anthropic/claude-haiku-4-5']);
  await tau(['-p', 'hi', '--model', 'anthropic/claude-opus-4-8']);
  expect(model.requests.map(({ body }) => [at(body, 'model'), at(body, 'max_tokens')])).toEqual([
    ['claude-sonnet-5-5', 4321],
    ['claude-haiku-4-5', 1234],
    ['claude-opus-4-8', 128_000],
  ]);
  expect(model.requests.map(({ headers }) => headers['x-one'])).toEqual(['override', undefined, undefined]);
});

test('a provider may have models of several protocols and addresses, with headers and switches of their own', async () => {
  const [model, other] = [await scripted(says('a'), says('b'), says('c')), await scripted(says('d'))];
  const mine = {
    baseUrl: `${model.url}/v1`,
    api: 'openai-completions',
    apiKey: key,
    headers: { 'x-team': 'blue', 'x-who': 'provider' },
    compat: { supportsUsageInStreaming: false, maxTokensField: 'max_tokens' },
    models: [
      { id: 'a', maxTokens: 100 },
      { id: 'b', api: 'openai-responses', headers: { 'x-who': 'model' } },
      { id: 'c', maxTokens: 100, compat: { maxTokensField: 'max_completion_tokens' } },
      { id: 'd', api: 'anthropic-messages', baseUrl: other.url },
    ],
  };
  const { tau } = homeWith({ mine });
  for (const id of ['a', 'b', 'c', 'd']) {
    expect(await tau(['-p', 'hi', '--model', `mine/${id}`])).toMatchObject({ code: 0, stdout: `${id}\n`, stderr: '' });
  }
  expect(model.requests.map(({ path }) => path)).toEqual([
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/chat/completions',
  ]);
  expect(other.requests.map(({ path }) => path)).toEqual(['/v1/messages']);
  const all = [...model.requests, ...other.requests];
  expect(all.map(({ headers }) => [headers['x-team'], headers['x-who']])).toEqual([
    ['blue', 'provider'],
    ['blue', 'model'],
    ['blue', 'provider'],
    ['blue', 'provider'],
  ]);
  expect(request(model, 0).body).toMatchObject({ max_tokens: 100 });
  expect(request(model, 2).body).toMatchObject({ max_completion_tokens: 100 });
  for (const number of [0, 2]) expect(request(model, number).body).not.toHaveProperty('stream_options');
});

/** One switch at a time, against the request of the second turn. */
const switches: [Api, Record<string, unknown>, string, (body: unknown, headers: unknown) => unknown, unknown][] = [
  [
    'openai-completions',
    { supportsDeveloperRole: true },
    'role',
    (body) => at(body, 'messages', 0, 'role'),
    'developer',
  ],
  ['openai-completions', { supportsStore: true }, 'store', (body) => at(body, 'store'), false],
  ['openai-completions', { supportsUsageInStreaming: false }, 'usage', (body) => at(body, 'stream_options'), undefined],
  [
    'openai-completions',
    { maxTokensField: 'max_completion_tokens' },
    'limit',
    (body) => at(body, 'max_completion_tokens'),
    50,
  ],
  ['openai-completions', { requiresToolResultName: true }, 'name', (body) => at(body, 'messages', 3, 'name'), 'read'],
  ['openai-completions', { emptyContent: 'string' }, 'empty', (body) => at(body, 'messages', 2, 'content'), ''],
  [
    'openai-completions',
    { supportsReasoningEffort: false },
    'effort',
    (body) => at(body, 'reasoning_effort'),
    undefined,
  ],
  [
    'openai-completions',
    { reasoningEffortMap: { high: 'hard' } },
    'word',
    (body) => at(body, 'reasoning_effort'),
    'hard',
  ],
  [
    'openai-completions',
    { thinkingFormat: 'openrouter' },
    'format',
    (body) => at(body, 'reasoning'),
    { effort: 'high' },
  ],
  ['openai-completions', { thinkingFormat: 'qwen' }, 'format', (body) => at(body, 'enable_thinking'), true],
  [
    'openai-completions',
    { requiresMistralToolIds: true },
    'id',
    (body) => /^[a-zA-Z0-9]{9}$/.test(String(at(body, 'messages', 3, 'tool_call_id'))),
    true,
  ],
  ['openai-completions', { authHeader: 'api-key' }, 'key', (_, headers) => at(headers, 'api-key'), key],
  ['anthropic-messages', { cache: false }, 'marker', (body) => at(body, 'cache_control'), undefined],
  ['anthropic-messages', { betas: ['one', 'two'] }, 'betas', (_, headers) => at(headers, 'anthropic-beta'), 'one,two'],
  ['anthropic-messages', { thinking: 'adaptive' }, 'form', (body) => at(body, 'output_config'), { effort: 'high' }],
  [
    'anthropic-messages',
    { authHeader: 'bearer' },
    'key',
    (_, headers) => at(headers, 'authorization'),
    `Bearer ${key}`,
  ],
  ['openai-responses', { strictTools: true }, 'strict', (body) => at(body, 'tools', 0, 'strict'), true],
  [
    'google-generative-ai',
    { thinking: 'budget' },
    'form',
    (body) => at(body, 'generationConfig', 'thinkingConfig', 'thinkingBudget'),
    16_384,
  ],
];

test.each(switches)('over %s the switch %j reaches the wire: %s', async (api, compat, _, look, expected) => {
  const model = await scripted(...loop(), ...loop());
  const facts = { maxTokens: 50, reasoning: true };
  const plain = providerAt(model, api, api === 'anthropic-messages' ? { reasoning: true } : facts);
  const { tau, write } = homeWith({ plain, switched: { ...plain, compat } });
  write('a.txt', 'x');
  for (const name of ['plain', 'switched']) {
    const run = await tau(['-p', 'hi', '--model', `${name}/x`, '--thinking', 'high']);
    expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  }
  const [before, after] = [request(model, 1), request(model, 3)];
  expect(look(after.body, after.headers)).toEqual(expected);
  // Without the switch it is another way, so it was the switch.
  expect(look(before.body, before.headers)).not.toEqual(expected);
});

test.each(apis.flatMap((api) => [true, 'x-own-key'].map((authHeader) => [authHeader, api] as const)))(
  'authHeader %j says where the key goes over %s, and it goes nowhere else',
  async (authHeader, api) => {
    const model = await scripted(says('ok'));
    const { tau } = homeWith({ mine: { ...providerAt(model, api), authHeader } });
    expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stderr: '' });
    const carrying = Object.entries(request(model, 0).headers).filter(([, value]) => String(value).includes(key));
    expect(carrying).toEqual([authHeader === true ? ['authorization', `Bearer ${key}`] : ['x-own-key', key]]);
  },
);

test('a provider with a list has exactly these models, and one without takes any id', async () => {
  const model = await scripted(says('ok'));
  const listed = providerAt(model, 'openai-completions');
  const { models: _, ...open } = listed;
  const { tau } = homeWith({ listed, open });
  expect(await tau(['-p', 'hi', '--model', 'listed/y'])).toMatchObject({ code: 2, stdout: '' });
  expect(await tau(['-p', 'hi', '--model', 'open/any:thing'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(at(request(model, 0).body, 'model')).toBe('any:thing');
});

test('a switch that does not exist is a warning with its place, and the request goes out without it', async () => {
  for (const api of apis) {
    const model = await scripted(says('ok'));
    const home = homeWith({ mine: { ...providerAt(model, api), compat: { suportsStore: true } } });
    const run = await home.tau(['-p', 'hi']);
    expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(run.stderr).toContain(
      `tau: warning: ${join(home.tauHome, 'models.json')}: providers.mine: compat.suportsStore is not known`,
    );
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
  }
});
