/** From what the user wrote to a model: never a silent other one. */
import { type Model, TauError } from '@tau/core';
import { isReady } from '../credentials.ts';
import type { ModelFacts, Provider } from './provider.ts';

export interface Choice {
  provider: Provider;
  model: Model;
}

/**
 * `provider/id`, or an id that one provider lists, or an id whose maker is plain from its name. Without a wish: the
 * first provider that has a key and a model. `undefined` means there is nothing to choose from. A key given beside the
 * wish does not choose: it says not whose it is.
 */
export function chooseModel(
  wish: string | undefined,
  providers: readonly Provider[],
  env: NodeJS.ProcessEnv,
  apiKey?: string,
): Choice | undefined {
  if (wish === undefined) {
    const first = firstReady(providers, env);
    if (first || apiKey === undefined) return first;
    const why = 'so that the key goes to the right provider';
    throw new TauError('credentials', `--api-key needs --model provider/id, ${why}`);
  }
  const slash = wish.indexOf('/');
  const named = slash > 0 ? providers.find((provider) => provider.name === wish.slice(0, slash)) : undefined;
  if (named) return choose(named, wish.slice(slash + 1));

  const listing = providers.filter((provider) => provider.models.some((model) => model.id === wish));
  if (listing.length > 1) {
    const names = listing.map((provider) => `${provider.name}/${wish}`).join(', ');
    throw new TauError('unknownModel', `"${wish}" is offered by several providers`, { remedy: `Say which: ${names}` });
  }
  const maker = listing[0] ?? providers.find((provider) => provider.name === makerOf(wish));
  if (maker) return choose(maker, wish);
  throw new TauError('unknownModel', `No provider is known for the model "${wish}"`, {
    remedy: `Write it as provider/id with one of: ${providers.map((provider) => provider.name).join(', ')}`,
  });
}

function choose(provider: Provider, id: string): Choice {
  if (provider.unusable !== undefined) {
    throw new TauError('configuration', provider.unusable, { remedy: 'Mend it there, or choose another with --model' });
  }
  const listed = provider.models.find((model) => model.id === id);
  if (!listed && !provider.open) {
    throw new TauError('unknownModel', `${provider.name} has no model "${id}" in models.json`, {
      remedy: `It lists: ${provider.models.map((model) => model.id).join(', ')}`,
    });
  }
  if (id === '') throw new TauError('unknownModel', `No model is named after "${provider.name}/"`);
  return { provider, model: modelOf(provider, listed ?? { id }) };
}

function firstReady(providers: readonly Provider[], env: NodeJS.ProcessEnv): Choice | undefined {
  for (const provider of providers) {
    const first = provider.models[0];
    if (!first || provider.local || provider.unusable !== undefined) continue;
    if (isReady(provider, env)) return { provider, model: modelOf(provider, first) };
  }
  return undefined;
}

function modelOf(provider: Provider, facts: ModelFacts): Model {
  return {
    ...facts,
    provider: provider.name,
    api: provider.api,
    baseUrl: provider.baseUrl,
    ...(provider.headers && { headers: provider.headers }),
  };
}

function makerOf(id: string): string | undefined {
  if (id.startsWith('claude')) return 'anthropic';
  return /^(gpt-|o\d)/.test(id) ? 'openai' : undefined;
}
