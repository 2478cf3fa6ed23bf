/** Every model tau knows of and whether it can be asked, for whoever has to choose one. Keys and headers stay out of it. */
import { nearestAll } from '@tau/core';
import {
  createCredentials,
  fillLocal,
  findLocalServers,
  fullName,
  isGlob,
  type ModelFacts,
  matchAllWords,
  matchGlob,
  modelsOf,
  type Provider,
} from '@tau/models';
import { findHome } from './config/home.ts';
import { loadSettings } from './config/settings.ts';
import { readProviders } from './models.ts';
import { neededKey } from './needed-key.ts';

export interface ListOptions {
  env: NodeJS.ProcessEnv;
  /** Whose project may narrow the choice. */
  cwd?: string;
  /** Words that must all be there, or a pattern. */
  filter?: string;
  /** Also those that cannot be asked now. */
  all?: boolean;
  /** Names, patterns, or parts of names: only models that fit one, in this order. */
  scope?: readonly string[];
}

export interface ListedModel extends Omit<ModelFacts, 'headers' | 'compat' | 'unusable'> {
  provider: string;
  label: string;
  api: string;
  baseUrl: string;
  local: boolean;
  ready: boolean;
  /** What it needs to be ready: one of some variables, to run, or to be mended. */
  missing?: string;
}

export interface ModelList {
  /** Those of ready providers first. */
  models: ListedModel[];
  /** How many more fit but are not ready. */
  hidden: number;
  /** When nothing fits: what is called nearly so. */
  nearest: string[];
  warnings: string[];
}

export async function listModels({ env, cwd, filter = '', all = false, scope }: ListOptions): Promise<ModelList> {
  const home = findHome(env);
  const { settings, warnings: badSettings } = await loadSettings(home, { env, cwd });
  const credentials = createCredentials({ env, authFile: home.auth, helper: settings.apiKeyHelper });
  const { providers: known, warnings } = await readProviders(home, env);
  const servers = await findLocalServers(known);
  const down = new Set(servers.filter(({ models }) => models === undefined).map(({ provider }) => provider));
  const lacks = (provider: Provider) => {
    const mending = mendingOf(provider, env);
    if (mending !== undefined || down.has(provider.name)) return mending ?? 'it to run';
    return credentials.ready(provider) ? undefined : neededKey(provider);
  };
  const providers = fillLocal(known, servers);
  const lists = await Promise.all(
    providers.map(async (one) => (await modelsOf(one)).map((facts) => listed(one, facts, lacks(one)))),
  );
  const { availableModels } = settings;
  const isAvailable = (model: ListedModel) =>
    availableModels?.some((one) => matchGlob(one, [model]).length > 0) ?? true;
  const available = lists.flat().filter(isAvailable);
  const every = scope === undefined ? available : inScope(scope, available);
  const fitting =
    filter.trim() === '' ? every : isGlob(filter) ? matchGlob(filter, every) : matchAllWords(filter, every);
  const ready = fitting.filter((model) => model.ready);
  const rest = fitting.filter((model) => !model.ready);
  return {
    models: all ? [...ready, ...rest] : ready,
    hidden: all ? 0 : rest.length,
    nearest: fitting.length > 0 ? [] : nearNames(filter, every),
    warnings: [...badSettings, ...warnings],
  };
}

/** In the order of the patterns, each model once. */
function inScope(scope: readonly string[], models: readonly ListedModel[]): ListedModel[] {
  const found = scope.flatMap((pattern) => {
    const called = models.filter((model) => fullName(model) === pattern || model.id === pattern);
    if (called.length > 0) return called;
    return isGlob(pattern) ? matchGlob(pattern, models) : matchAllWords(pattern, models);
  });
  return [...new Set(found)];
}

function listed(provider: Provider, facts: ModelFacts, lack: string | undefined): ListedModel {
  const { headers: _, compat: __, unusable, ...told } = facts;
  const missing = unusable === undefined ? lack : `to be mended: ${unusable}`;
  return {
    provider: provider.name,
    label: provider.label ?? provider.name,
    ...told,
    api: facts.api ?? provider.api,
    baseUrl: withoutUser(facts.baseUrl ?? provider.baseUrl),
    local: provider.local ?? false,
    ready: missing === undefined,
    ...(missing !== undefined && { missing }),
  };
}

/** An address that nobody gave is a variable to set, like a key; what is wrong otherwise is told in full. */
function mendingOf({ unusable, baseUrl, baseUrlVariables }: Provider, env: NodeJS.ProcessEnv): string | undefined {
  if (unusable === undefined) return undefined;
  const variables = Object.keys(baseUrlVariables ?? {});
  const isUnset = baseUrl === '' && variables.length > 0 && !variables.some((one) => env[one]);
  return isUnset ? variables.join(' or ') : `to be mended: ${unusable}`;
}

/** An address may carry a name and a password. */
function withoutUser(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}

function nearNames(filter: string, every: readonly ListedModel[]): string[] {
  const near = nearestAll(filter, [...every.map(({ id }) => id), ...every.map(fullName)], 5);
  return [...new Set(near)];
}
