/**
 * How hard Gemini thinks. The 2.5 family takes a budget of tokens, 3 and later a named level; `compat.thinking` says
 * which for a model whose id does not tell.
 */
import type { Model, ModelRequest, ThinkingLevel } from '@tau/core';
import { compatOf } from './compat.ts';

const levels = ['minimal', 'low', 'medium', 'high'] as const;
type WireLevel = (typeof levels)[number];

interface ThinkingConfig {
  thinkingBudget?: number;
  thinkingLevel?: string;
  includeThoughts?: true;
}

export function thinkingConfig({ model, thinking }: ModelRequest): ThinkingConfig | undefined {
  if (thinking === undefined || !(model.reasoning ?? !isPlain(model.id))) return undefined;
  return {
    ...(thinksBy(model) === 'budget'
      ? { thinkingBudget: budgetOf(model, thinking) }
      : { thinkingLevel: levelOf(model, thinking).toUpperCase() }),
    ...(thinking !== 'off' && { includeThoughts: true }),
  };
}

export function thinksBy(model: Model): 'budget' | 'level' {
  const { id } = model;
  const told = compatOf(model).thinking;
  if (told !== undefined) return told;
  return isPlain(id) || /^gemini-(2|robotics-er-1\.5)/.test(nameOf(id)) ? 'budget' : 'level';
}

/** Models from before thinking: they refuse a request that speaks of it. */
function isPlain(id: string): boolean {
  return id.startsWith('tunedModels/') || /^(gemini-(1|2\.0)|gemma-[123])/.test(nameOf(id));
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

function isPro(id: string): boolean {
  return nameOf(id).split('-').includes('pro');
}

function budgetOf({ id, thinkingLevels }: Model, level: ThinkingLevel): number {
  const least = isPro(id) ? 128 : 512;
  switch (level) {
    case 'off':
      // The large models cannot stop thinking.
      return (thinkingLevels ? thinkingLevels.includes('off') : !isPro(id)) ? 0 : least;
    case 'minimal':
      return least;
    case 'low':
      return 2048;
    case 'medium':
      return 8192;
    case 'high':
      return 16_384;
    case 'max':
      return isPro(id) ? 32_768 : 24_576;
  }
}

/** The nearest level the model takes, rather more than less. */
function levelOf(model: Model, level: ThinkingLevel): WireLevel {
  const wanted = level === 'off' ? 'minimal' : level === 'max' ? 'high' : level;
  const taken = takenBy(model);
  return levels.slice(levels.indexOf(wanted)).find((one) => taken.includes(one)) ?? taken.at(-1) ?? 'high';
}

function takenBy({ id, thinkingLevels }: Model): readonly WireLevel[] {
  if (thinkingLevels) return levels.filter((level) => thinkingLevels.includes(level));
  const name = nameOf(id);
  if (name.startsWith('gemma-')) return ['minimal', 'high'];
  if (/^gemini-3-pro/.test(name)) return ['low', 'high'];
  return isPro(id) ? ['low', 'medium', 'high'] : levels;
}
