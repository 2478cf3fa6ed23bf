/** A model as `models.json` and the catalogue write it: its schema, and what it says as facts. */
import { type JsonSchema, type ThinkingLevel, thinkingLevels } from '@tau/core';
import type { ModelChanges, ModelFacts } from './provider.ts';

export interface ModelEntry extends Omit<ModelFacts, 'images' | 'unusable'> {
  input?: readonly string[];
}

const price: JsonSchema = { type: 'number', minimum: 0 };
const count: JsonSchema = { type: 'integer', minimum: 1 };

/** Fields that are not named here are left alone. */
export const entryFields: Readonly<Record<string, JsonSchema>> = {
  name: { type: 'string' },
  api: { type: 'string', minLength: 1 },
  baseUrl: { type: 'string', pattern: '^https?://[^/]' },
  reasoning: { type: 'boolean' },
  thinkingLevels: { type: 'array', items: { enum: [...thinkingLevels] } },
  input: { type: 'array', items: { type: 'string' } },
  tools: { type: 'boolean' },
  contextWindow: count,
  maxTokens: count,
  cost: {
    type: 'object',
    required: ['input', 'output'],
    properties: { input: price, output: price, cacheRead: price, cacheWrite: price },
  },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  compat: { type: 'object' },
};

/** The facts we use and no others. */
export function changesOf(entry: Omit<ModelEntry, 'id'>): ModelChanges {
  const { name, api, baseUrl, reasoning, thinkingLevels: levels, input, tools, contextWindow, maxTokens } = entry;
  const { cost, headers, compat } = entry;
  return {
    ...(name !== undefined && { name }),
    ...(api !== undefined && { api }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(cost && { cost: costOf(cost) }),
    ...(reasoning !== undefined && { reasoning }),
    ...(levels && { thinkingLevels: inOrder(levels) }),
    ...(input && { images: input.includes('image') }),
    ...(tools !== undefined && { tools }),
    ...(headers && { headers }),
    ...(compat && { compat }),
  };
}

function costOf({ input, output, cacheRead, cacheWrite }: NonNullable<ModelFacts['cost']>): ModelFacts['cost'] {
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

function inOrder(levels: readonly ThinkingLevel[]): ThinkingLevel[] {
  return thinkingLevels.filter((level) => levels.includes(level));
}

/** One set of facts laid over another. Headers and switches are joined, the rest is replaced. */
export function overlay<T extends ModelChanges>(facts: T, changes: ModelChanges): T {
  return {
    ...facts,
    ...changes,
    ...((facts.headers || changes.headers) && { headers: { ...facts.headers, ...changes.headers } }),
    ...((facts.compat || changes.compat) && { compat: { ...facts.compat, ...changes.compat } }),
  };
}
