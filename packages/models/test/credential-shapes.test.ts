/** Keys of well-known kinds, and secrets that only their name tells, are taken out of whatever they stand in. */
import { expect, test } from 'vitest';
import { createCredentials, scrub } from '../src/index.ts';

const hex = '0123456789abcdef'.repeat(4);
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ'.repeat(3);

/** Head and tail apart, so that nobody takes this file for a leak. */
const kinds: readonly (readonly [head: string, tail: string])[] = [
  ['ASIA', 'IOSFODNN7EXAMPLE'],
  ['ghu_', letters.slice(0, 36)],
  ['ghs_', letters.slice(0, 36)],
  ['ghr_', letters.slice(0, 36)],
  ['glpat-', letters.slice(0, 20)],
  ['gldt-', letters.slice(0, 20)],
  ['xoxb-', '123456789012-1234567890123-AbCdEfGhIjKl'],
  ['xoxp-', '123456789012-AbCdEfGhIjKl'],
  ['xapp-', `1-A0123456789-1234567890123-${hex}`],
  ['sk_live_', letters.slice(0, 24)],
  ['rk_live_', letters.slice(0, 24)],
  ['sk_test_', letters.slice(0, 24)],
  ['whsec_', letters.slice(0, 32)],
  ['npm_', letters.slice(0, 36)],
  ['pypi-', `AgEIcHlwaS5vcmc${letters.slice(0, 40)}`],
  ['SG.', `${letters.slice(0, 22)}.${letters.slice(0, 43)}`],
  ['SK', hex.slice(0, 32)],
  ['dop_v1_', hex],
  ['hf_', letters.slice(0, 34)],
  ['123456789:', `AA${letters.slice(0, 33)}`],
  ['AGE-SECRET-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)],
  ['GOCSPX-', letters.slice(0, 28)],
  ['ya29.', letters.slice(0, 60)],
  ['hvs.', letters.slice(0, 40)],
  ['dapi', hex.slice(0, 32)],
  ['nvapi-', letters.slice(0, 64)],
  ['shpat_', hex.slice(0, 32)],
  ['lin_api_', letters.slice(0, 40)],
  ['dckr_pat_', letters.slice(0, 27)],
  ['abc8Q~', letters.slice(0, 34)],
];

test.each(kinds)('a key that begins with %s', (head, tail) => {
  const key = `${head}${tail}`;
  for (const around of [
    (text: string) => text,
    (text: string) => `wrong: ${text}.`,
    (text: string) => `A=${text}\nnext`,
    (text: string) => JSON.stringify({ note: `line\n${text}`, more: 'x' }),
    (text: string) => `curl -H 'x: ${text}' example.org`,
  ]) {
    expect(scrub(around(key), [])).toBe(around('[secret]'));
  }
});

test.each([
  ['sk-ant-', 'abcd5678'],
  ['xoxb-', '1234567890'],
  ['AKIA', 'IOSFODNN7EXAMPLE'],
  ['sk-', 'abcdefgh12345678'],
])('the shortest key that begins with %s, by itself', (head, tail) => {
  expect(scrub(`${head}${tail}`, [])).toBe('[secret]');
});

test.each([
  ['Bearer ', 'abc4efgh', ''],
  ['basic ', Buffer.from('me:secret').toString('base64'), ''],
  ['https://me:', 'abc', '@host'],
  ['pwd=', 'qwertz', ''],
])('the shortest secret that is told by %s, by itself', (before, value, after) => {
  expect(scrub(`${before}${value}${after}`, [])).toBe(`${before}[secret]${after}`);
});

const body = `${letters}\n${letters}\n${letters.slice(0, 20)}==\n`;
const pem = (kind: string, headers = '') => `-----BEGIN ${kind}-----\n${headers}${body}-----END ${kind}-----`;

test.each([
  ['RSA', pem('RSA PRIVATE KEY')],
  ['OpenSSH', pem('OPENSSH PRIVATE KEY')],
  ['PKCS 8', pem('PRIVATE KEY')],
  ['one under a password', pem('EC PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B2C\n\n')],
  ['PGP', pem('PGP PRIVATE KEY BLOCK', 'Version: GnuPG v2\n\n')],
  ['one whose end is cut', pem('RSA PRIVATE KEY').slice(0, 120)],
])('a private key goes as a whole: %s', (_, key) => {
  expect(scrub(`before\n${key}\nafter, as it was`, [])).toMatch(
    /^before\n\[secret\](?:\nafter, as it was|, as it was)$/,
  );
  const json = JSON.stringify({ key, next: 'stays' });
  expect(JSON.parse(scrub(json, []))).toEqual({ key: '[secret]', next: 'stays' });
  expect(scrub(JSON.stringify(json), [])).toBe(JSON.stringify(JSON.stringify({ key: '[secret]', next: 'stays' })));
});

test('a public key and a certificate are no secrets', () => {
  for (const text of [pem('PUBLIC KEY'), pem('CERTIFICATE'), 'it begins with -----BEGIN PRIVATE KEY-----, mostly']) {
    expect(scrub(text, [])).toBe(text);
  }
});

const word = ['correct', 'horse7'].join('');
const random = letters.slice(0, 40);

test.each([
  [`postgres://jo:${word}@db.example/x`, 'postgres://jo:[secret]@db.example/x'],
  [`git clone https://x-token:${random}@host.example/a.git`, 'git clone https://x-token:[secret]@host.example/a.git'],
  [`GET /a?b=1&token=${random}&c=2`, 'GET /a?b=1&token=[secret]&c=2'],
  [`https://x.example/?sig=${random}`, 'https://x.example/?sig=[secret]'],
  [`export DB_PASSWORD=${word}\nNEXT=1`, 'export DB_PASSWORD=[secret]\nNEXT=1'],
  [`MY_API_KEY="${word}"`, 'MY_API_KEY="[secret]"'],
  [`A='1' NPM_TOKEN='${word}' npm i`, "A='1' NPM_TOKEN='[secret]' npm i"],
  [`Server=db;User Id=sa;Password=${word};Encrypt=true`, 'Server=db;User Id=sa;Password=[secret];Encrypt=true'],
  [`AccountName=a;AccountKey=${random}${random}A0==;`, 'AccountName=a;AccountKey=[secret];'],
  [`aws_secret_access_key = ${random}`, 'aws_secret_access_key = [secret]'],
  [`{"SecretAccessKey":"${random}"}`, '{"SecretAccessKey":"[secret]"}'],
  [`x-api-key: ${random}`, 'x-api-key: [secret]'],
  [`{\\"client_secret\\": \\"${random}\\"}`, '{\\"client_secret\\": \\"[secret]\\"}'],
  [`token: ${random}\n`, 'token: [secret]\n'],
  [`Authorization: Basic ${Buffer.from('jo:hunter2hunter2').toString('base64')}`, 'Authorization: Basic [secret]'],
])('a secret by its name: %s', (text, clean) => {
  expect(scrub(text, [])).toBe(clean);
  expect(scrub(clean, [])).toBe(clean);
});

test.each([
  'const token = await readToken(request.headers);',
  'token: string; password?: string | undefined; apiKey: z.string().min(16)',
  'maxTokens: 16384, max_tokens=4096, MAX_TOKENS=1000000000',
  'password: process.env.DATABASE_PASSWORD_2024, token: config.tokens.github2',
  'OPENAI_API_KEY=your-key-here, GITHUB_TOKEN=<token from the settings>, A_TOKEN=$(cat token.txt)',
  'secret: createHash("sha256").update(value1).digest("hex")',
  'https://host.example:8080/a@b, git@host.example:a/b.git, http://[::1]:8080/@scope/name',
  'sha512-9Yf1gWm2nG8Jq0m3xkqzv5Kk7m4o0l1p2q3r4s5t6u7v8w9x0yz==',
  'tokenizer: cl100k_base_2024_tokenizer_v2',
  'Basic functionality of the basic authentication2',
  'npm_config_registry npm_package_json npm_lifecycle_event_and_more_of_it_1',
])('innocent text stays as it is: %s', (text) => {
  expect(scrub(text, [])).toBe(text);
});

test('what the environment names as secret is known everywhere it turns up, and plain words are not', () => {
  const env = {
    DEPLOY_TOKEN: 'zebra-42-quagga',
    CI_KEY: 'development',
    SSH_KEY: '/home/jo/.ssh/id_rsa_2',
    EDITOR: 'nano-7-nano-7',
  };
  const credentials = createCredentials({ env, authFile: '/nonexistent/auth.json' });
  const text = 'zebra-42-quagga in development, /home/jo/.ssh/id_rsa_2, nano-7-nano-7';
  expect(scrub(text, credentials.secrets())).toBe('[secret] in development, /home/jo/.ssh/id_rsa_2, nano-7-nano-7');
});

test.each([
  ...[
    '://',
    '://a:',
    '://a:b',
    '?token=',
    'TOKEN=',
    'token: ',
    'x-api-key:',
    'Basic ',
    'SG.',
    '1234567890:',
    'M',
    'abc8Q~',
  ],
  ...[
    '-----BEGIN PRIVATE KEY-----\n',
    '-----BEGIN PRIVATE KEY-----\nA: b\n',
    `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(16)}`,
  ],
])('a megabyte of %j is read to its end', (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  expect(scrub(`${text}\n, known-secret`, ['known-secret']).endsWith(', [secret]')).toBe(true);
});
