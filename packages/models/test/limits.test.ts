/** What providers say about how much they will still take, in their own headers. */
import { expect, test } from 'vitest';
import { readLimits } from '../src/limits.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

test.each([
  [
    'Anthropic',
    {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2026-03-01T12:00:01Z',
      'anthropic-ratelimit-tokens-limit': '100000',
      'anthropic-ratelimit-tokens-remaining': '99000',
      'anthropic-ratelimit-tokens-reset': '2026-03-01T13:00:30+01:00',
      'anthropic-ratelimit-input-tokens-limit': '50000',
    },
    {
      requests: { limit: 50, remaining: 49, resetMs: 1000 },
      tokens: { limit: 100_000, remaining: 99_000, resetMs: 30_000 },
    },
  ],
  [
    'Anthropic with input tokens only',
    { 'anthropic-ratelimit-input-tokens-limit': '50000', 'anthropic-ratelimit-input-tokens-remaining': '0' },
    { tokens: { limit: 50_000, remaining: 0 } },
  ],
  [
    'OpenAI',
    {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-requests': '120ms',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    {
      requests: { limit: 60, remaining: 59, resetMs: 120 },
      tokens: { limit: 150_000, remaining: 149_984, resetMs: 360_000 },
    },
  ],
  [
    'Groq',
    {
      'x-ratelimit-limit-requests': '14400',
      'x-ratelimit-remaining-requests': '14370',
      'x-ratelimit-reset-requests': '2m59.56s',
      'x-ratelimit-reset-tokens': '7.66s',
    },
    { requests: { limit: 14_400, remaining: 14_370, resetMs: 179_560 }, tokens: { resetMs: 7660 } },
  ],
  [
    'OpenRouter',
    { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 45_000) },
    { requests: { limit: 20, remaining: 0, resetMs: 45_000 } },
  ],
  [
    'Cerebras',
    {
      'x-ratelimit-limit-requests-day': '14400',
      'x-ratelimit-limit-tokens-minute': '60000',
      'x-ratelimit-remaining-requests-day': '14399',
      'x-ratelimit-remaining-tokens-minute': '58000',
      'x-ratelimit-reset-requests-day': '33011.382867',
      'x-ratelimit-reset-tokens-minute': '11.38',
    },
    {
      requests: { limit: 14_400, remaining: 14_399, resetMs: 33_011_383 },
      tokens: { limit: 60_000, remaining: 58_000, resetMs: 11_380 },
    },
  ],
  ['a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 5) }, { requests: { resetMs: 5000 } }],
  ['a moment that has passed', { 'x-ratelimit-reset': String(now - 5) }, { requests: { resetMs: 0 } }],
  ['a wait in seconds', { 'retry-after': '12' }, { requests: { resetMs: 12_000 } }],
  ['a wait in milliseconds', { 'retry-after-ms': '250', 'retry-after': '1' }, { requests: { resetMs: 250 } }],
  ['a wait until a date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' }, { requests: { resetMs: 20_000 } }],
  ['a header that came twice', { 'x-ratelimit-remaining-requests': ['3', '9'] }, { requests: { remaining: 3 } }],
  ['days and hours', { 'x-ratelimit-reset-tokens': '1d2h' }, { tokens: { resetMs: 93_600_000 } }],
])('%s', (_, headers, expected) => expect(readLimits(headers, now)).toEqual(expected));

test.each([
  ['no headers', {}],
  ['headers about something else', { 'content-type': 'text/plain', 'x-ratelimit-policy': '5' }],
  [
    'values that are none',
    {
      'x-ratelimit-limit-requests': 'many',
      'x-ratelimit-remaining-requests': '-1',
      'x-ratelimit-reset-requests': 'soon',
      'anthropic-ratelimit-tokens-reset': 'tomorrow 12',
      'retry-after': '',
      'x-ratelimit-limit-tokens': '1e400',
    },
  ],
])('nothing is known from %s', (_, headers) => expect(readLimits(headers, now)).toBeUndefined());
