/** What a provider says about its own key, and which words in `models.json` are names of variables. */

/** The part of a provider that matters here. */
export interface KeyOwner {
  name: string;
  baseUrl: string;
  /** A server on this machine. */
  local?: boolean;
  headers?: Readonly<Record<string, string>>;
  /** From `models.json`: a literal, the name of a variable, or `!command`. */
  apiKey?: string;
  /** The vendor's own variables, the first that is set counts. */
  keyVariables?: readonly string[];
  /** Its models may have headers of their own. */
  models?: readonly HeaderOwner[];
  modelOverrides?: Readonly<Record<string, HeaderOwner>>;
}

interface HeaderOwner {
  headers?: Readonly<Record<string, string>>;
}

/** The variable whose value goes to whichever provider the user chose. */
export const universalVariable = 'TAU_API_KEY';

/** These hold a token that is sent as `Authorization: Bearer`, not a key. */
const tokenVariables: Readonly<Record<string, readonly string[]>> = { anthropic: ['ANTHROPIC_AUTH_TOKEN'] };

export function variablesOf({ name, keyVariables = [] }: KeyOwner): string[] {
  return [...new Set([...keyVariables, ...tokensOf(name)])];
}

export function isToken(provider: string, variable: string): boolean {
  return tokensOf(provider).includes(variable);
}

function tokensOf(provider: string): readonly string[] {
  return Object.hasOwn(tokenVariables, provider) ? (tokenVariables[provider] ?? []) : [];
}

export function needsKey(provider: KeyOwner): boolean {
  return provider.apiKey !== undefined || variablesOf(provider).length > 0;
}

/** A server here that was described without a key: it gets none, also not one that would fit everywhere. */
export function isKeylessHere(provider: KeyOwner): boolean {
  return !needsKey(provider) && (provider.local === true || isLoopback(provider.baseUrl));
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** What may be the name of a variable: it is one if such a variable is set. */
export function isVariable(text: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(text);
}

/** With an underscore it can only be a name; without one it may be a key in capitals, which must not be shown. */
export function isSurelyVariable(text: string): boolean {
  return isVariable(text) && text.includes('_');
}

/** An empty variable is not set; the line end that a file left in it is no part of a key. */
export function variableValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** The variables that hold keys, for whoever must keep them from child processes. */
export function secretVariables(providers: readonly KeyOwner[]): string[] {
  const named = providers.flatMap((provider) => [
    ...variablesOf(provider),
    ...[provider.apiKey, ...headerValues(provider)].filter((text) => text !== undefined && isVariable(text)),
  ]);
  return [...new Set([universalVariable, ...named])].filter((name) => name !== undefined);
}

function headerValues({ headers, models = [], modelOverrides = {} }: KeyOwner): string[] {
  const all = [{ headers }, ...models, ...Object.values(modelOverrides)];
  return all.flatMap((owner) => Object.values(owner.headers ?? {}));
}
