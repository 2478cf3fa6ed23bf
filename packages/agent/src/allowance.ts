/** What an agent may still spend: the limits of settings and flags, less what its earlier prompts took. */
import { type Model, type Price, TauError, type Usage } from '@tau/core';
import type { RunOptions } from '@tau/engine';

export interface Spending {
  /** From the next prompt on. What was spent stays spent. */
  setLimits(limits: SpendingLimits): void;
  limits(models: readonly Model[]): NonNullable<RunOptions['limits']>;
  spend(usage: Usage): void;
}

export interface SpendingLimits {
  maxTurns?: number | undefined;
  maxTotalTokens?: number | undefined;
  maxBudgetUsd?: number | undefined;
}

export const spendingNames = ['maxTurns', 'maxTotalTokens', 'maxBudgetUsd'] as const;

/** A flag goes before a setting. */
export function spendingOf(flags: SpendingLimits, settings: SpendingLimits): SpendingLimits {
  return {
    maxTurns: flags.maxTurns ?? settings.maxTurns,
    maxTotalTokens: flags.maxTotalTokens ?? settings.maxTotalTokens,
    maxBudgetUsd: flags.maxBudgetUsd ?? settings.maxBudgetUsd,
  };
}

export function createSpending(first: SpendingLimits): Spending {
  let { maxTurns, maxTotalTokens, maxBudgetUsd } = first;
  let tokens = 0;
  let dollars = 0;
  return {
    setLimits(next) {
      ({ maxTurns, maxTotalTokens, maxBudgetUsd } = next);
    },
    limits: (models) => ({
      ...(maxTurns !== undefined && { turns: maxTurns }),
      ...(maxTotalTokens !== undefined && { tokens: maxTotalTokens - tokens }),
      ...(maxBudgetUsd !== undefined && { costUsd: maxBudgetUsd - dollars, ...given(dearest(models)) }),
    }),
    spend(usage) {
      tokens += usage.totalTokens;
      dollars += usage.cost.total;
    },
  };
}

const given = (price: Price | undefined) => (price ? { price } : {});

/** What the dearest of them would take for each kind of token. */
function dearest(models: readonly Model[]): Price | undefined {
  const prices = models.flatMap(({ cost }) => (cost ? [cost] : []));
  const most = (kind: keyof Price) => Math.max(...prices.map((price) => price[kind]));
  if (prices.length === 0) return undefined;
  return { input: most('input'), output: most('output'), cacheRead: most('cacheRead'), cacheWrite: most('cacheWrite') };
}

/** Money can be counted only where there is a price. */
export function needPrices({ maxBudgetUsd }: SpendingLimits, models: readonly Model[]): void {
  if (maxBudgetUsd === undefined) return;
  for (const { provider, id, cost } of models) {
    if (cost) continue;
    throw new TauError('configuration', `The price of ${provider}/${id} is not known, so no budget can be kept`, {
      remedy: 'Give its cost in models.json, or limit tokens instead of money',
    });
  }
}
