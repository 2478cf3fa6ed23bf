/** Whether a failure is worth another try, and after how long. Pure: chance and clock are the caller's. */
import type { ModelError, ModelErrorClass } from '@tau/core';

export interface RetryPolicy {
  /** Tries after the first. */
  retries: number;
  baseMs: number;
  maxMs: number;
  /** A provider that asks for a longer wait is not waited for. */
  maxWaitMs: number;
}

export const defaultRetry: RetryPolicy = { retries: 3, baseMs: 500, maxMs: 30_000, maxWaitMs: 60_000 };

/** What passes by itself. */
const passing: ReadonlySet<ModelErrorClass> = new Set(['rateLimited', 'overloaded', 'network', 'timeout']);

/** What another model may do better. A request that is wrong, too long or refused is so for every model. */
const local: ReadonlySet<ModelErrorClass> = new Set([...passing, 'auth', 'unknown']);

/** Milliseconds until try number `attempt + 1`, or undefined when it would be in vain. */
export function retryDelay(
  error: ModelError,
  attempt: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (attempt > policy.retries || error.final || !passing.has(error.class)) return undefined;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs <= policy.maxWaitMs ? error.retryAfterMs : undefined;
  }
  const whole = Math.min(policy.maxMs, policy.baseMs * 2 ** Math.min(attempt - 1, 6));
  // Half of it is left to chance, so that many who failed together do not come back together.
  return Math.round(whole / 2 + (random() * whole) / 2);
}

export function mayFallBack(error: ModelError): boolean {
  return local.has(error.class);
}
