/** What is known of a provider and its models before any request. */
import type { ApiName, Model, Price } from '@tau/core';

export interface Provider {
  name: string;
  /** Its name for people. */
  label?: string;
  api: ApiName;
  baseUrl: string;
  /** Variables that hold its address, with `{}` for their value: for vendors whose customers have one each. */
  baseUrlVariables?: Readonly<Record<string, string>>;
  headers?: Record<string, string>;
  /** A literal, the name of an environment variable, or `!command` whose output is the key. */
  apiKey?: string;
  /** The vendor's own variables, the first that is set wins. Their values go to this provider and to no other. */
  keyVariables?: readonly string[];
  /** How long it may stay silent, if the user gave it a time of its own. */
  timeoutSecs?: number;
  compat?: Readonly<Record<string, unknown>>;
  /** A server on this machine: no key, never chosen silently. */
  local?: boolean;
  /** Described by the user, in whole or in part. */
  own?: boolean;
  /** Has a list in the catalogue, and what the user wants changed in every model of it. */
  catalogued?: boolean;
  changes?: ModelChanges;
  /** What the user wants changed in one. */
  modelOverrides?: Readonly<Record<string, ModelChanges>>;
  /** Described outright; those of the catalogue come on top when they are asked for (`modelsOf`). */
  models: readonly ModelFacts[];
  /** Taken when its user says no more than "any". */
  defaultModel?: string;
  /** Used when a model id is not listed: providers know more models than we do. */
  open: boolean;
  /** Why it cannot be used, as a sentence for whoever chooses it. */
  unusable?: string;
}

type Known = 'contextWindow' | 'maxTokens' | 'reasoning' | 'thinkingLevels' | 'images' | 'tools' | 'headers' | 'compat';

/** A model within its provider: what is absent is the provider's, or not known. */
export interface ModelFacts extends Pick<Model, 'id' | Known>, Partial<Pick<Model, 'api' | 'baseUrl'>> {
  name?: string;
  /** A cache price that nobody published is absent here, too. */
  cost?: Pick<Price, 'input' | 'output'> & Partial<Price>;
  /** Why it cannot be used, as a sentence for whoever chooses it. */
  unusable?: string;
}

export type ModelChanges = Partial<Omit<ModelFacts, 'id'>>;
