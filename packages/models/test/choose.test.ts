/** From what the user wrote to a model: never a silent other one. */
import { TauError } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { chooseModel, loadProviders, type Provider } from '../src/index.ts';

const mine = { api: 'openai-completions', baseUrl: 'http://mine.invalid/v1' };
const file = {
  providers: {
    mine: { ...mine, headers: { 'x-team': 'blue' }, models: [{ id: 'alpha', maxTokens: 9 }, { id: 'shared' }] },
    router: { ...mine, apiKey: 'k', models: [{ id: 'maker/beta' }, { id: 'shared' }, { id: 'gpt-odd' }] },
    nameless: mine,
  },
};
const load = async (content: unknown) => (await loadProviders('models.json', content)).providers;
const own = load(file);
const shipped = load(undefined);

async function chosen(
  wish: string | undefined,
  env: NodeJS.ProcessEnv = {},
  providers: Promise<readonly Provider[]> = own,
) {
  const choice = chooseModel(wish, await providers, env);
  return choice && `${choice.provider.name} ${choice.model.id}`;
}

async function refusal(wish: string): Promise<TauError> {
  const error = await chosen(wish).catch((reason: unknown) => reason);
  if (error instanceof TauError) return error;
  throw new Error(`${wish} was not refused: ${String(error)}`);
}

test('provider/id is that one, with everything known about it', async () => {
  const choice = chooseModel('mine/alpha', await own, {});
  expect(choice?.model).toEqual({
    id: 'alpha',
    maxTokens: 9,
    provider: 'mine',
    ...mine,
    headers: { 'x-team': 'blue' },
  });
  expect(choice?.provider.name).toBe('mine');
});

test.each([
  ['an id that one provider lists', 'alpha', 'mine alpha'],
  ['a listed id with a slash in it', 'maker/beta', 'router maker/beta'],
  ['a provider and an id with a slash in it', 'router/maker/beta', 'router maker/beta'],
  ['an id that an open provider does not list', 'anthropic/claude-next', 'anthropic claude-next'],
  ['an id of many slashes on an open provider', 'nameless/a/b/c', 'nameless a/b/c'],
  ['a Claude by its name', 'claude-next', 'anthropic claude-next'],
  ['a GPT by its name', 'gpt-9', 'openai gpt-9'],
  ['an o-model by its name', 'o7-mini', 'openai o7-mini'],
  ['an id that is listed, before the maker its name suggests', 'gpt-odd', 'router gpt-odd'],
])('%s: %s is %s', async (_, wish, expected) => {
  expect(await chosen(wish)).toBe(expected);
});

describe('what cannot be chosen is told with the way out', () => {
  test('an id that several providers list', async () => {
    const { code, message, remedy } = await refusal('shared');
    expect(code).toBe('unknownModel');
    expect(message).toBe('"shared" is offered by several providers');
    expect(remedy).toBe('Say which: mine/shared, router/shared');
  });

  test('an id that a closed list does not hold', async () => {
    const { code, message, remedy } = await refusal('mine/gamma');
    expect(code).toBe('unknownModel');
    expect(message).toContain('mine has no model "gamma"');
    expect(remedy).toBe('It lists: alpha, shared');
  });

  test.each(['mistral', 'olmo', 'nobody/x', '/x', ''])('an unknown model: "%s"', async (wish) => {
    const { code, message, remedy } = await refusal(wish);
    expect(code).toBe('unknownModel');
    expect(message).toContain(`"${wish}"`);
    expect(remedy).toContain('mine, router, nameless, anthropic, openai');
  });

  test.each(['anthropic/', 'mine/'])('a provider without a model: "%s"', async (wish) => {
    expect((await refusal(wish)).code).toBe('unknownModel');
  });
});

describe('without a wish', () => {
  test('the first provider that is ready and has a model is taken, the user’s before the shipped', async () => {
    expect(await chosen(undefined, { ANTHROPIC_API_KEY: 'k' })).toBe('mine alpha');
    const locked = { ...file.providers.mine, apiKey: 'NOT_SET_HERE' };
    const rest = load({ providers: { mine: locked, router: file.providers.router } });
    expect(await chosen(undefined, { ANTHROPIC_API_KEY: 'k' }, rest)).toBe('router maker/beta');
  });

  test.each([
    [{ OPENAI_API_KEY: 'k' }, 'openai '],
    [{ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'anthropic '],
    [{ ANTHROPIC_API_KEY: '', OPENAI_API_KEY: 'k' }, 'openai '],
  ])('of the shipped ones, %j chooses %s', async (env, expected) => {
    expect(await chosen(undefined, env, shipped)).toMatch(new RegExp(`^${expected}`));
  });

  test('a provider that was described without a key needs none', async () => {
    const described = load({
      providers: { box: { baseUrl: 'http://127.0.0.1:1/v1', api: 'openai-completions', models: [{ id: 'x' }] } },
    });
    expect(await chosen(undefined, {}, described)).toBe('box x');
  });

  test('there is nothing to choose without a key, and a local server is never chosen silently', async () => {
    expect(await chosen(undefined, {}, shipped)).toBeUndefined();
    const local = load({ providers: { ollama: { apiKey: 'k', models: [{ id: 'x' }] } } });
    expect(await chosen(undefined, {}, local)).toBeUndefined();
  });
});
