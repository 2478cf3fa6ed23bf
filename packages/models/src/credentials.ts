/** Where a provider's key comes from: the flag, the vendor's own variable, then `models.json`. */
import { TauError } from '@tau/core';
import type { Provider } from './registry/provider.ts';

/** True when its key is known, or it was described without one and needs none. */
export function isReady(provider: Provider, env: NodeJS.ProcessEnv): boolean {
  const { apiKey, keyVariable } = provider;
  if (vendorKey(provider, env) !== undefined) return true;
  if (apiKey === undefined) return keyVariable === undefined;
  return !isSurelyVariable(apiKey) || Boolean(env[apiKey]);
}

/** `undefined` for a provider that needs none. A key never goes to another provider than its own. */
export async function findKey(
  provider: Provider,
  env: NodeJS.ProcessEnv,
  flag: string | undefined,
): Promise<string | undefined> {
  const key = flag ?? vendorKey(provider, env) ?? (await fileKey(provider, env));
  if (key !== undefined) return key;
  if (!provider.keyVariable) return undefined;
  throw new TauError('credentials', `There is no API key for ${provider.name}`, {
    remedy: `Set ${provider.keyVariable}, pass --api-key, or give it an apiKey in models.json`,
  });
}

/** The variables that hold keys, for whoever must keep them from child processes. */
export function keyVariables(providers: readonly Provider[]): string[] {
  const named = providers.flatMap((provider) => [provider.keyVariable, provider.apiKey]);
  return named.filter((name) => name !== undefined).filter(isVariable);
}

function vendorKey(provider: Provider, env: NodeJS.ProcessEnv): string | undefined {
  return (provider.keyVariable && env[provider.keyVariable]) || undefined;
}

function isVariable(text: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(text);
}

/** With an underscore it can only be a name; without one it may be a key in capitals, which must not be shown. */
function isSurelyVariable(text: string): boolean {
  return isVariable(text) && text.includes('_');
}

async function fileKey(provider: Provider, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const written = provider.apiKey;
  if (written === undefined) return undefined;
  if (written.startsWith('!')) return helperKey(provider.name, written.slice(1), env);
  const value = isVariable(written) ? env[written] : undefined;
  if (value) return value;
  if (!isSurelyVariable(written)) return written;
  throw new TauError('credentials', `The key of ${provider.name} is in ${written}, which is not set`, {
    remedy: `Set ${written} or pass --api-key`,
  });
}

async function helperKey(provider: string, command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', command], { timeout: 30_000, env }, (error, stdout) => {
      const key = stdout.trim();
      if (!error && key) return resolve(key);
      // The command and its own words may hold a secret, so only its fate is told.
      reject(
        new TauError('credentials', `The key command of ${provider} ${error ? 'failed' : 'printed nothing'}`, {
          remedy: `To see why, run by hand what the apiKey of ${provider} in models.json says after the "!"`,
        }),
      );
    });
  });
}
