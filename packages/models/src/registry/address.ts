/** The address of a provider whose customers have one each: it is in a variable, whole or as a name to be filled in. */
import type { Provider } from './provider.ts';

/** Unchanged when the address is known already. */
export function withAddress(provider: Provider, env: NodeJS.ProcessEnv): Provider {
  const { name, baseUrl, baseUrlVariables, unusable } = provider;
  if (baseUrl !== '' || !baseUrlVariables || unusable !== undefined) return provider;
  const variables = Object.keys(baseUrlVariables);
  const variable = variables.find((one) => env[one]);
  if (variable === undefined) {
    const ways = `set ${variables.join(' or ')}, or give it a baseUrl in models.json`;
    return { ...provider, unusable: `${name} cannot be used: its address is not known; ${ways}` };
  }
  const value = (env[variable] ?? '').trim().replace(/\/+$/, '');
  const address = (baseUrlVariables[variable] ?? '').replace('{}', () => value);
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return { ...provider, baseUrl: address };
  return { ...provider, unusable: `${name} cannot be used: what is in ${variable} makes no http or https address` };
}
