/** What a provider says, in the headers of an answer, about how much it will still take. */
import type { RateLimit, RateLimits } from '@tau/core';
import { header, number, retryAfter } from './retry-after.ts';
import type { WireResponse } from './transport.ts';

type Headers = WireResponse['headers'];

/**
 * How vendors name them: `%` is limit, remaining or reset. The first that is there counts: Anthropic's, then OpenAI's
 * and Groq's, then the shortest window of those that have several, then the names without a subject.
 */
const requestNames = [
  'anthropic-ratelimit-requests-%',
  'x-ratelimit-%-requests',
  'x-ratelimit-%-requests-minute',
  'x-ratelimit-%-requests-hour',
  'x-ratelimit-%-requests-day',
  'x-ratelimit-%-req-minute',
  'x-ratelimit-%',
  'ratelimit-%',
];
const tokenNames = [
  'anthropic-ratelimit-tokens-%',
  'anthropic-ratelimit-input-tokens-%',
  'x-ratelimit-%-tokens',
  'x-ratelimit-%-tokens-minute',
  'x-ratelimit-%-tokens-hour',
  'x-ratelimit-%-tokens-day',
];

export function readLimits(headers: Headers, now: number): RateLimits | undefined {
  const requests = firstOf(requestNames, headers, now) ?? afterWait(headers, now);
  const tokens = firstOf(tokenNames, headers, now);
  if (!requests && !tokens) return undefined;
  return { ...(requests && { requests }), ...(tokens && { tokens }) };
}

function firstOf(names: readonly string[], headers: Headers, now: number): RateLimit | undefined {
  for (const name of names) {
    const found = readLimit((part) => header(headers, name.replace('%', part)), now);
    if (found) return found;
  }
  return undefined;
}

function readLimit(part: (name: string) => string | undefined, now: number): RateLimit | undefined {
  const limit = number(part('limit'));
  const remaining = number(part('remaining'));
  const resetMs = untilReset(part('reset'), now);
  if (limit === undefined && remaining === undefined && resetMs === undefined) return undefined;
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(resetMs !== undefined && { resetMs }),
  };
}

/** Asked to wait without a word about how much: that is a limit too. */
function afterWait(headers: Headers, now: number): RateLimit | undefined {
  const resetMs = retryAfter(headers, now);
  return resetMs === undefined ? undefined : { resetMs };
}

/** A date (Anthropic), a span like `6m0s` or `120ms` (OpenAI, Groq), seconds (Cerebras), or a moment (OpenRouter). */
function untilReset(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = number(text);
  if (value !== undefined) return Math.max(0, Math.ceil(fromNumber(value, now)));
  const span = spanOf(text);
  if (span !== undefined) return Math.ceil(span);
  const date = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** No wait lasts thirty years: from there on it is a moment, in seconds or in milliseconds since 1970. */
function fromNumber(value: number, now: number): number {
  if (value >= 1e12) return value - now;
  return value >= 1e9 ? value * 1000 - now : value * 1000;
}

const units: ReadonlyMap<string, number> = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]);

function spanOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[dhms]))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)) {
    sum += Number(count) * (units.get(unit) ?? 0);
  }
  return sum;
}
