/**
 * Turns a status and a body, or whatever the network threw, into a classed error with one plain sentence: what
 * happened, and what a person can do about it. The class comes from statuses and machine-readable words only.
 */
import { describeError, type ModelError, type ModelErrorClass, TauError } from '@tau/core';
import { codeOf, troubleOf } from './failure/network.ts';
import { remedyFor } from './failure/remedy.ts';
import { oneLine, withRemedy } from './failure/text.ts';
import { readVendorError, tellsError, type VendorError } from './failure/vendor-error.ts';
import { generalClass, isFinal, preciseClass } from './failure/words.ts';
import { header, retryAfter } from './retry-after.ts';
import { ConnectTimeout, IdleTimeout, ProxyError } from './transport/errors.ts';
import type { WireResponse } from './transport.ts';

/** What came with a status, beside the body. */
export interface StatusContext {
  url: string;
  headers: WireResponse['headers'];
  now: number;
}

/** For a response whose status is not 2xx. */
export function statusFailure(provider: string, status: number, body: string, context?: StatusContext): ModelError {
  const moved = status >= 300 && status < 400 && context ? newAddress(context) : undefined;
  if (moved !== undefined) {
    const what = `${provider} answered ${status}: it has moved to ${moved}`;
    const remedy = 'tau follows no redirects: if you trust that address, make it the base URL';
    return { class: 'badRequest', status, final: true, message: withRemedy(what, remedy) };
  }
  const vendor = readVendorError(body);
  // A request that is too large is that, also where the vendor counts it as too much a minute.
  const named = status === 413 ? undefined : preciseClass(vendor.words);
  const detail = vendor.message ?? oneLine(body);
  const wait = (context && retryAfter(context.headers, context.now)) ?? vendor.retryAfterMs;
  const stays = context !== undefined && header(context.headers, 'x-should-retry') === 'false';
  return told(provider, `${provider} answered ${status}${detail ? `: ${detail}` : ''}`, {
    class: named ?? classOfStatus(status),
    status,
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...((stays || status === 402 || isFinal(vendor.words)) && { final: true }),
  });
}

/** For an error event inside a stream that began well. */
export function eventFailure(provider: string, body: string): ModelError {
  const vendor = readVendorError(body);
  return told(provider, `${provider} broke off: ${vendor.message ?? oneLine(body)}`, unnumbered(vendor));
}

/** For what a protocol itself calls a failure, a finish reason for one. `what` goes on from the provider's name. */
export function reasonFailure(provider: string, kind: ModelErrorClass, what: string): ModelError {
  return told(provider, `${provider} ${what}`, { class: kind });
}

/** For an answer that says it went well and is no stream: an error after all, or something else. */
export function documentFailure(provider: string, url: string, body: string): ModelError {
  const vendor = readVendorError(body);
  const error = unnumbered(vendor);
  if (error.class !== 'unknown' || tellsError(body)) {
    return told(provider, `${provider} answered: ${vendor.message ?? oneLine(body)}`, error);
  }
  const what = `${provider} at ${hostOf(url)} answered with JSON, not a model's stream: ${vendor.message ?? oneLine(body)}`;
  return { class: 'badRequest', message: withRemedy(what, 'Check the address, and that the server can stream') };
}

/** For what was thrown while connecting or reading. */
export function thrownFailure(provider: string, url: string, error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) return { class: 'aborted', message: 'aborted' };
  if (error instanceof TauError) return { class: 'badRequest', message: describeError(error) };
  const code = codeOf(error);
  const text = error instanceof Error ? error.message || (code ?? error.name) : String(error);
  if (error instanceof IdleTimeout) {
    const remedy = 'How long it may stay silent is set by limits.modelIdleSecs, or by its timeoutSecs in models.json';
    return { class: 'timeout', message: withRemedy(`${provider}: ${text}`, remedy) };
  }
  if (code === 'ERR_INVALID_CHAR') return { class: 'auth', message: `${provider}: the key cannot be sent: ${text}` };
  if (!URL.canParse(url)) return { class: 'badRequest', message: `${provider}: "${oneLine(url)}" is not an address` };
  if (error instanceof ProxyError) return proxyFailure(provider, error);
  const there = `${provider} cannot be reached at ${hostOf(url)}`;
  if (error instanceof ConnectTimeout) {
    return { class: 'network', message: withRemedy(`${there}: ${text}`, 'Check the network and the address') };
  }
  const { why, remedy } = troubleOf(code, oneLine(text));
  return { class: 'network', message: withRemedy(`${there}: ${why}`, remedy) };
}

function proxyFailure(provider: string, error: ProxyError): ModelError {
  const who = `${provider} cannot be reached: the proxy at ${error.proxy}`;
  if (error.status !== undefined) {
    const isAuth = error.status === 407;
    const remedy = isAuth
      ? 'Write them into the proxy variable: http://user:password@host:port'
      : 'Ask whoever runs it, or except the host with NO_PROXY';
    return { class: isAuth ? 'auth' : 'network', message: withRemedy(`${who} ${error.message}`, remedy) };
  }
  const { why, remedy } = troubleOf(codeOf(error.cause), oneLine(error.message));
  return { class: 'network', message: withRemedy(`${who} cannot be reached: ${why}`, remedy) };
}

function told(provider: string, what: string, error: Omit<ModelError, 'message'>): ModelError {
  return { ...error, message: withRemedy(what, remedyFor(provider, error)) };
}

/** An error that came without a status of HTTP. */
function unnumbered(vendor: VendorError): Omit<ModelError, 'message'> {
  const named = preciseClass(vendor.words) ?? generalClass(vendor.words);
  const numbered = vendor.status === undefined ? 'unknown' : classOfStatus(vendor.status);
  return {
    class: named ?? numbered,
    ...(vendor.retryAfterMs !== undefined && { retryAfterMs: vendor.retryAfterMs }),
    ...((vendor.status === 402 || isFinal(vendor.words)) && { final: true }),
  };
}

function classOfStatus(status: number): ModelErrorClass {
  if (status === 401 || status === 403 || status === 407) return 'auth';
  if (status === 402 || status === 429) return 'rateLimited';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'contextOverflow';
  if (status >= 500) return 'overloaded';
  return status >= 300 ? 'badRequest' : 'unknown';
}

/** Without its query, which may hold a secret. */
function newAddress({ url, headers }: StatusContext): string | undefined {
  const location = header(headers, 'location');
  if (!location || !URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return oneLine(`${origin}${pathname}`);
}

function hostOf(url: string): string {
  return new URL(url).host;
}
