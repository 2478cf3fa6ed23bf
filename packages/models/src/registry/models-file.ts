/**
 * `models.json` in pi's shape, laid over the providers tau ships with. Fields tau does not use are left alone. What cannot
 * be read is told and kept out of use, so that a half-read description never sends a request where nobody wanted it.
 */
import { describeProblem, isRecord, type JsonSchema, parseAs, TauError } from '@tau/core';
import { findProtocol, knownApis } from '../protocols.ts';
import { withAddress } from './address.ts';
import { builtinProviders } from './builtin.ts';
import { changesOf, entryFields, type ModelEntry } from './model-entry.ts';
import type { ModelChanges, ModelFacts, Provider } from './provider.ts';

interface ProviderEntry extends Partial<Pick<Provider, 'baseUrl' | 'api' | 'apiKey' | 'headers' | 'compat'>> {
  timeoutSecs?: number;
  /** `true`: as a bearer token; a text: in the header of that name. */
  authHeader?: boolean | string;
  models?: readonly unknown[];
  modelOverrides?: Readonly<Record<string, unknown>>;
}

const providerSchema: JsonSchema = {
  type: 'object',
  properties: {
    baseUrl: { type: 'string' },
    api: { type: 'string' },
    apiKey: { type: 'string', minLength: 1 },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    authHeader: { type: ['boolean', 'string'] },
    compat: { type: 'object' },
    timeoutSecs: { type: 'number', exclusiveMinimum: 0, maximum: 86_400 },
    models: { type: 'array' },
    modelOverrides: { type: 'object' },
  },
};
const overrideSchema: JsonSchema = { type: 'object', properties: entryFields };
const modelSchema: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: { ...entryFields, id: { type: 'string', minLength: 1 } },
};

/**
 * The user's providers come first, in their order, then those tau ships with that they did not mention. Without a file
 * (`undefined`) there are only the latter. One that tau cannot use is kept, with a warning: it matters to who chooses it.
 */
export async function loadProviders(
  path: string,
  content: unknown,
  env: NodeJS.ProcessEnv = {},
): Promise<{ providers: readonly Provider[]; warnings: string[] }> {
  if (content === undefined) return { providers: builtinProviders.map((one) => withAddress(one, env)), warnings: [] };
  if (!isRecord(content)) throw badFile(path, 'it must be an object that holds providers');
  const { providers: described } = content;
  if (!isRecord(described)) {
    throw badFile(path, described === undefined ? '"providers" is missing' : 'providers: must be an object');
  }
  const own: Provider[] = [];
  const warnings: string[] = [];
  const warn = (sentence: string) => void warnings.push(`${sentence}. Mend it there, or leave it out`);
  for (const [name, given] of Object.entries(described)) {
    const provider = withAddress(await readProvider({ path, name, warn }, given), env);
    if (provider.unusable !== undefined) warn(provider.unusable);
    own.push(provider);
  }
  const named = new Set(own.map(({ name }) => name));
  const rest = builtinProviders.filter(({ name }) => !named.has(name)).map((one) => withAddress(one, env));
  return { providers: [...own, ...rest], warnings };
}

interface Place {
  path: string;
  name: string;
  warn: (sentence: string) => void;
}

async function readProvider(place: Place, content: unknown): Promise<Provider> {
  const { path, name } = place;
  const shipped = builtinProviders.find((known) => known.name === name);
  const parsed = await parseAs<ProviderEntry>(providerSchema, content);
  if ('problems' in parsed) {
    const base = shipped ?? { name, api: '', baseUrl: '', models: [], open: true };
    const why = parsed.problems.map((problem) => at(place, problem.path, problem.message)).join('; ');
    return { ...base, own: true, unusable: `${path}: provider "${name}" cannot be used: ${why}` };
  }
  const { baseUrl, api, apiKey, headers, timeoutSecs, authHeader, models, modelOverrides } = parsed.value;
  const compat = withAuthHeader(parsed.value.compat, authHeader);
  const provider: Provider = {
    ...shipped,
    name,
    own: true,
    baseUrl: baseUrl ?? shipped?.baseUrl ?? '',
    api: api ?? shipped?.api ?? '',
    ...(apiKey !== undefined && { apiKey }),
    ...(headers && { headers }),
    ...(timeoutSecs !== undefined && { timeoutSecs }),
    ...(compat && { compat: { ...shipped?.compat, ...compat } }),
    // What the user says of the provider counts for every model of it, also for one that ships with its own address.
    ...(shipped?.catalogued && {
      changes: {
        ...(api !== undefined && { api }),
        ...(baseUrl !== undefined && { baseUrl }),
        ...(compat && { compat }),
      },
    }),
    open: shipped?.open ?? (models ?? []).length === 0,
    models: [],
  };
  const problem = problemOf(provider);
  if (problem) provider.unusable = `${path}: provider "${name}" cannot be used: ${problem}`;
  warnOfCompat(place, [], provider.api, parsed.value.compat);
  provider.models = await readModels(place, provider.api, models ?? []);
  if (modelOverrides) provider.modelOverrides = await readOverrides(place, provider.api, modelOverrides);
  return provider;
}

async function readModels(place: Place, api: string, entries: readonly unknown[]): Promise<ModelFacts[]> {
  const read: ModelFacts[] = [];
  for (const [index, entry] of entries.entries()) {
    const keys = ['models', String(index)];
    const parsed = await parseAs<ModelEntry>(modelSchema, entry);
    const id = isRecord(entry) && typeof entry.id === 'string' ? entry.id : '';
    if ('value' in parsed) read.push({ id, ...entryChanges(place, keys, api, parsed.value) });
    else {
      const unusable = unreadable(place, keys, parsed.problems);
      if (id !== '') read.push({ id, unusable });
    }
  }
  return read;
}

async function readOverrides(place: Place, api: string, entries: Readonly<Record<string, unknown>>) {
  const read: Record<string, ModelChanges> = {};
  for (const [id, entry] of Object.entries(entries)) {
    const keys = ['modelOverrides', id];
    const parsed = await parseAs<Omit<ModelEntry, 'id'>>(overrideSchema, entry);
    read[id] =
      'value' in parsed
        ? entryChanges(place, keys, api, parsed.value)
        : { unusable: unreadable(place, keys, parsed.problems) };
  }
  return read;
}

function entryChanges(place: Place, keys: string[], api: string, entry: Omit<ModelEntry, 'id'>): ModelChanges {
  warnOfCompat(place, keys, entry.api ?? api, entry.compat);
  if (entry.api === undefined || knownApis.includes(entry.api)) return changesOf(entry);
  const message = `"${entry.api}" is no protocol tau speaks; they are ${knownApis.join(', ')}`;
  return { unusable: unreadable(place, keys, [{ path: ['api'], message }]) };
}

/** Told now, and again to whoever chooses it. */
function unreadable(
  { path, ...place }: Place,
  keys: string[],
  problems: { path: string[]; message: string }[],
): string {
  const why = problems.map((problem) => at(place, [...keys, ...problem.path], problem.message)).join('; ');
  const sentence = `${path}: the model cannot be used: ${why}`;
  place.warn(sentence);
  return sentence;
}

function warnOfCompat(place: Place, keys: string[], api: string, compat: unknown): void {
  for (const problem of findProtocol(api)?.compatProblems(compat) ?? [])
    place.warn(`${place.path}: ${at(place, keys, problem)}`);
}

function at({ name }: Pick<Place, 'name'>, path: string[], message: string): string {
  return describeProblem({ path: ['providers', name, ...path], message, unknownKey: false });
}

function withAuthHeader(compat: Provider['compat'], authHeader: boolean | string | undefined): Provider['compat'] {
  if (authHeader === undefined || authHeader === false) return compat;
  return { authHeader: authHeader === true ? 'bearer' : authHeader, ...compat };
}

function problemOf({ name, baseUrl, baseUrlVariables, api }: Provider): string | undefined {
  if (name === '' || name.includes('/')) return 'its name is empty or has a slash in it';
  if (baseUrl === '' && !baseUrlVariables) return 'its baseUrl is missing';
  if (baseUrl !== '' && (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl))) {
    return `its baseUrl "${baseUrl}" is no http or https address`;
  }
  if (knownApis.includes(api)) return undefined;
  return `its api is ${api === '' ? 'missing' : `"${api}"`}; tau speaks ${knownApis.join(', ')}`;
}

function badFile(path: string, problem: string): TauError {
  return new TauError('configuration', `${path} cannot be used: ${problem}`, { remedy: 'Mend or remove the file' });
}
