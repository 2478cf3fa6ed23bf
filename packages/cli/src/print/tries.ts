/** Several runs that answer one prompt together, as one outcome: what they used is added up, the last one's word counts. */
import type { RunOutcome } from '@tau/agent';

export function joinOutcomes(first: RunOutcome, last: RunOutcome): RunOutcome {
  const models = new Map(first.models.map((use) => [use.model, use]));
  for (const use of last.models) {
    const before = models.get(use.model);
    models.set(
      use.model,
      before ? { ...before, turns: before.turns + use.turns, usage: sum(before.usage, use.usage) } : use,
    );
  }
  return {
    ...last,
    turns: first.turns + last.turns,
    usage: sum(first.usage, last.usage),
    models: [...models.values()],
  };
}

type Usage = RunOutcome['usage'];

function sum(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    totalTokens: a.totalTokens + b.totalTokens,
    cost: {
      input: a.cost.input + b.cost.input,
      output: a.cost.output + b.cost.output,
      cacheRead: a.cost.cacheRead + b.cost.cacheRead,
      cacheWrite: a.cost.cacheWrite + b.cost.cacheWrite,
      total: a.cost.total + b.cost.total,
    },
  };
}
