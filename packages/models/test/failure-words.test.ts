/** The error bodies of vendors, as they document them: class, whether waiting helps, how long, and the sentence. */
import type { ModelError } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { eventFailure, statusFailure, thrownFailure } from '../src/failure.ts';
import { ProxyError } from '../src/transport/errors.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const context = { url: 'https://api.test/v1', headers: {}, now };

function answered(status: number, body: unknown, headers: Record<string, string> = {}): ModelError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return statusFailure('acme', status, text, { ...context, headers });
}

const google = (code: number, status: string, details: unknown[] = []) => ({
  error: { code, message: 'Sorry', status, details },
});
const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason });

describe('classes', () => {
  test.each<[string, number, unknown, Partial<ModelError>]>([
    ['Google, too much', 429, google(429, 'RESOURCE_EXHAUSTED'), { class: 'rateLimited' }],
    ['Google, overloaded', 503, google(503, 'UNAVAILABLE'), { class: 'overloaded' }],
    ['Google, not allowed', 403, google(403, 'PERMISSION_DENIED'), { class: 'auth', final: true }],
    ['Google, not known', 401, google(401, 'UNAUTHENTICATED'), { class: 'auth' }],
    [
      'Google, a wrong key',
      400,
      google(400, 'INVALID_ARGUMENT', [info('API_KEY_INVALID')]),
      { class: 'auth', final: true },
    ],
    ['Google, a wrong request', 400, google(400, 'INVALID_ARGUMENT'), { class: 'badRequest' }],
    ['Google, too slow', 504, google(504, 'DEADLINE_EXCEEDED'), { class: 'timeout' }],
    ['Google, no such model', 404, google(404, 'NOT_FOUND'), { class: 'badRequest' }],
    ['Google, broken', 500, google(500, 'INTERNAL'), { class: 'overloaded' }],
    ['Google, cancelled', 499, google(499, 'CANCELLED'), { class: 'network' }],
    ['Google, not in this country', 400, google(400, 'FAILED_PRECONDITION'), { class: 'badRequest', final: true }],
    ['Vertex, a list', 429, [google(429, 'RESOURCE_EXHAUSTED')], { class: 'rateLimited' }],
    [
      'OpenAI, no credit',
      429,
      { error: { type: 'insufficient_quota', code: 'insufficient_quota' } },
      { class: 'rateLimited', final: true },
    ],
    [
      'OpenAI, a spending limit',
      400,
      { error: { code: 'billing_hard_limit_reached' } },
      { class: 'rateLimited', final: true },
    ],
    [
      'OpenAI, an account that is closed',
      401,
      { error: { code: 'account_deactivated' } },
      { class: 'auth', final: true },
    ],
    ['OpenAI, too long', 400, { error: { code: 'context_length_exceeded' } }, { class: 'contextOverflow' }],
    [
      'OpenAI by login, a plan used up',
      429,
      { error: { type: 'usage_limit_reached', resets_in_seconds: 90 } },
      { class: 'rateLimited', final: true, retryAfterMs: 90_000 },
    ],
    ['OpenAI by login, an expired token', 401, { error: { code: 'token_expired' } }, { class: 'auth', final: true }],
    ['Anthropic, no credit', 402, { error: { type: 'billing_error' } }, { class: 'rateLimited', final: true }],
    ['Anthropic, no right', 403, { error: { type: 'permission_error' } }, { class: 'auth', final: true }],
    ['Anthropic, too large', 413, { error: { type: 'request_too_large' } }, { class: 'contextOverflow' }],
    [
      'llama.cpp, too long',
      400,
      { error: { code: 400, type: 'exceed_context_size_error', n_ctx: 8 } },
      { class: 'contextOverflow' },
    ],
    [
      'llama.cpp of an earlier day, too long',
      500,
      { error: { code: 500, type: 'exceed_context_size_error' } },
      { class: 'contextOverflow' },
    ],
    [
      'Groq, more than a minute takes',
      413,
      { error: { type: 'tokens', code: 'rate_limit_exceeded' } },
      { class: 'contextOverflow' },
    ],
    [
      'Mistral, too much',
      429,
      { object: 'error', type: 'rate_limited', code: '1300', message: 'Sorry' },
      { class: 'rateLimited' },
    ],
    [
      'Moonshot, no credit',
      429,
      { error: { type: 'exceeded_current_quota_error' } },
      { class: 'rateLimited', final: true },
    ],
    ['DeepSeek, no credit', 402, { error: { type: 'unknown_error' } }, { class: 'rateLimited', final: true }],
    [
      'Azure, filtered',
      400,
      { error: { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
      { class: 'refused' },
    ],
    [
      'OpenRouter, moderated',
      403,
      { error: { code: 403, metadata: { reasons: ['x'], flagged_input: 'y' } } },
      { class: 'refused' },
    ],
    [
      'OpenRouter, the vendor behind it',
      400,
      {
        error: {
          code: 400,
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"code":"context_length_exceeded","message":"Too long"}}' },
        },
      },
      { class: 'contextOverflow' },
    ],
    [
      'words inside prose',
      400,
      { error: { message: 'context_length_exceeded: insufficient_quota' } },
      { class: 'badRequest' },
    ],
  ])('%s (%i)', (_, status, body, expected) => {
    const error = answered(status, body);
    expect(error).toMatchObject({ status, ...expected });
    expect(error.final).toBe(expected.final);
  });

  test.each([
    ['{"type":"error","code":"rate_limit_exceeded","message":"Sorry"}', 'rateLimited'],
    ['{"type":"response.failed","response":{"error":{"code":"server_error","message":"Sorry"}}}', 'overloaded'],
    ['{"error":{"code":503,"message":"Sorry","status":"UNAVAILABLE"}}', 'overloaded'],
    ['{"error":{"code":"502","message":"Sorry"}}', 'overloaded'],
    ['{"error":{"message":"Sorry","code":null}}', 'unknown'],
  ])('in a stream %s is %s', (body, expected) => {
    expect(eventFailure('acme', body)).toMatchObject({
      class: expected,
      message: expect.stringMatching(/broke off: Sorry/),
    });
  });
});

describe('the sentence', () => {
  test.each<[string, unknown, string]>([
    ['an error', { error: { message: 'Sorry' } }, 'Sorry'],
    ['a list', [{ error: { message: 'Sorry' } }], 'Sorry'],
    ['the fields alone', { type: 'error', code: 'x', message: 'Sorry' }, 'Sorry'],
    ['a message alone', { message: 'Sorry' }, 'Sorry'],
    ['FastAPI, a text', { detail: 'Sorry' }, 'Sorry'],
    [
      'FastAPI, a list',
      { detail: [{ loc: ['body'], msg: 'Field required' }, { msg: 'Too short' }] },
      'Field required; Too short',
    ],
    ['Mistral, a list inside', { object: 'error', message: { detail: [{ msg: 'Sorry' }] }, type: 'x' }, 'Sorry'],
    ['Ollama', { error: 'model "x" not found, try pulling it first' }, 'model "x" not found, try pulling it first'],
    ['xAI', { code: 'Client specified an invalid argument', error: 'Sorry' }, 'Sorry'],
    [
      'the vendor behind a broker',
      { error: { message: 'Provider returned error', metadata: { raw: '{"message":"Sorry"}' } } },
      'Sorry',
    ],
    ['plain text', 'upstream connect error', 'upstream connect error'],
    ['nothing to read', { odd: [1] }, '{"odd":[1]}'],
  ])('is found in %s', (_, body, words) => {
    expect(answered(418, body).message).toBe(
      `acme answered 418: ${words}. Check that the model and its settings suit this provider`,
    );
  });

  test('holds no control characters, no hidden ones, and no half character', () => {
    const nasty = 'a\u001b[31mb\u0007c\u202Ed\u200Be\u2028f\u0000g\u009bh';
    expect(answered(500, { error: { message: nasty } }).message).toContain('a [31mb c d e f g h');
    const long = answered(500, { error: { message: `${'x'.repeat(299)}👋👋` } }).message;
    expect(long).toMatch(/^acme answered 500: x{299}\. /);
  });

  test.each<[number, Record<string, string>, string]>([
    [401, {}, 'Set the key of acme with "tau auth set acme" or in its variable'],
    [403, {}, 'The key of acme may not do this: check its rights, or set another with "tau auth set acme"'],
    [404, {}, 'Check the model id and the base URL'],
    [413, {}, 'The conversation is too long for this model: start a new one, or choose a model with a larger context'],
    [429, {}, 'This passes with a little patience'],
    [429, { 'retry-after': '12' }, 'It wants to be left alone for 12 s'],
    [429, { 'retry-after': '600' }, 'It wants to be left alone for 10 min'],
    [429, { 'retry-after': '86400' }, 'It wants to be left alone for 24 h'],
    [402, {}, 'Check the plan and the credit of your acme account'],
    [503, {}, 'The trouble is on its side and usually passes'],
    [504, {}, 'The trouble is on its side and usually passes'],
  ])('of %i with %j says what to do', (status, headers, remedy) => {
    expect(answered(status, { error: { message: 'Sorry.' } }, headers).message).toBe(
      `acme answered ${status}: Sorry. ${remedy}`,
    );
  });
});

describe('how long to wait', () => {
  test.each<[string, Record<string, string>, unknown, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, '', 7000],
    ['parts of a second', { 'retry-after': '0.5' }, '', 500],
    ['milliseconds, before seconds', { 'retry-after-ms': '120', 'retry-after': '7' }, '', 120],
    ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:01:00 GMT' }, '', 60_000],
    ['a date that has passed', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, '', 0],
    ['no date and no number', { 'retry-after': 'later' }, '', undefined],
    ["Google's detail", {}, google(429, 'RESOURCE_EXHAUSTED', [info('x'), { retryDelay: '12s' }]), 12_000],
    ["Google's detail with parts", {}, google(429, 'RESOURCE_EXHAUSTED', [{ retryDelay: '38.4005s' }]), 38_401],
    ["Google's detail that is none", {}, google(429, 'RESOURCE_EXHAUSTED', [{ retryDelay: 'soon' }]), undefined],
    [
      'the header before the body',
      { 'retry-after': '1' },
      google(429, 'RESOURCE_EXHAUSTED', [{ retryDelay: '9s' }]),
      1000,
    ],
  ])('%s', (_, headers, body, expected) => expect(answered(429, body, headers).retryAfterMs).toBe(expected));

  test('a provider that says not to try again is believed, and only then', () => {
    expect(answered(529, '', { 'x-should-retry': 'false' }).final).toBe(true);
    expect(answered(529, '', { 'x-should-retry': 'true' }).final).toBeUndefined();
  });
});

describe('what the system throws', () => {
  const url = 'https://user:secret@api.test:8443/v1?key=secret';
  const thrown = (error: unknown) => thrownFailure('acme', url, error, new AbortController().signal);

  test.each([
    ['ECONNREFUSED', 'nothing listens there (ECONNREFUSED). Check the address, and that the server is running'],
    ['ENOTFOUND', 'there is no such host (ENOTFOUND). Check the network and the address'],
    ['EAI_AGAIN', 'its name could not be looked up (EAI_AGAIN). Check the network and the address'],
    ['ECONNRESET', 'the connection was closed before an answer came (ECONNRESET)'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted here (SELF_SIGNED_CERT_IN_CHAIN). If you trust'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired (CERT_HAS_EXPIRED). Check the clock'],
    ['HPE_INVALID_CONSTANT', 'it does not speak HTTP (HPE_INVALID_CONSTANT). Check the address'],
    ['EWHATEVER', 'thrown by the system (EWHATEVER)'],
  ])('%s is told in words, with the host and no secret', (code, words) => {
    const error = thrown(Object.assign(new Error('thrown by the system'), { code }));
    expect(error.class).toBe('network');
    expect(error.message.startsWith(`acme cannot be reached at api.test:8443: ${words}`)).toBe(true);
    expect(error.message).not.toContain('secret');
  });

  test('what a proxy did is told of the proxy', () => {
    const cause = Object.assign(new Error('connect'), { code: 'ETIMEDOUT' });
    expect(thrown(new ProxyError('p:1', 'connect', { cause }))).toEqual({
      class: 'network',
      message:
        'acme cannot be reached: the proxy at p:1 cannot be reached: it did not answer in time (ETIMEDOUT). Check the network and the address',
    });
  });
});
