/** A home whose `models.json` the test writes, most often with every provider led to one server that speaks all protocols. */
import { join } from 'node:path';
import type { Sandbox, ScriptedModel } from '@tau/testkit';
import { type Api, bareSandbox } from './conversation.ts';

export const key = 'test-key-0123456789';

/** What a client of each protocol expects in its base URL. */
export const basePath: Readonly<Record<Api, string>> = {
  'anthropic-messages': '',
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'google-generative-ai': '/v1beta',
};

/** A provider with one model, `x`, at the scripted server. */
export function providerAt({ url }: Pick<ScriptedModel, 'url'>, api: Api, facts: Record<string, unknown> = {}) {
  return { baseUrl: url + basePath[api], api, apiKey: key, models: [{ id: 'x', ...facts }] };
}

export function writeProviders({ write, tauHome }: Sandbox, providers: Record<string, unknown>): void {
  write(join(tauHome, 'models.json'), JSON.stringify({ providers }));
}

/** A home with these providers. Nothing is tried twice unless the settings say so: a script counts the requests. */
export function homeWith(providers: Record<string, unknown>, settings: object = {}): Sandbox {
  const [first] = Object.keys(providers);
  const sandbox = bareSandbox({ settings: { model: `${first}/x`, retry: { retries: 0 }, ...settings } });
  writeProviders(sandbox, providers);
  return sandbox;
}
