/** A provider's models, from the catalogue and from the user, and one of them as the model that is asked. */
import type { Model, Price } from '@tau/core';
import { catalogueModels } from '../catalogue/catalogue.ts';
import { overlay } from './model-entry.ts';
import type { ModelFacts, Provider } from './provider.ts';

/** The user's own come first, in their order: a shipped one that is described there has its facts completed. */
export async function modelsOf(provider: Provider): Promise<readonly ModelFacts[]> {
  const { models, changes = {}, modelOverrides = {} } = provider;
  const shipped = provider.catalogued ? await catalogueModels(provider.name) : [];
  const known = new Map(
    shipped.map((facts) => [facts.id, overlay(overlay(facts, changes), modelOverrides[facts.id] ?? {})]),
  );
  const own = models.map((facts) => overlay(known.get(facts.id) ?? { id: facts.id }, facts));
  for (const { id } of own) known.delete(id);
  return [...own, ...known.values()];
}

/** Everything a request needs to know, in one object. */
export function modelOf(provider: Provider, { name: _, unusable: __, cost, ...facts }: ModelFacts): Model {
  const headers = { ...provider.headers, ...facts.headers };
  const compat = { ...provider.compat, ...facts.compat };
  return {
    ...facts,
    provider: provider.name,
    api: facts.api ?? provider.api,
    baseUrl: facts.baseUrl ?? provider.baseUrl,
    ...(cost && { cost: priceOf(cost) }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

/** What reading or writing a cache costs counts as nothing where nobody says what it is. */
function priceOf({ input, output, cacheRead = 0, cacheWrite = 0 }: NonNullable<ModelFacts['cost']>): Price {
  return { input, output, cacheRead, cacheWrite };
}
