/** `models.json` in pi's shape, laid over the providers tau ships with. Fields tau does not use are left alone. */
import { createValidate, describeProblem, type JsonSchema, TauError } from '@tau/core';
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
 * (`undefined`) there are only the latter.
 */
export async function loadProviders(path: string, content: unknown): Promise<readonly Provider[]> {
  if (content === undefined) return builtinProviders;
  const problems = await createValidate()(schema, content);
  if (!isModelsFile(content, problems.length === 0)) throw badFile(path, problems.map(describeProblem).join('; '));
  const own = Object.entries(content.providers).map(([name, given]) => provider(path, name, given));
  const named = new Set(own.map(({ name }) => name));
  return [...own, ...builtinProviders.filter(({ name }) => !named.has(name))];
}

function isModelsFile(_content: unknown, valid: boolean): _content is ModelsFile {
  return valid;
}

function provider(path: string, name: string, given: ModelsFile['providers'][string]): Provider {
  const shipped = builtinProviders.find((known) => known.name === name);
  const baseUrl = given.baseUrl ?? shipped?.baseUrl;
  const api = given.api ?? shipped?.api;
  if (!baseUrl || !/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))
    throw badFile(path, `providers.${name}.baseUrl is ${baseUrl ? 'no URL' : 'missing'}`);
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
    models: given.models?.map(modelFacts) ?? shipped?.models ?? [],
    open: shipped?.open ?? (given.models ?? []).length === 0,
  };
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
