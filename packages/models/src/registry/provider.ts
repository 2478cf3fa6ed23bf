/** What is known of a provider before any request, and the ones tau ships with. */
import type { ApiName, Model } from '@tau/core';

export interface Provider {
  name: string;
  api: ApiName;
  baseUrl: string;
  headers?: Record<string, string>;
  /** A literal, the name of an environment variable, or `!command` whose output is the key. */
  apiKey?: string;
  /** The vendor's own variable. Its value goes to this provider and to no other. */
  keyVariable?: string;
  /** A server on this machine: no key, never chosen silently. */
  local?: boolean;
  models: readonly ModelFacts[];
  /** Used when a model id is not listed: providers know more models than we do. */
  open: boolean;
  /** Why it cannot be used, as a sentence for whoever chooses it. */
  unusable?: string;
}

export type ModelFacts = Pick<Model, 'id' | 'contextWindow' | 'maxTokens' | 'cost'>;

export const builtinProviders: readonly Provider[] = [
  {
    name: 'anthropic',
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    models: [{ id: 'claude-sonnet-5-5' }],
    open: true,
  },
  {
    name: 'openai',
    api: 'openai-completions',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    models: [{ id: 'gpt-5.4' }],
    open: true,
  },
  local('ollama', 'http://127.0.0.1:11434/v1'),
  local('lmstudio', 'http://127.0.0.1:1234/v1'),
  local('llamacpp', 'http://127.0.0.1:8080/v1'),
];

function local(name: string, baseUrl: string): Provider {
  return { name, api: 'openai-completions', baseUrl, local: true, models: [], open: true };
}
