/**
 * The machine-readable words of vendors, and what each means here. Prose is never read: it changes with the season, and
 * a model's own text may be in it.
 */
import type { ModelErrorClass } from '@tau/core';

/** Words that say more than any status beside them. */
const precise: ReadonlyMap<string, ModelErrorClass> = new Map([
  ['authentication_error', 'auth'],
  ['invalid_authentication_error', 'auth'],
  ['invalid_api_key', 'auth'],
  ['UNAUTHENTICATED', 'auth'],
  ['API_KEY_INVALID', 'auth'],
  ['permission_error', 'auth'],
  ['permission_denied_error', 'auth'],
  ['PERMISSION_DENIED', 'auth'],
  ['API_KEY_SERVICE_BLOCKED', 'auth'],
  ['SERVICE_DISABLED', 'auth'],
  ['CONSUMER_SUSPENDED', 'auth'],
  ['account_deactivated', 'auth'],
  ['access_terminated', 'auth'],
  ['unsupported_country_region_territory', 'auth'],
  ['token_expired', 'auth'],
  ['expired_api_key', 'auth'],
  ['ACCESS_TOKEN_EXPIRED', 'auth'],
  ['rate_limit_error', 'rateLimited'],
  ['rate_limit_exceeded', 'rateLimited'],
  ['rate_limited', 'rateLimited'],
  ['rate_limit_reached_error', 'rateLimited'],
  ['RESOURCE_EXHAUSTED', 'rateLimited'],
  ['RATE_LIMIT_EXCEEDED', 'rateLimited'],
  ['insufficient_quota', 'rateLimited'],
  ['billing_hard_limit_reached', 'rateLimited'],
  ['billing_not_active', 'rateLimited'],
  ['billing_error', 'rateLimited'],
  ['exceeded_current_quota_error', 'rateLimited'],
  ['insufficient_balance', 'rateLimited'],
  ['usage_limit_reached', 'rateLimited'],
  ['usage_not_included', 'rateLimited'],
  ['BILLING_DISABLED', 'rateLimited'],
  ['overloaded_error', 'overloaded'],
  ['engine_overloaded_error', 'overloaded'],
  ['server_is_overloaded', 'overloaded'],
  ['slow_down', 'overloaded'],
  ['service_tier_capacity_exceeded', 'overloaded'],
  ['UNAVAILABLE', 'overloaded'],
  ['timeout_error', 'timeout'],
  ['DEADLINE_EXCEEDED', 'timeout'],
  ['context_length_exceeded', 'contextOverflow'],
  ['request_too_large', 'contextOverflow'],
  ['exceed_context_size_error', 'contextOverflow'],
  ['string_above_max_length', 'contextOverflow'],
  ['not_found_error', 'badRequest'],
  ['model_not_found', 'badRequest'],
  ['NOT_FOUND', 'badRequest'],
  ['FAILED_PRECONDITION', 'badRequest'],
  ['content_filter', 'refused'],
  ['content_policy_violation', 'refused'],
  ['ResponsibleAIPolicyViolation', 'refused'],
  ['CANCELLED', 'network'],
]);

/** Words that stand beside many statuses: they count only where there is no status. */
const general: ReadonlyMap<string, ModelErrorClass> = new Map([
  ['api_error', 'overloaded'],
  ['server_error', 'overloaded'],
  ['internal_error', 'overloaded'],
  ['internal_server_error', 'overloaded'],
  ['INTERNAL', 'overloaded'],
  ['invalid_request_error', 'badRequest'],
  ['INVALID_ARGUMENT', 'badRequest'],
]);

/** An empty account, a missing right, an expired key: waiting does not mend them. */
const final: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
  'exceeded_current_quota_error',
  'insufficient_balance',
  'usage_limit_reached',
  'usage_not_included',
  'BILLING_DISABLED',
  'permission_error',
  'permission_denied_error',
  'PERMISSION_DENIED',
  'API_KEY_INVALID',
  'API_KEY_SERVICE_BLOCKED',
  'SERVICE_DISABLED',
  'CONSUMER_SUSPENDED',
  'FAILED_PRECONDITION',
  'account_deactivated',
  'access_terminated',
  'unsupported_country_region_territory',
  'token_expired',
  'expired_api_key',
  'ACCESS_TOKEN_EXPIRED',
]);

export function preciseClass(words: readonly string[]): ModelErrorClass | undefined {
  return firstIn(precise, words);
}

export function generalClass(words: readonly string[]): ModelErrorClass | undefined {
  return firstIn(general, words);
}

export function isFinal(words: readonly string[]): boolean {
  return words.some((word) => final.has(word));
}

function firstIn(table: ReadonlyMap<string, ModelErrorClass>, words: readonly string[]): ModelErrorClass | undefined {
  return words.map((word) => table.get(word)).find((found) => found !== undefined);
}
