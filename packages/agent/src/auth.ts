/** The keys of `auth.json` and where every provider's key comes from, for `tau auth`. A key goes in and never comes out. */
import { nearest, TauError } from '@tau/core';
import {
  createCredentials,
  hintOf,
  type KeyOwner,
  type KeySource,
  type KeySources,
  readAuthFile,
  removeEntry,
  scrub,
  storeKey,
} from '@tau/models';
import { findHome } from './config/home.ts';
import { loadSettings } from './config/settings.ts';
import { readProviders } from './models.ts';

export type { KeySource } from '@tau/models';

export interface ProviderStatus extends KeySources {
  provider: string;
  /** The model of the settings is one of its. */
  inUse: boolean;
}

export interface AuthStatus {
  authFile: string;
  /** TAU_API_KEY is set: it goes to the provider of whichever model is chosen, before all others. */
  universal?: { variable: 'TAU_API_KEY'; hint?: string };
  providers: ProviderStatus[];
  /** Entries of `auth.json` that belong to no provider tau knows. */
  unknownEntries: string[];
}

export interface Auth {
  authFile: string;
  /** What the user should know, such as that the file could be read by others. */
  warnings: readonly string[];
  /** The name as it stands, or an error with the nearest one. */
  known(provider: string): string;
  /** Says what was there before, and which source still goes before the key. Refuses what cannot be a key. */
  set(provider: string, key: string): Promise<{ replaced: 'nothing' | 'key' | 'login'; before?: KeySource }>;
  /** False when there was none. */
  remove(provider: string): Promise<boolean>;
  status(): Promise<AuthStatus>;
}

/** A file that cannot be understood is an error here already: nothing is written over it. */
export async function openAuth(env: NodeJS.ProcessEnv): Promise<Auth> {
  const home = findHome(env);
  const file = home.auth;
  const { entries, warnings } = readAuthFile(file);
  const { providers, warnings: badProviders } = await readProviders(home, env);
  const { settings, warnings: badSettings } = await loadSettings(home, { env });
  const owners: readonly KeyOwner[] = providers;
  const credentials = createCredentials({ env, authFile: file, helper: settings.apiKeyHelper });
  const names = owners.map(({ name }) => name);
  const unknownProvider = (name: string, among: readonly string[]) => {
    const near = nearest(name, among);
    return new TauError('usage', `There is no provider "${name}"`, {
      remedy: `${near ? `Did you mean ${near}? ` : ''}Known are: ${among.join(', ')}; models.json may describe others`,
    });
  };

  return {
    authFile: file,
    warnings: [...warnings, ...badProviders, ...badSettings],

    known(provider) {
      if (names.includes(provider)) return provider;
      throw unknownProvider(provider, names);
    },

    async set(provider, key) {
      const replaced = await storeKey(file, provider, checkKey(key));
      const owner = owners.find(({ name }) => name === provider);
      const used = owner && (await credentials.source(owner)).used;
      return { replaced, ...(used && used.kind !== 'authFile' && { before: used }) };
    },

    async remove(provider) {
      // An entry outlives its provider in models.json; it can be removed all the same.
      if (!entries.has(provider) && !names.includes(provider)) {
        throw unknownProvider(provider, [...names, ...entries.keys()]);
      }
      return removeEntry(file, provider);
    },

    async status() {
      const universal = env.TAU_API_KEY?.trim();
      return {
        authFile: file,
        ...(universal && { universal: { variable: 'TAU_API_KEY', ...hintOf(universal) } }),
        providers: await Promise.all(
          owners.map(
            async (owner): Promise<ProviderStatus> => ({
              provider: owner.name,
              inUse: settings.model?.startsWith(`${owner.name}/`) ?? false,
              ...(await credentials.source(owner)),
            }),
          ),
        ),
        unknownEntries: [...entries.keys()].filter((name) => !names.includes(name)),
      };
    },
  };
}

const maxKeyChars = 16_384;

function checkKey(text: string): string {
  const key = text.trim();
  const problem = problemOf(key);
  if (problem === undefined) return key;
  throw new TauError('usage', problem, { remedy: 'Nothing was stored. Copy the key again, alone and whole' });
}

function problemOf(key: string): string | undefined {
  if (key === '') return 'No key was given';
  if (/[\r\n]/.test(key)) return 'The key has more than one line';
  if (key.length > maxKeyChars) return `The key is longer than ${maxKeyChars} characters`;
  return /^[\x21-\x7e]+$/.test(key) ? undefined : 'The key holds a space or another character that cannot be sent';
}

/** Whether a text is most likely a key, so that it is not repeated in a message. */
export function isKeyShaped(text: string): boolean {
  return scrub(text, []) !== text;
}
