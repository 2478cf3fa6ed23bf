/** No secret survives `scrub`, in whatever form it travels, and innocent text does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCredentials, scrub } from '../src/index.ts';
import { apis, ask } from './wire.ts';

const secret = 'hunter2/+"&=\\key';

const forms: readonly (readonly [string, (text: string) => string])[] = [
  ['plain', (text) => text],
  ['JSON', (text) => JSON.stringify({ message: `bad key ${text}!` })],
  ['JSON in JSON', (text) => JSON.stringify({ body: JSON.stringify({ text }) })],
  ['a URL', (text) => `https://x.invalid/?key=${encodeURIComponent(text)}&b=1`],
  ['a URL in lower case', (text) => encodeURIComponent(text).replace(/%../g, (hex) => hex.toLowerCase())],
  ['a form', (text) => new URLSearchParams({ key: text }).toString()],
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64url', (text) => Buffer.from(text).toString('base64url')],
  ['base64 after one byte', (text) => Buffer.from(`u${text}`).toString('base64')],
  ['base64 after two bytes', (text) => Buffer.from(`u:${text}`).toString('base64')],
  ['base64 in the middle', (text) => Buffer.from(`user:${text}:and more`).toString('base64')],
];

test.each(forms)('a known secret is taken out of %s', (name, write) => {
  const written = write(secret);
  const clean = scrub(`before ${written} after`, [secret]);
  expect(clean).toContain('[secret]');
  expect(clean).not.toContain('hunter2');
  expect(clean.startsWith('before ')).toBe(true);
  expect(clean.endsWith(' after')).toBe(true);
  // What is left of an encoding must not give back half of the key.
  if (name.startsWith('base64')) {
    for (const word of clean.split(/[^A-Za-z0-9+/_-]+/)) {
      expect(Buffer.from(word, 'base64').toString('latin1')).not.toMatch(/hunt|nter|2\/\+|key/);
    }
  }
});

test('any secret of eight characters or more is taken out of any text, in every form', () => {
  const odd = fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme' });
  const plain = fc.stringMatching(/^[\w.-]{8,40}$/);
  fc.assert(
    fc.property(fc.oneof(odd, plain), fc.string(), fc.string(), (key, a, b) => {
      fc.pre(!'[secret]'.includes(key.trim()));
      for (const [name, write] of forms) {
        if (name.includes('after') || name.includes('middle')) continue;
        expect(scrub(`${a} ${write(key)} ${b}`, [key])).toContain('[secret]');
      }
      expect(scrub(a + key + b, [key])).not.toContain(key);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('a secret that is a part of another leaves nothing of the longer one', () => {
  expect(scrub('x abcdefghijkl y', ['abcdefgh', 'abcdefghijkl'])).toBe('x [secret] y');
});

test('every occurrence goes, and a secret that is too short to tell apart stays', () => {
  expect(scrub('abcdefgh, abcdefgh', ['abcdefgh', 'abc'])).toBe('[secret], [secret]');
  expect(scrub('the abc', ['abc', ''])).toBe('the abc');
});

/** Put together here, so that nobody takes this file for a leak. */
const shaped = [
  ['sk-ant-', 'api03-AbCdEf_123-456'],
  ['sk-proj-', 'AbCdEfGh_12345678'],
  ['sk-or-v1-', '0123456789abcdef'],
  ['sk-', 'AbCdEfGhIjKlMnOp1234'],
  ['AIza', 'SyA1234567890_abcdefghijklmnopqrs-x'],
  ['gsk_', 'abcdefgh12345678ABCD'],
  ['xai-', 'abcdefgh12345678ABCD'],
  ['r8_', 'abcdefgh12345678ABCD'],
  ['ghp_', 'abcdefgh12345678ABCDabcdefgh12345678'],
  ['gho_', 'abcdefgh12345678ABCDabcdefgh12345678'],
  ['github_pat_', '11ABCDEFG0abcdefghij_1234567890'],
  ['AKIA', 'IOSFODNN7EXAMPLE'],
  ['eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl-_x'],
].map(([head, tail]) => `${head}${tail}`);

test.each(shaped)('what has the shape of a key is taken out though nobody knows it: %s', (key) => {
  for (const around of [
    (text: string) => text,
    (text: string) => `Incorrect API key provided: ${text}. See`,
    (text: string) => `KEY=${text}\nnext`,
    (text: string) => JSON.stringify(`first line\n${text}\tafter`),
    (text: string) => `https://x.invalid/a%20${text}?b`,
    (text: string) => `\u001b[31m${text}\u001b[0m`,
    (text: string) => JSON.stringify(`\u001b[1;31m${text}\u001b[0m`),
  ]) {
    const clean = scrub(around(key), []);
    expect(clean).toBe(around('[secret]'));
  }
});

test('a bearer token goes, the word before it stays', () => {
  expect(scrub('Authorization: Bearer abc.def~123=\nnext', [])).toBe('Authorization: Bearer [secret]\nnext');
  expect(scrub('{"authorization":"bearer 0123456789"}', [])).toBe('{"authorization":"bearer [secret]"}');
  expect(scrub(`Bearer ${'a'.repeat(20)}`, [])).toBe('Bearer [secret]');
});

test.each([
  'Bearer authentication is required',
  'the task-based approach and risk-management1234567',
  'sk-learn-contrib-imbalanced-learn',
  'sk-123',
  'a disk-usage-2024-report-final',
  'eyJhbGciOi is how a token begins',
  'MAKIATA and AKIA',
  'see ghp_ and gsk_ prefixes',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
])('innocent text stays as it is: %s', (text) => {
  expect(scrub(text, ['a-secret-nobody-wrote'])).toBe(text);
});

test('cleaning twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...shaped, 'Bearer ', ' ', '\n', secret, 'word')), (parts) => {
      const once = scrub(parts.join(' '), [secret]);
      expect(scrub(once, [secret])).toBe(once);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test.each(['sk-', 'eyJ', 'eyJaaaaaaaa.', 'Bearer ', 'bearer\t', 'AIza', '\\nsk-', '%20', 'AKIA', '\u001b[', 'a'])(
  'hostile text of a million characters is still read to its end: %j',
  (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(scrub(`${text} ${secret}`, [secret]).endsWith('[secret]')).toBe(true);
  },
);

test.each(apis)("a key that a provider's error quotes does not get past the scrubber, over %s", async (api) => {
  const credentials = createCredentials({
    env: { MINE_KEY: secret.replace('\\', '') },
    authFile: '/nonexistent/auth.json',
  });
  const key = await credentials.find({ name: 'mine', baseUrl: 'https://x.invalid', keyVariables: ['MINE_KEY'] });
  const { error, message, request } = await ask(
    api,
    (seen) => ({
      status: 401,
      body: { error: { type: 'authentication_error', message: `invalid key: ${JSON.stringify(seen.headers)}` } },
    }),
    { ...(key !== undefined && { key }) },
  );
  expect(JSON.stringify(request.headers)).toContain('hunter2');
  expect(error?.message).toContain('hunter2');
  for (const written of [error?.message ?? '', JSON.stringify(error), JSON.stringify(message)]) {
    expect(scrub(written, credentials.secrets())).not.toContain('hunter2');
  }
});
