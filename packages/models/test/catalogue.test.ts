/** The shipped data: whole, sorted, honest about prices, and read only where it is needed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createValidate, type JsonSchema } from '@tau/core';
import { expect, onTestFinished, test } from 'vitest';
import { compatProblems as anthropicProblems } from '../src/anthropic-messages/compat.ts';
import { catalogueModels, catalogueProviders, catalogueSource, shippedAliases } from '../src/catalogue/catalogue.ts';
import index from '../src/catalogue/index.json';
import { compatProblems } from '../src/openai-completions/compat.ts';
import { knownApis } from '../src/protocols.ts';
import { entryFields } from '../src/registry/model-entry.ts';

const folder = join(import.meta.dirname, '../src/catalogue');
const rows = (provider: string): Record<string, unknown>[] =>
  JSON.parse(readFileSync(join(folder, `${provider}.json`), 'utf8'));

test('the vendors people ask for are there, each with its variable', () => {
  const variables = Object.fromEntries(catalogueProviders.map(({ name, keyVariables }) => [name, keyVariables]));
  expect(variables).toEqual({
    anthropic: ['ANTHROPIC_API_KEY'],
    openai: ['OPENAI_API_KEY'],
    google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    deepseek: ['DEEPSEEK_API_KEY'],
    xai: ['XAI_API_KEY'],
    mistral: ['MISTRAL_API_KEY'],
    moonshot: ['MOONSHOT_API_KEY'],
    zai: ['ZAI_API_KEY'],
    'zai-coding-plan': ['ZAI_API_KEY'],
    groq: ['GROQ_API_KEY'],
    cerebras: ['CEREBRAS_API_KEY'],
    together: ['TOGETHER_API_KEY'],
    fireworks: ['FIREWORKS_API_KEY'],
    openrouter: ['OPENROUTER_API_KEY'],
    opencode: ['OPENCODE_API_KEY'],
    'opencode-go': ['OPENCODE_API_KEY'],
    azure: ['AZURE_OPENAI_API_KEY'],
  });
});

test('its origin is written down, with the licence and the day', () => {
  expect(catalogueSource).toMatchObject({ licence: 'MIT', published: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toContain(catalogueSource.package);
  const documented = readFileSync(join(import.meta.dirname, '../../../docs/models.md'), 'utf8');
  for (const fact of Object.values(catalogueSource)) expect(documented).toContain(fact);
});

test.each(index.providers.map(({ name, models, defaultModel }) => ({ name, models, defaultModel })))(
  'the list of $name is sorted, without doubles, and has its default',
  async ({ name, models, defaultModel }) => {
    const ids = (await catalogueModels(name)).map(({ id }) => id);
    expect(ids).toHaveLength(models);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)));
    expect(ids).toContain(defaultModel);
  },
);

test.each(catalogueProviders.map(({ name }) => name))('every line of %s is an entry of models.json', async (name) => {
  const schema: JsonSchema = {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'contextWindow', 'maxTokens', 'reasoning', 'input'],
    properties: { ...entryFields, id: { type: 'string', minLength: 1 } },
  };
  const validate = createValidate();
  for (const row of rows(name))
    expect({ id: row.id, problems: await validate(schema, row) }).toEqual({ id: row.id, problems: [] });
});

test('a price is 0 only where the name of the model says that it is free', async () => {
  for (const { name } of catalogueProviders) {
    for (const { id, cost } of await catalogueModels(name)) {
      if (cost && !/[:-]free$/.test(id)) expect([id, cost.input > 0 || cost.output > 0]).toEqual([id, true]);
      for (const price of [cost?.cacheRead, cost?.cacheWrite]) expect([id, price]).not.toEqual([id, 0]);
    }
  }
  const unpublished = (await catalogueModels('zai-coding-plan')).filter(({ cost }) => cost !== undefined);
  expect(unpublished).toEqual([]);
});

test('the switches are ones that the protocol of the model knows', async () => {
  for (const provider of catalogueProviders) {
    for (const { id, api = provider.api, compat } of await catalogueModels(provider.name)) {
      if (api === 'openai-completions') expect([id, ...compatProblems(compat)]).toEqual([id]);
      else if (api === 'anthropic-messages') expect([id, ...anthropicProblems(compat)]).toEqual([id]);
      else expect([id, compat]).toEqual([id, undefined]);
    }
  }
});

test('every model speaks a protocol that tau speaks', async () => {
  for (const provider of catalogueProviders) {
    const apis = (await catalogueModels(provider.name)).map(({ api }) => api ?? provider.api);
    for (const api of new Set(apis)) expect(knownApis).toContain(api);
  }
});

test('models of one vendor may speak different protocols at different addresses', async () => {
  const found = new Map((await catalogueModels('opencode')).map((facts) => [facts.id, facts]));
  expect(found.get('claude-sonnet-5-5')).toMatchObject({
    api: 'anthropic-messages',
    baseUrl: 'https://opencode.ai/zen',
  });
  expect(found.get('gpt-5.4')).toMatchObject({ api: 'openai-responses' });
  expect(found.get('glm-5.3')).not.toHaveProperty('api');
});

test('a short name stands for a model of the catalogue, and none of its family is newer', async () => {
  for (const target of Object.values(shippedAliases)) {
    const slash = target.indexOf('/');
    const ids = (await catalogueModels(target.slice(0, slash))).map(({ id }) => id);
    expect(ids).toContain(target.slice(slash + 1));
  }
  const anthropic = (await catalogueModels('anthropic')).map(({ id }) => id);
  for (const family of ['sonnet', 'opus', 'haiku']) {
    const version = (id: string) => id.split('-').slice(2).map(Number);
    const all = anthropic.filter((id) => new RegExp(`^claude-${family}-\\d+(-\\d{1,2})?$`).test(id));
    const newest = all.sort(
      (a, b) => (version(b)[0] ?? 0) - (version(a)[0] ?? 0) || (version(b)[1] ?? 0) - (version(a)[1] ?? 0),
    )[0];
    expect(shippedAliases[family]).toBe(`anthropic/${newest}`);
  }
});

test('the whole stays small', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThan(400_000);
});

test('who asks for a model of one provider does not read the lists of the others', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'tau-catalogue-'));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const root = join(import.meta.dirname, '../../..');
  const flags = ['--bundle', '--splitting', '--format=esm', '--platform=node', '--main-fields=module,main'];
  execFileSync(join(root, 'node_modules/.bin/esbuild'), [
    join(root, 'packages/models/src/index.ts'),
    ...flags,
    '--log-level=error',
    '--out-extension:.js=.mjs',
    `--outdir=${temporary}`,
  ]);
  for (const name of readdirSync(temporary)) {
    const path = join(temporary, name);
    if (/openrouter\.json/.test(readFileSync(path, 'utf8')) && !name.startsWith('index'))
      writeFileSync(path, 'throw new Error("read")');
  }
  const script = `
    const { findModel, loadProviders } = await import('./index.mjs');
    const { providers } = await loadProviders('models.json', undefined);
    const ready = ({ name }) => name === 'anthropic';
    for (const wish of ['anthropic/claude-sonnet-5-5', 'sonnet:high', undefined, 'openrouter/x']) {
      const said = await findModel(wish, providers, { ready }).then(({ model }) => model.id, (error) => error.message);
      console.log(said);
    }`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: temporary,
    encoding: 'utf8',
  });
  expect(output.trim().split('\n')).toEqual(['claude-sonnet-5-5', 'claude-sonnet-5-5', 'claude-sonnet-5-5', 'read']);
});
