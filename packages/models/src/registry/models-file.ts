/** `models.json` in pi's shape, laid over the providers tau ships with. Fields tau does not use are left alone. */
import { TauError } from '@tau/core';
import * as z from 'zod/mini';
import { knownApis } from '../protocols.ts';
import { builtinProviders, type Provider } from './provider.ts';

const facts = z.object({
  id: z.string().check(z.minLength(1)),
  contextWindow: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
  cost: z.optional(
    z.object({
      input: z.number(),
      output: z.number(),
      cacheRead: z._default(z.number(), 0),
      cacheWrite: z._default(z.number(), 0),
    }),
  ),
});

const modelsFile = z.object({
  providers: z.record(
    z.string(),
    z.object({
      baseUrl: z.optional(z.url()),
      api: z.optional(z.string()),
      apiKey: z.optional(z.string()),
      headers: z.optional(z.record(z.string(), z.string())),
      models: z.optional(z.array(facts)),
    }),
  ),
});

/** The user's providers come first, in their order, then those tau ships with that they did not mention. */
export function mergeModelsFile(path: string, content: unknown): Provider[] {
  const parsed = modelsFile.safeParse(content);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
    throw badFile(path, problems.join('; '));
  }
  const own = Object.entries(parsed.data.providers).map(([name, given]): Provider => {
    const shipped = builtinProviders.find((provider) => provider.name === name);
    const baseUrl = given.baseUrl ?? shipped?.baseUrl;
    const api = given.api ?? shipped?.api;
    if (!baseUrl) throw badFile(path, `providers.${name}.baseUrl is missing`);
    if (!api) throw badFile(path, `providers.${name}.api is missing`);
    if (!knownApis.includes(api)) {
      throw badFile(path, `providers.${name}.api is "${api}"; tau speaks ${knownApis.join(' and ')}`);
    }
    return {
      ...shipped,
      name,
      baseUrl,
      api,
      ...(given.apiKey !== undefined && { apiKey: given.apiKey }),
      ...(given.headers && { headers: given.headers }),
      models: given.models ?? shipped?.models ?? [],
      open: shipped?.open ?? (given.models ?? []).length === 0,
    };
  });
  const named = new Set(own.map((provider) => provider.name));
  return [...own, ...builtinProviders.filter((provider) => !named.has(provider.name))];
}

function badFile(path: string, problem: string): TauError {
  return new TauError('configuration', `${path} cannot be used: ${problem}`, { remedy: 'Mend or remove the file' });
}
