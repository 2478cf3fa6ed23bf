/** Turns a status and a body, or whatever the network threw, into a classed error with one plain sentence. */
import { type ModelError, type ModelErrorClass, TauError } from '@tau/core';
import { IdleTimeout } from './transport.ts';

/** The machine-readable words vendors put in `error.type` and `error.code`. */
const preciseWords: ReadonlyMap<string, ModelErrorClass> = new Map([
  ['authentication_error', 'auth'],
  ['permission_error', 'auth'],
  ['invalid_api_key', 'auth'],
  ['rate_limit_error', 'rateLimited'],
  ['rate_limit_exceeded', 'rateLimited'],
  ['insufficient_quota', 'rateLimited'],
  ['overloaded_error', 'overloaded'],
  ['timeout_error', 'timeout'],
  ['request_too_large', 'contextOverflow'],
  ['context_length_exceeded', 'contextOverflow'],
  ['not_found_error', 'badRequest'],
  ['content_filter', 'refused'],
]);

/** Words that stand beside many statuses: they count only where there is no status. */
const generalWords: ReadonlyMap<string, ModelErrorClass> = new Map([
  ['api_error', 'overloaded'],
  ['server_error', 'overloaded'],
  ['invalid_request_error', 'badRequest'],
]);

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
  /** Some servers put an HTTP status in `code`. */
  status?: number;
}

/** Both vendors wrap it as `{ error: { type, code, message } }`. */
function readBody(body: string): VendorError {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = field(parsed, 'error');
    const message = field(error, 'message');
    const code = field(error, 'code');
    const words = [code, field(error, 'type')].filter((word) => typeof word === 'string');
    return {
      words,
      ...(typeof message === 'string' && { message: oneLine(message) }),
      ...(typeof code === 'number' && { status: code }),
    };
  } catch {
    return { words: [] };
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}

function classOfWords(words: readonly string[], table: ReadonlyMap<string, ModelErrorClass>) {
  return words.map((word) => table.get(word)).find((found) => found !== undefined);
}

/** For a response whose status is not 2xx. */
export function statusFailure(provider: string, status: number, body: string): ModelError {
  const vendor = readBody(body);
  const named = classOfWords(vendor.words, preciseWords);
  const detail = vendor.message ?? oneLine(body);
  return {
    class: named ?? classOfStatus(status),
    message: `${provider} answered ${status}${detail ? `: ${detail}` : ''}`,
    status,
  };
}

/** For an error event inside a stream that began well. */
export function eventFailure(provider: string, body: string): ModelError {
  const vendor = readBody(body);
  const named = classOfWords(vendor.words, preciseWords) ?? classOfWords(vendor.words, generalWords);
  const numbered = vendor.status === undefined ? 'unknown' : classOfStatus(vendor.status);
  return { class: named ?? numbered, message: `${provider} broke off: ${vendor.message ?? oneLine(body)}` };
}

/** For what was thrown while connecting or reading. */
export function thrownFailure(provider: string, url: string, error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) return { class: 'aborted', message: 'aborted' };
  if (error instanceof TauError) return { class: 'badRequest', message: error.message };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const text = error instanceof Error ? error.message || String(code ?? error.name) : String(error);
  if (error instanceof IdleTimeout) return { class: 'timeout', message: `${provider}: ${text}` };
  if (code === 'ERR_INVALID_CHAR') return { class: 'auth', message: `${provider}: the key cannot be sent: ${text}` };
  if (!URL.canParse(url)) return { class: 'badRequest', message: `${provider}: "${url}" is not an address` };
  return { class: 'network', message: `${provider} cannot be reached at ${new URL(url).host}: ${text}` };
}
