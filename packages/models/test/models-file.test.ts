/** `models.json` over the providers tau ships with. */
import { TauError } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { findModel, loadProviders, modelsOf, type Provider } from '../src/index.ts';

const path = '/home/someone/.tau/models.json';
const custom = { baseUrl: 'http://10.0.0.5:8000/v1', api: 'openai-completions' };
const ready = () => true;

async function load(providers: unknown, env: NodeJS.ProcessEnv = {}) {
  return (await loadProviders(path, { providers }, env)).providers;
}

async function shipped() {
  return (await loadProviders(path, undefined)).providers;
}

async function factsOf(providers: readonly Provider[], name: string, id: string) {
  const provider = providers.find((one) => one.name === name);
  if (!provider) throw new Error(`no ${name}`);
  return (await modelsOf(provider)).find((facts) => facts.id === id);
}

test('without a file there are the shipped providers, the local servers last', async () => {
  const { providers, warnings } = await loadProviders(path, undefined);
  expect(warnings).toEqual([]);
  const names = providers.map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['anthropic', 'openai', 'google']);
  expect(names.slice(-3)).toEqual(['ollama', 'lmstudio', 'llamacpp']);
});

test("the user's providers come first, in their order, and a shipped one is there once", async () => {
  const names = (await load({ zeta: custom, openai: {}, alpha: custom })).map(({ name }) => name);
  expect(names.slice(0, 4)).toEqual(['zeta', 'openai', 'alpha', 'anthropic']);
  expect(names.filter((name) => name === 'openai')).toHaveLength(1);
});

test('a provider of the user has what the file says; with a list of models it is closed, without one it is open', async () => {
  const models = [{ id: 'a', contextWindow: 1000, maxTokens: 100, cost: { input: 1, output: 2 } }];
  const described = { ...custom, apiKey: '!pass x', headers: { a: 'MY_HEADER' }, timeoutSecs: 9, models };
  const [closed, open] = await load({ mine: described, other: custom });
  expect(closed).toMatchObject({ ...described, name: 'mine', own: true, open: false });
  expect(open).toMatchObject({ name: 'other', models: [], open: true });
  expect(closed).not.toHaveProperty('keyVariables');
});

test('every field of a model reaches the model', async () => {
  const model = {
    id: 'a',
    name: 'Model A',
    api: 'anthropic-messages',
    baseUrl: 'http://10.0.0.6:9000',
    reasoning: true,
    thinkingLevels: ['high', 'low'],
    input: ['text', 'image'],
    tools: false,
    contextWindow: 1000,
    maxTokens: 100,
    cost: { input: 1, output: 2, cacheRead: 0.1 },
    headers: { x: 'y' },
    compat: { cache: false },
  };
  const found = await findModel('mine/a', await load({ mine: { ...custom, models: [model] } }), { ready });
  const { name, input, ...sent } = model;
  expect(found?.model).toEqual({
    ...sent,
    provider: 'mine',
    images: true,
    thinkingLevels: ['low', 'high'],
    cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
  });
});

test('a price of the cache that is not given stays unknown in the facts', async () => {
  const providers = await load({ mine: { ...custom, models: [{ id: 'a', cost: { input: 1, output: 2 } }] } });
  expect((await factsOf(providers, 'mine', 'a'))?.cost).toEqual({ input: 1, output: 2 });
});

test('fields that tau does not use are accepted and do not reach the model', async () => {
  const providers = await load({ mine: { ...custom, nonsense: 1, models: [{ id: 'a', local: true, family: 'x' }] } });
  const found = await findModel('mine/a', providers, { ready });
  expect(found?.model).toEqual({ id: 'a', provider: 'mine', ...custom });
});

test.each([
  ['true', true, 'bearer'],
  ['a header', 'x-key', 'x-key'],
  ['false', false, undefined],
])('authHeader %s says how the key travels', async (_, authHeader, expected) => {
  const found = await findModel('mine/a', await load({ mine: { ...custom, authHeader } }), { ready });
  expect(found?.model.compat?.authHeader).toBe(expected);
});

describe('over a shipped provider', () => {
  test('an entry changes what it says and nothing else', async () => {
    const [before] = await shipped();
    const [after] = await load({ anthropic: { baseUrl: 'https://proxy.invalid', headers: { 'x-team': 'blue' } } });
    expect(after).toMatchObject({ ...before, baseUrl: 'https://proxy.invalid', headers: { 'x-team': 'blue' } });
    expect(
      await factsOf([after ?? { ...custom, name: '', models: [], open: true }], 'anthropic', 'claude-opus-5'),
    ).toMatchObject({
      contextWindow: 1_000_000,
    });
  });

  test('a listed model completes the shipped facts, comes first, and does not close it', async () => {
    const models = [
      { id: 'my-tune', contextWindow: 5 },
      { id: 'gpt-5.4', maxTokens: 7 },
    ];
    const providers = await load({ openai: { models } });
    const [provider] = providers;
    expect(provider).toMatchObject({ open: true });
    const all = provider ? await modelsOf(provider) : [];
    expect(all.map(({ id }) => id).slice(0, 3)).toEqual(['my-tune', 'gpt-5.4', 'chat-latest']);
    expect(all.filter(({ id }) => id === 'gpt-5.4')).toHaveLength(1);
    expect(await factsOf(providers, 'openai', 'gpt-5.4')).toMatchObject({ maxTokens: 7, contextWindow: 272_000 });
  });

  test('modelOverrides change some facts of one model', async () => {
    const modelOverrides = { 'gpt-5.4': { contextWindow: 9, headers: { a: 'b' } }, 'brand-new': { maxTokens: 3 } };
    const providers = await load({ openai: { modelOverrides } });
    expect(await factsOf(providers, 'openai', 'gpt-5.4')).toMatchObject({
      contextWindow: 9,
      maxTokens: 128_000,
      headers: { a: 'b' },
    });
    expect(await factsOf(providers, 'openai', 'gpt-5.5')).toMatchObject({ contextWindow: 272_000 });
    const unlisted = await findModel('openai/brand-new', providers, { ready });
    expect(unlisted?.model).toMatchObject({ id: 'brand-new', maxTokens: 3 });
  });

  test('an address, a protocol and switches count for every model, also for one that ships with its own', async () => {
    const given = {
      baseUrl: 'https://proxy.invalid/v1',
      api: 'openai-completions',
      compat: { thinkingFormat: 'none' },
    };
    const providers = await load({ opencode: given });
    for (const id of ['claude-opus-5', 'gpt-5.4', 'glm-5.3', 'not-listed']) {
      expect((await findModel(`opencode/${id}`, providers, { ready }))?.model).toMatchObject(given);
    }
  });

  test('loading a file twice does not change what is shipped', async () => {
    await load({ anthropic: { baseUrl: 'https://proxy.invalid', models: [{ id: 'x' }] } });
    const [provider] = await shipped();
    expect(provider).toMatchObject({ name: 'anthropic', baseUrl: 'https://api.anthropic.com', models: [] });
  });
});

test.each([
  ['AZURE_OPENAI_BASE_URL', 'https://eu.proxy.invalid/openai/v1/', 'https://eu.proxy.invalid/openai/v1'],
  ['AZURE_OPENAI_ENDPOINT', 'https://acme.openai.azure.com/', 'https://acme.openai.azure.com/openai/v1'],
  ['AZURE_OPENAI_RESOURCE_NAME', 'acme', 'https://acme.openai.azure.com/openai/v1'],
])('%s gives Azure its address, and models.json counts more', async (variable, value, expected) => {
  const azure = async (providers: unknown) =>
    (await load(providers, { [variable]: value })).find(({ name }) => name === 'azure');
  expect(await azure({})).toMatchObject({ baseUrl: expected });
  expect(await azure({})).not.toHaveProperty('unusable');
  expect(await azure({ azure: { baseUrl: 'https://mine.invalid' } })).toMatchObject({
    baseUrl: 'https://mine.invalid',
  });
});

test('an address in a variable that is none is told without its value', async () => {
  const azure = (await load({}, { AZURE_OPENAI_BASE_URL: 'secret-words' })).find(({ name }) => name === 'azure');
  expect(azure?.unusable).toContain('AZURE_OPENAI_BASE_URL');
  expect(azure?.unusable).not.toContain('secret-words');
});

describe('a file that is not an object with providers is an error', () => {
  test.each([
    ['a list', [], /object/],
    ['null', null, /object/],
    ['a text', 'x', /object/],
    ['no providers', {}, /providers/],
    ['providers that are a list', { providers: [] }, /providers/],
  ])('%s', async (_, content, field) => {
    const error = await loadProviders(path, content).catch((reason: unknown) => reason);
    if (!(error instanceof TauError)) throw new Error('it was not refused');
    expect(error.code).toBe('configuration');
    expect(error.message.startsWith(`${path} cannot be used: `)).toBe(true);
    expect(error.message).toMatch(field);
    expect(error.remedy).toBe('Mend or remove the file');
  });
});

describe('a provider tau cannot use is told once and stops nobody but who chooses it', () => {
  const model = { models: [{ id: 'a' }], apiKey: 'k' };
  test.each([
    ['a text', 'x', /providers\.mine: must be object/],
    ['an address that is a number', { ...custom, baseUrl: 5 }, /providers\.mine\.baseUrl: must be string/],
    ['a key that is a number', { ...custom, apiKey: 5 }, /providers\.mine\.apiKey/],
    ['an empty key', { ...custom, apiKey: '' }, /providers\.mine\.apiKey/],
    ['a header that is a number', { ...custom, headers: { a: 1 } }, /providers\.mine\.headers\.a/],
    ['models that are no list', { ...custom, models: {} }, /providers\.mine\.models: must be array/],
    ['a time that is none', { ...custom, timeoutSecs: 0 }, /providers\.mine\.timeoutSecs/],
    ['a missing address', { api: 'openai-completions' }, /its baseUrl is missing/],
    ['an address that is none', { ...custom, baseUrl: 'nowhere' }, /its baseUrl "nowhere" is no http or https address/],
    ['no scheme', { ...custom, baseUrl: 'localhost:8000/v1' }, /"localhost:8000\/v1" is no http or https address/],
    ['a scheme that is not HTTP', { ...custom, baseUrl: 'file:///v1' }, /"file:\/\/\/v1" is no http or https address/],
    ['no host', { ...custom, baseUrl: 'http://' }, /"http:\/\/" is no http or https address/],
    ['a missing api', { baseUrl: custom.baseUrl }, /its api is missing; tau speaks /],
    ['an unknown api', { ...custom, api: 'smoke' }, /its api is "smoke"; tau speaks /],
  ])('%s', async (_, given, why) => {
    const mine = typeof given === 'object' ? { ...model, ...given } : given;
    const good = { ...custom, models: [{ id: 'b' }], apiKey: 'k' };
    const { providers, warnings } = await loadProviders(path, { providers: { mine, good } });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.startsWith(`${path}: provider "mine" cannot be used: `)).toBe(true);
    expect(warnings[0]).toMatch(why);
    expect(warnings[0]).toMatch(/\. Mend it there, or leave it out$/);
    expect(warnings[0]).not.toContain('\n');
    for (const wish of ['good/b', 'b', undefined]) {
      expect((await findModel(wish, providers, { ready }))?.model).toMatchObject({ provider: 'good', id: 'b' });
    }
    await expect(findModel('mine/a', providers, { ready })).rejects.toMatchObject({ code: 'configuration' });
  });

  test('a name with a slash could not be chosen', async () => {
    const { warnings } = await loadProviders(path, { providers: { 'a/b': custom } });
    expect(warnings[0]).toContain('slash');
  });

  test('each has its own warning, and a shipped one that was spoiled is not quietly the shipped one', async () => {
    const { providers, warnings } = await loadProviders(path, { providers: { openai: { api: 'smoke' }, mine: {} } });
    expect(warnings.map((warning) => /provider "(\w+)"/.exec(warning)?.[1])).toEqual(['openai', 'mine']);
    await expect(findModel('openai/gpt-x', providers, { ready })).rejects.toThrow('smoke');
    expect(await findModel(undefined, providers, { ready: ({ name }) => name === 'openai' })).toBeUndefined();
  });
});

describe('a model tau cannot use is told and stops nobody but who chooses it', () => {
  test.each([
    ['a window that is a text', { contextWindow: '1k' }, /providers\.mine\.models\.1\.contextWindow: must be integer/],
    ['half a price', { cost: { input: 1 } }, /providers\.mine\.models\.1\.cost: "output" is missing/],
    ['an address that is none', { baseUrl: 'nowhere' }, /providers\.mine\.models\.1\.baseUrl/],
    ['a level that is none', { thinkingLevels: ['lots'] }, /providers\.mine\.models\.1\.thinkingLevels\.0/],
    ['an unknown protocol', { api: 'smoke' }, /providers\.mine\.models\.1\.api: "smoke" is no protocol tau speaks/],
  ])('%s', async (_, given, why) => {
    const models = [{ id: 'good' }, { id: 'bad', ...given }];
    const { providers, warnings } = await loadProviders(path, { providers: { mine: { ...custom, models } } });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(why);
    expect((await findModel('mine/good', providers, { ready }))?.model.id).toBe('good');
    await expect(findModel('mine/bad', providers, { ready })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(why),
    });
  });

  test.each([[{}], [{ id: '' }], [{ id: 5 }], ['x']])('without an id it is left out: %j', async (entry) => {
    const { providers, warnings } = await loadProviders(path, {
      providers: { mine: { ...custom, models: [entry, { id: 'good' }] } },
    });
    expect(warnings).toEqual([expect.stringContaining('providers.mine.models.0')]);
    expect(providers[0]?.models.map(({ id }) => id)).toEqual(['good']);
  });

  test('an override that cannot be read keeps its model from being used as if there were none', async () => {
    const { providers, warnings } = await loadProviders(path, {
      providers: { openai: { modelOverrides: { 'gpt-5.4': { baseUrl: 5 } } } },
    });
    expect(warnings).toEqual([expect.stringContaining('providers.openai.modelOverrides.gpt-5.4.baseUrl')]);
    await expect(findModel('openai/gpt-5.4', providers, { ready })).rejects.toMatchObject({ code: 'configuration' });
    expect((await findModel('openai/gpt-5.5', providers, { ready }))?.model.id).toBe('gpt-5.5');
  });
});

test('a switch that the protocol does not know is told, and the rest works', async () => {
  const { providers, warnings } = await loadProviders(path, {
    providers: {
      mine: { ...custom, compat: { supprtsStore: true }, models: [{ id: 'a', compat: { maxTokensField: 'x' } }] },
    },
  });
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain('providers.mine: compat.supprtsStore is not known');
  expect(warnings[1]).toContain('providers.mine.models.0: compat.maxTokensField is not one of');
  expect((await findModel('mine/a', providers, { ready }))?.model.id).toBe('a');
});
