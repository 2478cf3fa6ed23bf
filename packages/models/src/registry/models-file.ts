/** `models.json` in pi's shape, laid over the providers tau ships with. Fields tau does not use are left alone. */
import { describeProblem, type JsonSchema, parseAs, TauError } from '@tau/core';
import { knownApis } from '../protocols.ts';
import { builtinProviders, type ModelFacts, type Provider } from './provider.ts';

interface ModelsFile {
  providers: Record<string, Partial<Pick<Provider, 'baseUrl' | 'api' | 'apiKey' | 'headers' | 'models'>>>;
}

const price: JsonSchema = { type: 'number', minimum: 0 };
const facts: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', minLength: 1 },
    contextWindow: { type: 'integer', minimum: 1 },
    maxTokens: { type: 'integer', minimum: 1 },
    cost: {
      type: 'object',
      required: ['input', 'output'],
      properties: { input: price, output: price, cacheRead: price, cacheWrite: price },
    },
  },
};
const schema: JsonSchema = {
  type: 'object',
  required: ['providers'],
  properties: {
    providers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          baseUrl: { type: 'string' },
          api: { type: 'string' },
          apiKey: { type: 'string', minLength: 1 },
          headers: { type: 'object', additionalProperties: { type: 'string' } },
          models: { type: 'array', items: facts },
        },
      },
    },
  },
};

/**
 * The user's providers come first, in their order, then those tau ships with that they did not mention. Without a file
 * (`undefined`) there are only the latter. One that tau cannot use is kept, with a warning: it matters to who chooses it.
 */
export async function loadProviders(
  path: string,
  content: unknown,
): Promise<{ providers: readonly Provider[]; warnings: string[] }> {
  if (content === undefined) return { providers: builtinProviders, warnings: [] };
  const parsed = await parseAs<ModelsFile>(schema, content);
  if ('problems' in parsed) throw badFile(path, parsed.problems.map(describeProblem).join('; '));
  const own = Object.entries(parsed.value.providers).map(([name, given]) => provider(path, name, given));
  const named = new Set(own.map(({ name }) => name));
  return {
    providers: [...own, ...builtinProviders.filter(({ name }) => !named.has(name))],
    warnings: own.flatMap(({ unusable }) => unusable ?? []),
  };
}

function provider(path: string, name: string, given: ModelsFile['providers'][string]): Provider {
  const shipped = builtinProviders.find((known) => known.name === name);
  const baseUrl = given.baseUrl ?? shipped?.baseUrl ?? '';
  const api = given.api ?? shipped?.api ?? '';
  const problem = problemOf(baseUrl, api);
  return {
    ...shipped,
    name,
    baseUrl,
    api,
    ...(given.apiKey !== undefined && { apiKey: given.apiKey }),
    ...(given.headers && { headers: given.headers }),
    models: given.models?.map(modelFacts) ?? shipped?.models ?? [],
    open: shipped?.open ?? (given.models ?? []).length === 0,
    ...(problem && { unusable: `${path}: provider "${name}" cannot be used: ${problem}` }),
  };
}

function problemOf(baseUrl: string, api: string): string | undefined {
  if (baseUrl === '') return 'its baseUrl is missing';
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    return `its baseUrl "${baseUrl}" is no http or https address`;
  }
  if (knownApis.includes(api)) return undefined;
  return `its api is ${api === '' ? 'missing' : `"${api}"`}; tau speaks ${knownApis.join(' and ')}`;
}

/** The facts we use and no others. The cache prices may be left out; they are then nothing. */
function modelFacts({ id, contextWindow, maxTokens, cost }: ModelFacts): ModelFacts {
  return {
    id,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(cost && {
      cost: {
        input: cost.input,
        output: cost.output,
        cacheRead: cost.cacheRead ?? 0,
        cacheWrite: cost.cacheWrite ?? 0,
      },
    }),
  };
}

function badFile(path: string, problem: string): TauError {
  return new TauError('configuration', `${path} cannot be used: ${problem}`, { remedy: 'Mend or remove the file' });
}
