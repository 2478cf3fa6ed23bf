/** From what the user wrote to a model: never a silent other one. */
import { TauError } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { findModel, loadProviders, type Provider } from '../src/index.ts';
import type { FindOptions } from '../src/registry/find.ts';

const mine = { api: 'openai-completions', baseUrl: 'http://mine.invalid/v1' };
const file = {
  providers: {
    mine: {
      ...mine,
      headers: { 'x-team': 'blue' },
      compat: { supportsStore: true },
      models: [
        {
          id: 'alpha',
          maxTokens: 9,
          input: ['text', 'image'],
          headers: { 'x-model': 'a' },
          compat: { toolIdLength: 9 },
        },
        { id: 'shared' },
        { id: 'deep:high' },
      ],
    },
    router: { ...mine, apiKey: 'k', models: [{ id: 'maker/beta' }, { id: 'shared' }, { id: 'maker/beta:free' }] },
    nameless: mine,
  },
};
const load = async (content: unknown) => (await loadProviders('models.json', content)).providers;
const own = load(file);
const shipped = load(undefined);

const readyAre =
  (...names: string[]) =>
  ({ name }: Provider) =>
    names.includes(name);

async function find(wish: string | undefined, options: Partial<FindOptions> = {}, providers = shipped) {
  return findModel(wish, await providers, { ready: readyAre(), ...options });
}

/** `provider/id`, with `:level` and ` (how)` where there is something to tell. */
async function named(wish: string | undefined, options: Partial<FindOptions> = {}, providers = shipped) {
  const found = await find(wish, options, providers);
  if (!found) return undefined;
  const { provider, model, thinking, matched } = found;
  return `${provider.name}/${model.id}${thinking ? `:${thinking}` : ''}${matched ? ` (${matched})` : ''}`;
}

async function refusal(wish: string | undefined, options: Partial<FindOptions> = {}, providers = shipped) {
  const error = await find(wish, options, providers).catch((reason: unknown) => reason);
  if (error instanceof TauError) return error;
  throw new Error(`${wish} was not refused: ${JSON.stringify(error)}`);
}

test('provider/id is that one, with everything known about it and its provider', async () => {
  const found = await find('mine/alpha', {}, own);
  expect(found?.model).toEqual({
    id: 'alpha',
    provider: 'mine',
    ...mine,
    maxTokens: 9,
    images: true,
    headers: { 'x-team': 'blue', 'x-model': 'a' },
    compat: { supportsStore: true, toolIdLength: 9 },
  });
  expect(found?.provider.name).toBe('mine');
  expect(found).not.toHaveProperty('matched');
});

test('a shipped model comes with the facts of the catalogue, and a cache price nobody published counts as nothing', async () => {
  const found = await find('openai/gpt-5.4');
  expect(found?.model).toMatchObject({
    api: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    contextWindow: 272_000,
    maxTokens: 128_000,
    cost: { input: 2.5, output: 15, cacheRead: 0.25, cacheWrite: 0 },
    reasoning: true,
    images: true,
    tools: true,
  });
  expect(found?.model.thinkingLevels).toEqual(['off', 'low', 'medium', 'high', 'max']);
});

describe('a name', () => {
  test.each([
    ['of a provider and its model', 'router/maker/beta', 'router/maker/beta'],
    ['with a colon in it', 'router/maker/beta:free', 'router/maker/beta:free'],
    ['that one provider lists', 'alpha', 'mine/alpha'],
    ['that one provider lists, with a slash in it', 'maker/beta', 'router/maker/beta'],
    ['that an open provider does not list', 'nameless/a/b/c', 'nameless/a/b/c'],
    ['of a local model with a tag', 'ollama/qwen3:8b', 'ollama/qwen3:8b'],
    ['with spaces around it', '  mine/alpha ', 'mine/alpha'],
  ])('%s: %s', async (_, wish, expected) => {
    expect(await named(wish, {}, own)).toBe(expected);
  });

  test.each([
    ['openrouter/anthropic/claude-sonnet-5.5', 'openrouter/anthropic/claude-sonnet-5.5'],
    ['openrouter/google/gemma-4-31b-it:free', 'openrouter/google/gemma-4-31b-it:free'],
    ['openrouter/google/gemma-4-31b-it:free:low', 'openrouter/google/gemma-4-31b-it:free:low'],
    ['claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5-20251001'],
  ])('of the catalogue: %s', async (wish, expected) => {
    expect(await named(wish)).toBe(expected);
  });
});

describe('a level of thinking behind the name', () => {
  test.each([
    ['anthropic/claude-opus-5:max', 'anthropic/claude-opus-5:max'],
    ['claude-opus-4-5-20251101:off', 'anthropic/claude-opus-4-5-20251101:off'],
    ['anthropic/claude-next:low', 'anthropic/claude-next:low'],
    ['opus:high', 'anthropic/claude-opus-5-5:high'],
    ['anthropic/*opus-5-5*:low', 'anthropic/claude-opus-5-5:low (glob)'],
  ])('%s', async (wish, expected) => {
    const found = await find(wish);
    expect(found?.thinking).toBe(wish.split(':')[1]);
    expect(await named(wish)).toBe(expected);
  });

  test('is a part of the name where the whole is one', async () => {
    expect(await find('mine/deep:high', {}, own)).toMatchObject({ model: { id: 'deep:high' } });
    expect(await find('deep:high', {}, own)).not.toHaveProperty('thinking');
    expect(await find('deep:high:low', {}, own)).toMatchObject({ model: { id: 'deep:high' }, thinking: 'low' });
  });
});

describe('an alias', () => {
  const aliases = { fast: 'anthropic/claude-haiku-5-5', hard: 'opus:max', sonnet: 'mine/alpha' };

  test.each([
    ['fast', 'anthropic/claude-haiku-5-5'],
    ['fast:low', 'anthropic/claude-haiku-5-5:low'],
    ['hard', 'anthropic/claude-opus-5-5:max'],
    ['hard:low', 'anthropic/claude-opus-5-5:low'],
    ['sonnet', 'mine/alpha'],
    ['opus', 'anthropic/claude-opus-5-5'],
    ['gemini', 'google/gemini-4-argon'],
  ])('%s', async (wish, expected) => {
    expect(await named(wish, { aliases }, own)).toBe(expected);
  });

  test('that is shipped gives way to a model the user described', async () => {
    const providers = load({ providers: { mine: { ...mine, models: [{ id: 'opus' }] } } });
    expect(await named('opus', {}, providers)).toBe('mine/opus');
  });

  test('that leads to itself ends', async () => {
    expect((await refusal('zzz', { aliases: { zzz: 'zzz' } })).code).toBe('unknownModel');
  });
});

describe('an id that several providers list', () => {
  test('is the one that is ready', async () => {
    expect(await named('gpt-5.4', { ready: readyAre('openai') })).toBe('openai/gpt-5.4');
    expect(await named('gpt-5.4', { ready: readyAre('opencode', 'groq') })).toBe('opencode/gpt-5.4');
  });

  test('is refused with the candidates when none or several are', async () => {
    const { code, message, remedy } = await refusal('gpt-5.4');
    expect([code, message]).toEqual(['unknownModel', '"gpt-5.4" is offered by several providers']);
    expect(remedy).toBe('Say which: openai/gpt-5.4, opencode/gpt-5.4');
    const both = await refusal('shared', { ready: readyAre('mine', 'router') }, own);
    expect(both.remedy).toBe('Say which: mine/shared, router/shared');
  });
});

describe('a pattern', () => {
  test.each([
    ['anthropic/*sonnet-5-5', 'anthropic/claude-sonnet-5-5 (glob)'],
    ['anthropic/CLAUDE-sonnet-4-[6]', 'anthropic/claude-sonnet-4-6 (glob)'],
    ['anthropic/claude-haiku-4?5*', 'anthropic/claude-haiku-4-5 (glob)'],
    ['groq/*8b*', 'groq/llama-3.1-8b-instant (glob)'],
    ['maker/bet[!x]', 'router/maker/beta (glob)'],
  ])('that fits one model is that one, the undated of its editions: %s', async (wish, expected) => {
    expect(await named(wish, {}, own)).toBe(expected);
  });

  test('takes the newest of editions that are all dated', async () => {
    const models = ['m-20250101', 'm-20260101', 'm-20251231'].map((id) => ({ id }));
    const dated = load({ providers: { mine: { ...mine, models } } });
    expect(await named('mine/m-*', {}, dated)).toBe('mine/m-20260101 (glob)');
  });

  test('prefers what is ready', async () => {
    expect(await named('*sonnet-5-5', { ready: readyAre('opencode') })).toBe('opencode/claude-sonnet-5-5 (glob)');
  });

  test('that fits several models lists them, eight at most', async () => {
    const { message, remedy } = await refusal('openrouter/*qwen*');
    expect(message).toBe('"openrouter/*qwen*" fits several models');
    expect(remedy).toMatch(/^Say which: (openrouter\/\S+, ){7}openrouter\/\S+ and \d+ more$/);
  });

  test('that fits nothing is refused, and its characters mean themselves', async () => {
    expect((await refusal('*gpt-5x4*')).message).toBe('No model fits the pattern "*gpt-5x4*"');
    expect((await refusal('openai/gpt-5+4*')).code).toBe('unknownModel');
    expect((await refusal('openai/[')).code).toBe('unknownModel');
  });
});

describe('a few words or letters', () => {
  const ready = readyAre('anthropic', 'openai');
  test.each([
    ['opus 5', 'anthropic/claude-opus-5 (fuzzy)'],
    ['opus 5.5', 'anthropic/claude-opus-5-5 (fuzzy)'],
    ['haiku-4.5', 'anthropic/claude-haiku-4-5 (fuzzy)'],
    ['Claude-Sonnet-5', 'anthropic/claude-sonnet-5 (fuzzy)'],
    ['anthropic fable 5.1', 'anthropic/claude-fable-5-1 (fuzzy)'],
    ['gpt 5.4 mini', 'openai/gpt-5.4-mini (fuzzy)'],
    ['claude-sonet-5-5', 'anthropic/claude-sonnet-5-5 (fuzzy)'],
    ['opus 5:high', 'anthropic/claude-opus-5:high (fuzzy)'],
  ])('are the best of the ready ones: %s', async (wish, expected) => {
    expect(await named(wish, { ready })).toBe(expected);
  });

  test('that fit several equally well list the best eight', async () => {
    const { message, remedy } = await refusal(
      'gpt',
      { ready, provider: 'azure' },
      load({ providers: { azure: mine } }),
    );
    expect(message).toBe('"gpt" can mean several models');
    expect(remedy?.split(', ')).toHaveLength(8);
  });
});

describe('what nobody lists', () => {
  test('is asked of an open provider as it is, with a word of doubt when something is called nearly so', async () => {
    expect(await find('anthropic/claude-next-9')).not.toHaveProperty('warning');
    const typo = await find('anthropic/claude-sonnet-5.5');
    expect(typo).toMatchObject({ model: { id: 'claude-sonnet-5.5', api: 'anthropic-messages' } });
    expect(typo?.warning).toMatch(/not known to have a model "claude-sonnet-5\.5".*Did you mean claude-sonnet-5-5/);
    expect((await find('anthropic/opus'))?.warning).toMatch(/Did you mean claude-opus-/);
  });

  test('and has the name of a known maker is asked of that one, and that is told', async () => {
    expect(await find('grok-99-ultraviolet')).toMatchObject({
      provider: { name: 'xai' },
      model: { id: 'grok-99-ultraviolet' },
      warning: expect.stringContaining('xai'),
    });
  });

  test('is refused by a provider with a list of its own', async () => {
    const far = await refusal('mine/gamma', {}, own);
    expect([far.code, far.message]).toEqual(['unknownModel', 'mine has no model "gamma"']);
    expect(far.remedy).toBe('It lists: alpha, shared, deep:high');
    expect((await refusal('mine/alpa', {}, own)).remedy).toBe('Did you mean alpha?');
  });

  test.each(['zzyzx', 'nobody/x', '/zzyzx', '???x'])('and is like nothing there is, is refused: "%s"', async (wish) => {
    const { code, message, remedy } = await refusal(wish, {}, own);
    expect(code).toBe('unknownModel');
    expect(message).toContain(`"${wish}"`);
    expect(remedy).toContain('mine, router, nameless, anthropic, openai');
  });

  test('letters that are in several models choose none of them', async () => {
    const { message, remedy } = await refusal('sonet');
    expect(message).toBe('"sonet" can mean several models');
    expect(remedy).toMatch(/anthropic\/claude-sonnet-5.*anthropic\/claude-sonnet-5-5/);
  });

  test.each(['nothing', 'nope'])('letters that are strewn over long names mean none: "%s"', async (wish) => {
    const { message, remedy } = await refusal(wish);
    expect(message).toContain('No provider is known');
    expect(remedy?.length).toBeLessThan(1000);
  });

  test('a name is suggested once, however many offer it', async () => {
    const names = (await refusal('gpt-9')).remedy?.match(/gpt-[\w.-]+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });

  test('is refused with the nearest name', async () => {
    expect((await refusal('clawde-sonnet-4-6')).remedy).toContain('claude-sonnet-4-6');
  });

  test.each(['', '  ', 'anthropic/', 'mine/'])('because nothing is written is refused: "%s"', async (wish) => {
    expect((await refusal(wish, {}, own)).code).toBe('unknownModel');
  });
});

describe('with a provider beside the wish', () => {
  test.each([
    ['openrouter', 'anthropic/claude-opus-5', 'openrouter/anthropic/claude-opus-5'],
    ['anthropic', 'anthropic/claude-opus-5', 'anthropic/claude-opus-5'],
    ['opencode', 'gpt-5.4', 'opencode/gpt-5.4'],
    ['opencode', 'opus 5', 'opencode/claude-opus-5 (fuzzy)'],
    ['groq', undefined, 'groq/openai/gpt-oss-120b'],
  ])('only that one is looked at: %s %s', async (provider, wish, expected) => {
    expect(await named(wish, { provider })).toBe(expected);
  });

  test('one that is not there is refused with the nearest', async () => {
    expect(await refusal('x', { provider: 'opnrouter' })).toMatchObject({
      code: 'unknownModel',
      remedy: 'Did you mean openrouter?',
    });
  });

  test('one without a model to take by itself says so', async () => {
    expect((await refusal(undefined, { provider: 'ollama' })).message).toContain('ollama');
  });
});

describe('what cannot be used', () => {
  test('stops only who chooses it', async () => {
    const { providers } = await loadProviders('models.json', {
      providers: { bad: { baseUrl: 'nowhere' }, good: { ...mine, models: [{ id: 'm', maxTokens: 'x' }, { id: 'n' }] } },
    });
    const all = Promise.resolve(providers);
    expect(await named('n', {}, all)).toBe('good/n');
    expect(await named(undefined, { ready: () => true }, all)).toBe('good/n');
    expect(await refusal('bad/x', {}, all)).toMatchObject({ code: 'configuration' });
    expect(await refusal('good/m', {}, all)).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('maxTokens'),
    });
  });

  test('for want of an address says which variables give one', async () => {
    expect((await refusal('azure/gpt-5.4')).message).toContain('AZURE_OPENAI_BASE_URL');
    const { providers } = await loadProviders('models.json', undefined, { AZURE_OPENAI_RESOURCE_NAME: 'acme' });
    const found = await find('azure/gpt-5.4', {}, Promise.resolve(providers));
    expect(found?.model.baseUrl).toBe('https://acme.openai.azure.com/openai/v1');
  });
});

describe('without a wish', () => {
  test.each([
    [['openai'], 'openai/gpt-6.1-sol'],
    [['openai', 'anthropic'], 'anthropic/claude-sonnet-5-5'],
    [['azure', 'groq'], 'groq/openai/gpt-oss-120b'],
  ])('of the shipped ones, the first that is ready gives its default: %j', async (names, expected) => {
    expect(await named(undefined, { ready: readyAre(...names) })).toBe(expected);
  });

  test("the user's own come first", async () => {
    expect(await named(undefined, { ready: () => true }, own)).toBe('mine/alpha');
    expect(await named(undefined, { ready: readyAre('anthropic', 'router') }, own)).toBe('router/maker/beta');
    const renamed = load({ providers: { openai: { apiKey: 'k' } } });
    expect(await named(undefined, { ready: readyAre('anthropic', 'openai') }, renamed)).toBe('openai/gpt-6.1-sol');
  });

  test('there is nothing when nothing is ready, and a local server is never chosen silently', async () => {
    expect(await named(undefined)).toBeUndefined();
    const local = load({ providers: { ollama: { models: [{ id: 'x' }] } } });
    expect(await named(undefined, { ready: readyAre('ollama') }, local)).toBeUndefined();
  });
});
