/** What a run cost, where that can be said. */
import type { Agent, RunOutcome } from '@tau/agent';

/** In US dollars; null when a model without a known price took part. */
export function costOf(
  { model }: Pick<Agent, 'model'>,
  { models, usage }: Pick<RunOutcome, 'models' | 'usage'>,
): number | null {
  const unpriced = models.some(({ model: name, usage: used }) => {
    const priced = name === `${model.provider}/${model.id}` && model.cost !== undefined;
    return !priced && used.totalTokens > 0 && used.cost.total === 0;
  });
  return unpriced ? null : usage.cost.total;
}
