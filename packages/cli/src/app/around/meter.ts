/** Tokens and money for the footer, read from the conversation when a message ends and not at every frame. */
import type { Agent, StampedEvent } from '@tau/agent';

export interface Meter {
  /** Tokens that the last exchange took of the window; 0 before the first. */
  readonly context: number;
  readonly window: number | undefined;
  /** Of the whole conversation. */
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  event(event: StampedEvent): void;
  /** The conversation is another one, or goes on from another place. */
  reset(): void;
}

type Counted = Pick<Agent, 'messages' | 'model' | 'spent'>;

export function createMeter(agent: Counted): Meter {
  let counted: { context: number; input: number; output: number; cost: number } | undefined;
  const count = () => {
    if (counted) return counted;
    const { input, output, cacheRead, cacheWrite, cost } = agent.spent();
    counted = { context: contextOf(agent), input: input + cacheRead + cacheWrite, output, cost: cost.total };
    return counted;
  };
  const reset = () => {
    counted = undefined;
  };
  return {
    get context() {
      return count().context;
    },
    get window() {
      return agent.model.contextWindow;
    },
    get input() {
      return count().input;
    },
    get output() {
      return count().output;
    },
    get cost() {
      return count().cost;
    },
    event(event) {
      if (event.type === 'message_end' || event.type === 'agent_end') reset();
    },
    reset,
  };
}

/** An answer that was cut off counts nothing; the one before it does. */
function contextOf(agent: Counted): number {
  const last = agent.messages().findLast((one) => one.role === 'assistant' && one.usage.totalTokens > 0);
  return last?.role === 'assistant' ? last.usage.totalTokens : 0;
}

export function thousands(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 10_000) return `${(tokens / 1000).toFixed(1)}k`;
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${Number((tokens / 1_000_000).toFixed(1))}M`;
}
