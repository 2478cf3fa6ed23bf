/** Turns, tokens and money: what a run may still spend, looked at before each request and never after it. */
import { estimateTokens, type ModelRequest, type Price, type RunEnd, type Usage } from '@tau/core';

export interface RunLimits {
  turns?: number;
  /** Of all requests together, what is read and what is written. */
  tokens?: number;
  costUsd?: number;
  /** Of the dearest model that may be asked. Absent: that of the one that is. */
  price?: Price;
}

/** An answer shorter than this is not worth its request. */
const leastAnswer = 32;
/** As long as an answer may be of a model whose own limit is not known: without a bound nothing could be promised. */
const usualAnswer = 16_384;

/** Why the request must not be made, or how long its answer may be; nothing when there is no limit to it. */
export type Allowance = { stop: RunEnd } | { maxTokens?: number };

export function allowance(limits: RunLimits, spent: { turns: number; usage: Usage }, request: ModelRequest): Allowance {
  if (limits.turns !== undefined && spent.turns >= limits.turns) return { stop: 'maxTurns' };
  if (limits.tokens === undefined && limits.costUsd === undefined) return {};
  const input = estimateTokens(request);
  const room = [request.maxTokens ?? request.model.maxTokens ?? usualAnswer];
  if (limits.tokens !== undefined) {
    const left = limits.tokens - spent.usage.totalTokens - input;
    if (left < leastAnswer) return { stop: 'maxTokens' };
    room.push(left);
  }
  if (limits.costUsd !== undefined) {
    const left = affordable(
      limits.costUsd - spent.usage.cost.total,
      input,
      request,
      limits.price ?? request.model.cost,
    );
    if (left < leastAnswer) return { stop: 'maxCost' };
    room.push(left);
  }
  return { maxTokens: Math.floor(Math.min(...room)) };
}

/** Tokens of an answer that the money left still buys. What the vendor has in its cache is counted at that price. */
function affordable(dollars: number, input: number, { messages }: ModelRequest, cost: Price | undefined): number {
  if (!cost) return 0;
  const last = messages.findLast((message) => message.role === 'assistant');
  const cached = last ? Math.min(input, last.usage.cacheRead + last.usage.cacheWrite) : 0;
  // What is new may be written to the cache, from the first request on.
  const fresh = Math.max(cost.input, cost.cacheWrite);
  const left = dollars * 1e6 - cached * cost.cacheRead - (input - cached) * fresh;
  if (left <= 0) return 0;
  return cost.output > 0 ? left / cost.output : Number.MAX_SAFE_INTEGER;
}
