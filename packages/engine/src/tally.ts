/** Adds up what a run cost, as a whole and by model. */
import { addUsage, emptyUsage, type ModelUse, type Usage } from '@tau/core';
import type { Turn } from './turn.ts';

export interface Tally {
  usage: Usage;
  /** In the order in which they were first used. */
  models: ModelUse[];
}

export function createTally(): { add(turn: Turn): void; total(): Tally } {
  const usage = emptyUsage();
  const models = new Map<string, { use: ModelUse; waits: number[] }>();
  return {
    add({ message, firstTokenMs }) {
      const model = `${message.provider}/${message.model}`;
      const entry = models.get(model) ?? { use: { model, turns: 0, usage: emptyUsage() }, waits: [] };
      models.set(model, entry);
      entry.use.turns += 1;
      if (firstTokenMs !== undefined) entry.waits.push(firstTokenMs);
      addUsage(usage, message.usage);
      addUsage(entry.use.usage, message.usage);
    },
    total: () => ({ usage, models: [...models.values()].map(({ use, waits }) => ({ ...use, ...meanOf(waits) })) }),
  };
}

function meanOf(waits: readonly number[]): Pick<ModelUse, 'firstTokenMs'> {
  if (waits.length === 0) return {};
  return { firstTokenMs: Math.round(waits.reduce((sum, wait) => sum + wait, 0) / waits.length) };
}
