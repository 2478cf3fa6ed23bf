/** Switches that do nothing are told: in every protocol, and also those that only other programs use. */
import { expect, test } from 'vitest';
import { loadProviders } from '../src/index.ts';
import { apis } from './wire.ts';

async function warningsOf(api: string, compat: Record<string, unknown>): Promise<string[]> {
  const lab = { baseUrl: 'http://127.0.0.1:1/v1', api, models: [{ id: 'm', compat }] };
  return (await loadProviders('models.json', { providers: { lab } })).warnings;
}

test.each(apis)('%s: a switch that nobody knows is told with its place', async (api) => {
  const warnings = await warningsOf(api, { suportsStore: true });
  expect(warnings).toEqual([expect.stringContaining('providers.lab.models.0: compat.suportsStore is not known')]);
});

test.each([
  ['openai-responses', { login: 'yes' }, 'compat.login is not true or false'],
  ['openai-responses', { supportsStore: false }, 'compat.supportsStore is not known'],
  ['google-generative-ai', { thinking: 'adaptive' }, 'compat.thinking is not one of budget, level'],
  ['anthropic-messages', { supportsLongCacheRetention: true }, 'has no effect: tau never asks for a long retention'],
  ['openai-completions', { supportsLongCacheRetention: true }, 'has no effect: tau never asks for a long retention'],
])('%s: %j', async (api, compat, problem) => {
  expect(await warningsOf(api, compat)).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['openai-responses', { login: true, strictTools: true, authHeader: 'api-key' }],
  ['google-generative-ai', { thinking: 'level', authHeader: 'bearer' }],
])('%s: what acts is taken without a word: %j', async (api, compat) => {
  expect(await warningsOf(api, compat)).toEqual([]);
});
