/** Which source a key comes from when there are several, and whose key goes to whom. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError, TauError } from '@tau/core';
import { expect, onTestFinished, test } from 'vitest';
import type { CredentialOptions } from '../src/credentials/credentials.ts';
import { createCredentials, type KeyOwner, loadProviders, storeKey } from '../src/index.ts';

const mine: KeyOwner = { name: 'mine', baseUrl: 'https://mine.invalid', keyVariables: ['MINE_KEY'] };
const path = { PATH: process.env.PATH };

function authFile(content?: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-auth-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'auth.json');
  if (content !== undefined) writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

const open = (options: Partial<CredentialOptions> = {}) =>
  createCredentials({ env: {}, authFile: authFile(), ...options });

async function refusal(from: Promise<unknown>): Promise<TauError> {
  const error = await from.catch((reason: unknown) => reason);
  if (error instanceof TauError) return error;
  throw new Error(`it was not refused: ${String(error)}`);
}

/** In the order they are used. Each adds itself to a provider and to the options. */
const sources: readonly {
  name: string;
  key: string;
  provider?: Partial<KeyOwner>;
  options?: Partial<CredentialOptions>;
}[] = [
  { name: '--api-key', key: 'from-flag', options: { flag: 'from-flag' } },
  { name: 'TAU_API_KEY', key: 'from-universal', options: { env: { TAU_API_KEY: 'from-universal' } } },
  { name: 'the first variable', key: 'from-first', options: { env: { MINE_KEY: 'from-first' } } },
  {
    name: 'the second variable',
    key: 'from-second',
    provider: { keyVariables: ['MINE_KEY', 'MINE_TOKEN'] },
    options: { env: { MINE_TOKEN: 'from-second' } },
  },
  { name: 'models.json', key: 'from-models-file', provider: { apiKey: 'from-models-file' } },
  { name: 'the helper', key: 'from-helper', options: { helper: 'echo from-helper' } },
  { name: 'auth.json', key: 'from-auth-file', options: {} },
];

function arrange(names: readonly string[]) {
  let provider = mine;
  let options: Partial<CredentialOptions> = {};
  for (const source of sources.filter(({ name }) => names.includes(name))) {
    provider = { ...provider, ...source.provider };
    options = { ...options, ...source.options, env: { ...options.env, ...source.options?.env } };
  }
  const stored = names.includes('auth.json') ? { mine: { type: 'api_key', key: 'from-auth-file' } } : undefined;
  return { provider, credentials: open({ ...options, env: { ...path, ...options.env }, authFile: authFile(stored) }) };
}

test.each(sources)('alone, $name is where the key comes from', async ({ name, key }) => {
  const { provider, credentials } = arrange([name]);
  expect(await credentials.find(provider)).toBe(key);
  expect(credentials.secrets()).toContain(key);
});

test.each(sources.flatMap((first, at) => sources.slice(at + 1).map((second) => [first.name, second.name, first.key])))(
  '%s goes before %s',
  async (first, second, key) => {
    const { provider, credentials } = arrange([first, second]);
    expect(await credentials.find(provider)).toBe(key);
  },
);

test('the status names the source that is used and those it hides, in order, and no key', async () => {
  const { provider, credentials } = arrange(['the first variable', 'models.json', 'the helper', 'auth.json']);
  const found = await credentials.source(provider);
  expect(found).toEqual({
    used: { kind: 'variable', name: 'MINE_KEY' },
    others: [{ kind: 'modelsFile', form: 'literal' }, { kind: 'helper' }, { kind: 'authFile', form: 'key' }],
    needed: true,
    variable: 'MINE_KEY',
  });
});

test.each([
  ['0123456789012345678', undefined],
  ['01234567890123456789', '…6789'],
])('of the key %s the hint is %s', async (key, hint) => {
  const credentials = open({ env: { MINE_KEY: key } });
  expect((await credentials.source(mine)).used).toEqual({ kind: 'variable', name: 'MINE_KEY', ...(hint && { hint }) });
});

test('a variable that is empty or blank is not set', async () => {
  const authfile = authFile({ mine: { type: 'api_key', key: 'stored' } });
  const credentials = open({ env: { TAU_API_KEY: '', MINE_KEY: ' \n' }, authFile: authfile });
  expect(await credentials.find(mine)).toBe('stored');
});

test('the line end in a variable is no part of the key', async () => {
  expect(await open({ env: { MINE_KEY: 'a-key\r\n' } }).find(mine)).toBe('a-key');
});

test("no provider gets another's variable, entry or login", async () => {
  const { providers } = await loadProviders('models.json', undefined);
  const shipped = providers.filter((provider) => provider.keyVariables !== undefined);
  expect(shipped.length).toBeGreaterThan(1);
  for (const owner of shipped) {
    const probe = open();
    const names = probe.variables([owner]).filter((name) => name !== 'TAU_API_KEY');
    const env = Object.fromEntries(names.map((name) => [name, `key-of-${owner.name}`]));
    const stored = authFile({ [owner.name]: { type: 'api_key', key: `stored-of-${owner.name}` } });
    for (const other of shipped) {
      if (other === owner || probe.variables([other]).some((name) => names.includes(name))) continue;
      const credentials = open({ env, authFile: stored });
      expect(credentials.ready(other)).toBe(false);
      await expect(credentials.find(other)).rejects.toThrow(`no API key for ${other.name}`);
    }
    const credentials = open({ env, authFile: stored });
    expect(await credentials.find(owner)).toBe(`key-of-${owner.name}`);
  }
});

test.each([
  ['--api-key', { flag: 'for-the-chosen' }],
  ['TAU_API_KEY', { env: { TAU_API_KEY: 'for-the-chosen' } }],
])('%s goes to the provider that is asked for first, and to no other', async (_, options) => {
  const other = { ...mine, name: 'other', keyVariables: ['OTHER_KEY'] };
  const credentials = open(options);
  expect(credentials.ready(mine)).toBe(false);
  expect(await credentials.find(mine)).toBe('for-the-chosen');
  expect(credentials.ready(mine)).toBe(true);
  expect(credentials.ready(other)).toBe(false);
  await expect(credentials.find(other)).rejects.toThrow('no API key for other');
  expect(await credentials.find(mine)).toBe('for-the-chosen');
});

test.each([
  { name: 'ollama', baseUrl: 'http://gpu.invalid/v1', local: true },
  { name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1' },
  { name: 'vllm', baseUrl: 'http://localhost:8000/v1' },
  { name: 'vllm', baseUrl: 'http://[::1]:8000/v1' },
])('a server on this machine without a key gets neither TAU_API_KEY nor the helper asked: %j', async (server) => {
  const credentials = open({ env: { ...path, TAU_API_KEY: 'universal' }, helper: 'echo helped' });
  expect(credentials.ready(server)).toBe(true);
  expect(await credentials.find(server)).toBeUndefined();
  expect(await credentials.source(server)).toEqual({ others: [], needed: false });
});

test('a server on this machine gets a key that was stored for it, or given with --api-key', async () => {
  const server = { name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1' };
  expect(await open({ flag: 'flag' }).find(server)).toBe('flag');
  const stored = authFile({ vllm: { type: 'api_key', key: 'stored' } });
  expect(await open({ authFile: stored }).find(server)).toBe('stored');
});

test('a server elsewhere that was described without a key gets TAU_API_KEY when it is chosen', async () => {
  const server = { name: 'far', baseUrl: 'https://far.invalid/v1' };
  expect(await open({ env: { TAU_API_KEY: 'universal' } }).find(server)).toBe('universal');
  expect(await open().find(server)).toBeUndefined();
});

test("Anthropic's token counts after its key, and is marked as one", async () => {
  const anthropic = { name: 'anthropic', baseUrl: 'https://api.anthropic.com', keyVariables: ['ANTHROPIC_API_KEY'] };
  const both = { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_AUTH_TOKEN: 'a-token' };
  expect(await open({ env: both }).find(anthropic)).toBe('a-key');
  const alone = open({ env: { ANTHROPIC_AUTH_TOKEN: 'a-token' } });
  expect(await alone.find(anthropic)).toBe('a-token');
  expect((await alone.source(anthropic)).used).toEqual({
    kind: 'variable',
    name: 'ANTHROPIC_AUTH_TOKEN',
    bearer: true,
  });
  expect([alone.bearer(anthropic), open({ env: both }).bearer(anthropic)]).toEqual([true, false]);
  await expect(open({ env: both }).find(mine)).rejects.toThrow('no API key');
});

test('without any key the error names the variable, the command that keeps one, and the option', async () => {
  const error = await refusal(open().find(mine));
  expect(error.code).toBe('credentials');
  expect(describeError(error)).toBe(
    'There is no API key for mine. Set MINE_KEY, run tau auth set mine, or pass --api-key',
  );
});

test('a variable that models.json names and nobody set is named, unless there is a key further on', async () => {
  const named = { name: 'mine', baseUrl: 'https://x.invalid', apiKey: 'TEAM_KEY' };
  expect(open().ready(named)).toBe(false);
  const error = await refusal(open({ env: { TEAM_KEY: '' } }).find(named));
  expect(describeError(error)).toBe(
    'The key of mine is in TEAM_KEY, which is not set. Set TEAM_KEY, run tau auth set mine, or pass --api-key',
  );
  const stored = authFile({ mine: { type: 'api_key', key: 'stored' } });
  expect(await open({ authFile: stored }).find(named)).toBe('stored');
});

test('a word in capitals without an underscore is a variable when it is set, else the key', async () => {
  const named = { name: 'mine', baseUrl: 'https://x.invalid', apiKey: 'TEAMKEY' };
  expect(await open({ env: { TEAMKEY: 'its value' } }).find(named)).toBe('its value');
  expect(await open().find(named)).toBe('TEAMKEY');
});

test('what is kept from child processes: every variable that may hold a key, and no literal', () => {
  const providers: KeyOwner[] = [
    { ...mine, keyVariables: ['MINE_KEY', 'MINE_TOKEN'] },
    { name: 'a', baseUrl: '', apiKey: 'TEAM_KEY', headers: { 'x-a': 'HEADER_TOKEN', 'x-b': 'plain' } },
    { name: 'b', baseUrl: '', apiKey: 'sk-literal' },
    { name: 'c', baseUrl: '', apiKey: '!pass show KEY' },
    { name: 'anthropic', baseUrl: '', keyVariables: ['ANTHROPIC_API_KEY'] },
  ];
  expect(open().variables(providers).sort()).toEqual([
    ...[
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'HEADER_TOKEN',
      'MINE_KEY',
      'MINE_TOKEN',
      'TAU_API_KEY',
      'TEAM_KEY',
    ],
  ]);
});

test('a key that is stored while tau runs is found', async () => {
  const file = authFile();
  const credentials = open({ authFile: file });
  expect(credentials.ready(mine)).toBe(false);
  await storeKey(file, 'mine', 'stored-later');
  expect(credentials.ready(mine)).toBe(true);
  expect(await credentials.find(mine)).toBe('stored-later');
});

test('a login is used until it expires, and then says how to renew it', async () => {
  const login = (expires: number) =>
    authFile({ mine: { type: 'oauth', access: 'token-1', refresh: 'refresh-1', expires } });
  const fresh = open({ authFile: login(Date.now() + 60_000) });
  expect(await fresh.find(mine)).toBe('token-1');
  expect(fresh.secrets().sort()).toEqual(['refresh-1', 'token-1']);
  const old = open({ authFile: login(Date.now() - 1) });
  const error = await refusal(old.find(mine));
  expect(error.code).toBe('credentials');
  expect(describeError(error)).toMatch(/login of mine in .*auth\.json has expired.*renew.*tau auth set mine/);
  expect(describeError(error)).not.toMatch(/token-1|refresh-1/);
  expect((await old.source(mine)).used).toMatchObject({ kind: 'authFile', form: 'login', problem: 'it has expired' });
  expect(await open({ authFile: authFile({ mine: { type: 'oauth', access: 'endless' } }) }).find(mine)).toBe('endless');
});

test.each([
  ['text', 'it is not an object'],
  [{ type: 'api_key' }, 'its "key" is missing'],
  [{ type: 'api_key', key: '  ' }, 'its "key" is missing'],
  [{ type: 'oauth', refresh: 'r' }, 'its "access" is missing'],
  [{ type: 'oauth', access: 'a', expires: 'soon' }, 'its "expires" is not a number'],
  [{ type: 'magic', key: 'k' }, 'its "type" is neither "api_key" nor "oauth"'],
])('an entry that cannot be used is an error, not a missing key: %j', async (entry, problem) => {
  const credentials = open({ authFile: authFile({ mine: entry }) });
  const error = await refusal(credentials.find(mine));
  expect(error.code).toBe('credentials');
  expect(error.message).toContain(problem);
  expect((await credentials.source(mine)).used).toEqual({ kind: 'authFile', form: 'broken', problem });
});

test('names that every object has are no entries', async () => {
  const credentials = open({ authFile: authFile({}) });
  for (const name of ['constructor', '__proto__', 'toString']) {
    await expect(credentials.find({ ...mine, name })).rejects.toThrow(`no API key for ${name}`);
  }
});
