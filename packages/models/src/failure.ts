/** Turns a status and a body, or whatever the network threw, into a classed error with one plain sentence. */
import { type ModelError, type ModelErrorClass, TauError } from '@tau/core';
import { IdleTimeout } from './transport.ts';

/** The machine-readable words vendors put in `error.type` and `error.code`. */
const classOfWord: Readonly<Record<string, ModelErrorClass>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  invalid_api_key: 'auth',
  rate_limit_error: 'rateLimited',
  rate_limit_exceeded: 'rateLimited',
  insufficient_quota: 'rateLimited',
  overloaded_error: 'overloaded',
  api_error: 'overloaded',
  server_error: 'overloaded',
  timeout_error: 'timeout',
  request_too_large: 'contextOverflow',
  context_length_exceeded: 'contextOverflow',
  invalid_request_error: 'badRequest',
  not_found_error: 'badRequest',
  content_filter: 'refused',
};

function classOfStatus(status: number): ModelErrorClass {
  if (status === 401 || status === 403) return 'auth';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'contextOverflow';
  if (status === 429) return 'rateLimited';
  if (status >= 500) return 'overloaded';
  return status >= 400 ? 'badRequest' : 'unknown';
}

interface VendorError {
  message?: string;
  words: string[];
}

/** Both vendors wrap it as `{ error: { type, code, message } }`. */
function readBody(body: string): VendorError {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = field(parsed, 'error');
    const message = field(error, 'message');
    const words = [field(error, 'code'), field(error, 'type')].filter((word) => typeof word === 'string');
    return typeof message === 'string' ? { message, words } : { words };
  } catch {
    return { words: [] };
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** For a response whose status is not 2xx. */
export function statusFailure(provider: string, status: number, body: string): ModelError {
  const vendor = readBody(body);
  const named = vendor.words.map((word) => classOfWord[word]).find((found) => found !== undefined);
  const detail = vendor.message ?? body.replace(/\s+/g, ' ').trim().slice(0, 300);
  return {
    class: named ?? classOfStatus(status),
    message: `${provider} answered ${status}${detail ? `: ${detail}` : ''}`,
    status,
  };
}

/** For an error event inside a stream that began well. */
export function eventFailure(provider: string, body: string): ModelError {
  const vendor = readBody(body);
  const named = vendor.words.map((word) => classOfWord[word]).find((found) => found !== undefined);
  return { class: named ?? 'unknown', message: `${provider} broke off: ${vendor.message ?? body.slice(0, 300)}` };
}

/** For what was thrown while connecting or reading. */
export function thrownFailure(provider: string, url: string, error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) return { class: 'aborted', message: 'aborted' };
  if (error instanceof TauError) return { class: 'badRequest', message: error.message };
  const text = error instanceof Error ? error.message || error.name : String(error);
  if (error instanceof IdleTimeout) return { class: 'timeout', message: `${provider}: ${text}` };
  return { class: 'network', message: `${provider} cannot be reached at ${new URL(url).host}: ${text}` };
}
