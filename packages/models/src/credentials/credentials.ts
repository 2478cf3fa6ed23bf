/**
 * Where a provider's key comes from. In order: --api-key, TAU_API_KEY, the provider's own variables, `models.json`, the
 * helper command, `auth.json`. A key goes to its own provider and to no other; the first two say not whose they are, so
 * they go to the provider that is asked for first, which is the one the user chose.
 */
import { statSync } from 'node:fs';
import { TauError } from '@tau/core';
import { type AuthFile, readAuthFile } from './auth-file.ts';
import { type CommandOptions, firstLine } from './command.ts';
import { type AuthEntry, isExpired, parseEntry } from './entry.ts';
import { resolveHeaders } from './headers.ts';
import {
  isKeylessHere,
  isSurelyVariable,
  isToken,
  isVariable,
  type KeyOwner,
  needsKey,
  secretVariables,
  universalVariable,
  variablesOf,
  variableValue,
} from './owner.ts';
import { createScrub } from './scrub.ts';
import { secretsNamedIn } from './shapes.ts';
import { hintOf, type KeySource, type KeySources } from './source.ts';

export interface CredentialOptions {
  env: NodeJS.ProcessEnv;
  /** The value of --api-key. */
  flag?: string | undefined;
  authFile: string;
  /** A command that prints the key of the provider in TAU_PROVIDER. */
  helper?: string | undefined;
  /** Ends commands that are still running. */
  signal?: AbortSignal | undefined;
}

export interface Credentials {
  /** True when it has a key of its own, or needs none. Runs no command. */
  ready(provider: KeyOwner): boolean;
  /** `undefined` for a provider that needs none. The signal ends a command that is asked for it. */
  find(provider: KeyOwner, signal?: AbortSignal): Promise<string | undefined>;
  /** True when what `find` gives is a token that is sent as `Authorization: Bearer`, whatever its API does with keys. */
  bearer(provider: KeyOwner): boolean;
  /** Its headers with variables and commands resolved. */
  headers(provider: KeyOwner, signal?: AbortSignal): Promise<Record<string, string>>;
  /** For status: which source would be used and what else is there. Runs no command. */
  source(provider: KeyOwner): Promise<KeySources>;
  /** Every secret seen so far, for whoever must keep them out of what is written. */
  secrets(): string[];
  /** A text without them, and without what looks like one. */
  scrub(text: string): string;
  /** The names of variables that hold keys, for whoever must keep them from child processes. */
  variables(providers: readonly KeyOwner[]): string[];
  /** What the user should know: that `auth.json` could be read by others. */
  warnings(): string[];
}

interface Candidate {
  source: KeySource;
  read(signal?: AbortSignal): string | Promise<string>;
}

export function createCredentials(options: CredentialOptions): Credentials {
  const { env, authFile, helper, signal } = options;
  const flag = options.flag?.trim() || undefined;
  const universal = variableValue(env, universalVariable);
  const secrets = new Set<string>();
  const warnings = new Set<string>();
  const authEntries = rememberedFile(authFile, warnings);
  const runOnce = remembered(signal);
  let chosen: string | undefined;
  for (const secret of [flag, universal, ...secretsNamedIn(env)]) if (secret !== undefined) secrets.add(secret);

  function* candidates(provider: KeyOwner): Generator<Candidate> {
    if (chosen === provider.name) {
      if (flag !== undefined) yield { source: { kind: 'flag', ...hintOf(flag) }, read: () => flag };
      if (universal !== undefined && !isKeylessHere(provider)) yield fromVariable(universalVariable, universal);
    }
    for (const name of variablesOf(provider)) {
      const value = variableValue(env, name);
      if (value !== undefined) yield fromVariable(name, value, isToken(provider.name, name));
    }
    const written = fromModelsFile(provider);
    if (written) yield written;
    if (helper !== undefined && needsKey(provider))
      yield { source: { kind: 'helper' }, read: (during) => askHelper(provider, during) };
    const entry = authEntries().get(provider.name);
    if (entry !== undefined) yield fromAuthFile(provider.name, parseEntry(entry));
  }

  function fromModelsFile({ name, apiKey }: KeyOwner): Candidate | undefined {
    if (apiKey === undefined) return undefined;
    if (apiKey.startsWith('!')) {
      const command = apiKey.slice(1);
      return {
        source: { kind: 'modelsFile', form: 'command' },
        read: (during) => runKeyCommand(name, command, during),
      };
    }
    const value = isVariable(apiKey) ? variableValue(env, apiKey) : undefined;
    if (value !== undefined) {
      return { source: { kind: 'modelsFile', form: 'variable', name: apiKey, ...hintOf(value) }, read: () => value };
    }
    if (isSurelyVariable(apiKey)) return undefined;
    return { source: { kind: 'modelsFile', form: 'literal', ...hintOf(apiKey) }, read: () => apiKey };
  }

  function runKeyCommand(provider: string, command: string, during: AbortSignal | undefined): Promise<string> {
    return runOnce(command, {
      env: { ...env, TAU_PROVIDER: provider },
      what: `The key command of ${provider}`,
      remedy: `To see why, run by hand what the apiKey of ${provider} in models.json says after the "!"`,
      signal: during,
    });
  }

  function askHelper({ name }: KeyOwner, during: AbortSignal | undefined): Promise<string> {
    return runOnce(helper ?? '', {
      env: { ...env, TAU_PROVIDER: name },
      what: `The apiKeyHelper of the settings, asked for ${name},`,
      remedy: `To see why, run it by hand with TAU_PROVIDER=${name}; or pass --api-key`,
      signal: during,
    });
  }

  function fromAuthFile(provider: string, entry: AuthEntry | { problem: string }): Candidate {
    if ('problem' in entry) {
      const fail = () => {
        throw new TauError('credentials', `The entry of ${provider} in ${authFile} cannot be used: ${entry.problem}`, {
          remedy: `Store the key again: tau auth set ${provider}`,
        });
      };
      return { source: { kind: 'authFile', form: 'broken', problem: entry.problem }, read: fail };
    }
    if (entry.type === 'api_key') {
      return { source: { kind: 'authFile', form: 'key', ...hintOf(entry.key) }, read: () => entry.key };
    }
    const { access, refresh, expires } = entry;
    const expired = isExpired(entry, Date.now());
    return {
      source: {
        kind: 'authFile',
        form: 'login',
        bearer: true,
        ...hintOf(access),
        ...(expires !== undefined && { expires }),
        ...(expired && { problem: 'it has expired' }),
      },
      read: () => {
        if (refresh !== undefined) secrets.add(refresh);
        secrets.add(access);
        if (!expired) return access;
        throw new TauError('credentials', `The login of ${provider} in ${authFile} has expired and must be renewed`, {
          remedy: `tau cannot log in through a browser yet: log in again where it was made, or store a key with tau auth set ${provider}`,
        });
      },
    };
  }

  return {
    ready: (provider) => !candidates(provider).next().done || !needsKey(provider),

    async find(provider, during) {
      chosen ??= provider.name;
      const [first] = candidates(provider);
      if (!first) {
        if (!needsKey(provider)) return undefined;
        throw missingKey(provider);
      }
      const key = await first.read(during);
      secrets.add(key);
      return key;
    },

    bearer(provider) {
      const [first] = candidates(provider);
      return first !== undefined && 'bearer' in first.source;
    },

    headers: (provider, during) =>
      resolveHeaders(provider.headers ?? {}, env, {
        provider: provider.name,
        signal: during,
        run: runOnce,
        onSecret: (value) => secrets.add(value),
      }),

    async source(provider) {
      const [used, ...others] = [...candidates(provider)].map(({ source }) => source);
      const variable = variableToSet(provider);
      return { ...(used && { used }), others, needed: needsKey(provider), ...(variable !== undefined && { variable }) };
    },

    secrets: () => [...secrets],
    scrub: createScrub(secrets),
    variables: secretVariables,
    warnings: () => [...warnings],
  };
}

function fromVariable(name: string, value: string, bearer = false): Candidate {
  return { source: { kind: 'variable', name, ...hintOf(value), ...(bearer && { bearer }) }, read: () => value };
}

function variableToSet(provider: KeyOwner): string | undefined {
  const { apiKey } = provider;
  return apiKey !== undefined && isSurelyVariable(apiKey) ? apiKey : variablesOf(provider)[0];
}

function missingKey(provider: KeyOwner): TauError {
  const { name, apiKey } = provider;
  const variable = variableToSet(provider);
  const why =
    apiKey === undefined ? `There is no API key for ${name}` : `The key of ${name} is in ${variable}, which is not set`;
  return new TauError('credentials', why, { remedy: `Set ${variable}, run tau auth set ${name}, or pass --api-key` });
}

/** A command is run once for each provider; one that failed may be tried again. */
function remembered(signal: AbortSignal | undefined) {
  const results = new Map<string, Promise<string>>();
  return (command: string, options: CommandOptions): Promise<string> => {
    const id = JSON.stringify([command, options.env.TAU_PROVIDER]);
    const known = results.get(id);
    if (known) return known;
    const result = firstLine(command, { ...options, signal: options.signal ?? signal });
    results.set(id, result);
    result.catch(() => results.delete(id));
    return result;
  };
}

/** Read again only when it was replaced: another tau may store a key while this one runs. */
function rememberedFile(path: string, warnings: Set<string>): () => AuthFile['entries'] {
  let last: { stamp: string; entries: AuthFile['entries'] } | undefined;
  return () => {
    const stamp = stampOf(path);
    if (last && stamp !== '' && last.stamp === stamp) return last.entries;
    const file = readAuthFile(path);
    for (const warning of file.warnings) warnings.add(warning);
    last = { stamp, entries: file.entries };
    return file.entries;
  };
}

/** Empty when there is nothing to be seen; reading it says why. */
function stampOf(path: string): string {
  try {
    const { ino, mtimeMs, size, mode } = statSync(path);
    return `${ino}:${mtimeMs}:${size}:${mode}`;
  } catch {
    return '';
  }
}
