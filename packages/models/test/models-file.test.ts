/** `models.json` over the providers tau ships with. */
import { TauError } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { chooseModel, loadProviders } from '../src/index.ts';

const path = '/home/someone/.tau/models.json';
const custom = { baseUrl: 'http://10.0.0.5:8000/v1', api: 'openai-completions' };

async function load(providers: unknown) {
  return (await loadProviders(path, { providers })).providers;
}

async function shipped() {
  return (await loadProviders(path, undefined)).providers;
}

async function problem(content: unknown): Promise<TauError> {
  const error = await loadProviders(path, content).catch((reason: unknown) => reason);
  if (!(error instanceof TauError)) throw new Error(`not refused: ${JSON.stringify(content)}`);
  return error;
}

test('without a file there are the shipped providers', async () => {
  const { providers, warnings } = await loadProviders(path, undefined);
  expect(warnings).toEqual([]);
  expect(providers.map(({ name }) => name)).toEqual(['anthropic', 'openai', 'ollama', 'lmstudio', 'llamacpp']);
});

test("the user's providers come first, in their order, and a shipped one is there once", async () => {
  const providers = await load({ zeta: custom, openai: {}, alpha: custom });
  const names = providers.map(({ name }) => name);
  expect(names).toEqual(['zeta', 'openai', 'alpha', 'anthropic', 'ollama', 'lmstudio', 'llamacpp']);
});

test('an entry over a shipped provider changes what it says and nothing else', async () => {
  const [before] = await shipped();
  const [after] = await load({ anthropic: { baseUrl: 'https://proxy.invalid', headers: { 'x-team': 'blue' } } });
  expect(after).toEqual({ ...before, baseUrl: 'https://proxy.invalid', headers: { 'x-team': 'blue' } });
});

test('models over a shipped provider replace the listed ones but do not close it', async () => {
  const [provider] = await load({ openai: { models: [{ id: 'my-tune' }] } });
  expect(provider).toMatchObject({ models: [{ id: 'my-tune' }], open: true });
});

test('a provider of the user has what the file says; with a list of models it is closed, without one it is open', async () => {
  const models = [{ id: 'a', contextWindow: 1000, maxTokens: 100, cost: { input: 1, output: 2 } }];
  const [closed, open] = await load({ mine: { ...custom, apiKey: 'k', models }, other: custom });
  expect(closed).toMatchObject({ name: 'mine', ...custom, apiKey: 'k', open: false });
  expect(closed?.models).toMatchObject([{ ...models[0], cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }]);
  expect(open).toMatchObject({ name: 'other', models: [], open: true });
  expect(closed).not.toHaveProperty('keyVariable');
});

test('fields that tau does not use are accepted and do not reach the model', async () => {
  const foreign = { name: 'A', reasoning: true, input: ['text'], compat: {}, headers: 'junk', baseUrl: 5, local: true };
  const providers = await load({
    mine: { ...custom, compat: {}, authHeader: true, models: [{ ...foreign, id: 'a' }] },
  });
  expect(chooseModel('mine/a', providers, {})?.model).toEqual({ id: 'a', provider: 'mine', ...custom });
});

test('loading a file twice does not change what is shipped', async () => {
  await load({ anthropic: { baseUrl: 'https://proxy.invalid', models: [{ id: 'x' }] } });
  const [provider] = await shipped();
  expect(provider).toMatchObject({ name: 'anthropic', baseUrl: 'https://api.anthropic.com' });
});

describe('a file that cannot be used is told in one sentence that names the field', () => {
  test.each([
    ['a list', [], /object/],
    ['null', null, /object/],
    ['a text', 'x', /object/],
    ['no providers', {}, /providers/],
    ['providers that are a list', { providers: [] }, /providers/],
    ['a provider that is a text', { providers: { mine: 'x' } }, /providers\.mine/],
    ['an address that is a number', { providers: { mine: { ...custom, baseUrl: 5 } } }, /providers\.mine\.baseUrl/],
    ['a key that is a number', { providers: { mine: { ...custom, apiKey: 5 } } }, /providers\.mine\.apiKey/],
    ['an empty key', { providers: { mine: { ...custom, apiKey: '' } } }, /providers\.mine\.apiKey/],
    [
      'a header that is a number',
      { providers: { mine: { ...custom, headers: { a: 1 } } } },
      /providers\.mine\.headers\.a/,
    ],
    ['models that are no list', { providers: { mine: { ...custom, models: {} } } }, /providers\.mine\.models/],
    ['a model without an id', { providers: { mine: { ...custom, models: [{}] } } }, /providers\.mine\.models\.0.*id/],
    ['an empty id', { providers: { mine: { ...custom, models: [{ id: '' }] } } }, /providers\.mine\.models\.0\.id/],
    [
      'a window that is a text',
      { providers: { mine: { ...custom, models: [{ id: 'a', contextWindow: '1k' }] } } },
      /providers\.mine\.models\.0\.contextWindow/,
    ],
    [
      'half a price',
      { providers: { mine: { ...custom, models: [{ id: 'a', cost: { input: 1 } }] } } },
      /providers\.mine\.models\.0\.cost.*output/,
    ],
  ])('%s', async (_, content, field) => {
    const { code, message, remedy } = await problem(content);
    expect(code).toBe('configuration');
    expect(message.startsWith(`${path} cannot be used: `)).toBe(true);
    expect(message).toMatch(field);
    expect(message).not.toContain('\n');
    expect(remedy).toBe('Mend or remove the file');
  });

  test('one mistake is told once', async () => {
    const { message } = await problem({ providers: { mine: { ...custom, apiKey: 5 } } });
    expect(message.split('providers.mine')).toHaveLength(2);
    expect(message).not.toContain(';');
  });
});

describe('a provider tau cannot use is told once and stops nobody but who chooses it', () => {
  const model = { models: [{ id: 'a' }], apiKey: 'k' };
  test.each([
    ['a missing address', { api: 'openai-completions' }, 'its baseUrl is missing'],
    ['an empty address', { ...custom, baseUrl: '' }, 'its baseUrl is missing'],
    ['an address that is none', { ...custom, baseUrl: 'nowhere' }, 'its baseUrl "nowhere" is no http or https address'],
    [
      'no scheme',
      { ...custom, baseUrl: 'localhost:8000/v1' },
      'its baseUrl "localhost:8000/v1" is no http or https address',
    ],
    [
      'a scheme that is not HTTP',
      { ...custom, baseUrl: 'file:///v1' },
      'its baseUrl "file:///v1" is no http or https address',
    ],
    ['no host', { ...custom, baseUrl: 'http://' }, 'its baseUrl "http://" is no http or https address'],
    ['a missing api', { baseUrl: custom.baseUrl }, 'its api is missing; tau speaks '],
    ['an unknown api', { ...custom, api: 'smoke' }, 'its api is "smoke"; tau speaks '],
  ])('%s', async (_, given, why) => {
    const { providers, warnings } = await loadProviders(path, {
      providers: { mine: { ...model, ...given }, good: { ...custom, models: [{ id: 'b' }], apiKey: 'k' } },
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.startsWith(`${path}: provider "mine" cannot be used: ${why}`)).toBe(true);
    expect(chooseModel('good/b', providers, {})?.model).toMatchObject({ provider: 'good', id: 'b' });
    expect(chooseModel(undefined, providers, {})?.model).toMatchObject({ provider: 'good', id: 'b' });
    for (const wish of ['mine/a', 'mine/other', 'a']) {
      expect(() => chooseModel(wish, providers, {})).toThrow(
        expect.objectContaining({ code: 'configuration', message: warnings[0] }),
      );
    }
  });

  test('each has its own warning, and a shipped one that was spoiled is not quietly the shipped one', async () => {
    const { providers, warnings } = await loadProviders(path, {
      providers: { openai: { api: 'openai-responses' }, mine: {} },
    });
    expect(warnings.map((warning) => /provider "(\w+)"/.exec(warning)?.[1])).toEqual(['openai', 'mine']);
    expect(() => chooseModel('openai/gpt-x', providers, { OPENAI_API_KEY: 'k' })).toThrow('openai-responses');
    expect(chooseModel(undefined, providers, { OPENAI_API_KEY: 'k' })).toBeUndefined();
  });
});
