/** Where a key comes from, and what is said when there is none. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError, TauError } from '@tau/core';
import { expect, onTestFinished, test } from 'vitest';
import { chooseModel, findKey, keyVariables, loadProviders, type Provider } from '../src/index.ts';

const bare: Provider = { name: 'mine', api: 'openai-completions', baseUrl: 'http://x.invalid', models: [], open: true };
const provider = (extra: Partial<Provider> = {}): Provider => ({ ...bare, ...extra });

async function refusal(from: Provider, env: NodeJS.ProcessEnv = {}): Promise<TauError> {
  const error = await findKey(from, env, undefined).catch((reason: unknown) => reason);
  if (error instanceof TauError) return error;
  throw new Error(`a key was found: ${String(error)}`);
}

test('the flag comes before the variable, the variable before the file', async () => {
  const all = provider({ keyVariable: 'MINE_KEY', apiKey: 'from file' });
  expect(await findKey(all, { MINE_KEY: 'from variable' }, 'from flag')).toBe('from flag');
  expect(await findKey(all, { MINE_KEY: 'from variable' }, undefined)).toBe('from variable');
  expect(await findKey(all, {}, undefined)).toBe('from file');
  expect(await findKey(all, { MINE_KEY: '' }, undefined)).toBe('from file');
});

test('a key in the file is a literal, or the name of a variable', async () => {
  expect(await findKey(provider({ apiKey: 'sk-Literal_1' }), {}, undefined)).toBe('sk-Literal_1');
  expect(await findKey(provider({ apiKey: 'TEAM_KEY' }), { TEAM_KEY: 'secret' }, undefined)).toBe('secret');
});

test.each([{}, { TEAM_KEY: '' }])(
  'a variable the file names and nobody set is an error that names it: %j',
  async (env) => {
    const error = await refusal(provider({ apiKey: 'TEAM_KEY' }), env);
    expect(error.code).toBe('credentials');
    expect(describeError(error)).toBe(
      'The key of mine is in TEAM_KEY, which is not set. Set TEAM_KEY or pass --api-key',
    );
  },
);

test("a provider's variable is not taken for another provider", async () => {
  const env = { ANTHROPIC_API_KEY: 'for anthropic', OPENAI_API_KEY: 'for openai' };
  expect(await findKey(provider(), env, undefined)).toBeUndefined();
  const {
    providers: [anthropic, openai],
  } = await loadProviders('models.json', undefined);
  if (!anthropic || !openai) throw new Error('the shipped providers are gone');
  expect(await findKey(anthropic, env, undefined)).toBe('for anthropic');
  expect(await findKey(openai, env, undefined)).toBe('for openai');
  await expect(findKey(openai, { ANTHROPIC_API_KEY: 'for anthropic' }, undefined)).rejects.toThrow(
    'no API key for openai',
  );
});

test('a provider that needs a key and has none says how to give it one', async () => {
  const error = await refusal(provider({ keyVariable: 'MINE_KEY' }));
  expect(error.code).toBe('credentials');
  expect(error.remedy).toBe('Set MINE_KEY, pass --api-key, or give it an apiKey in models.json');
});

test('a provider that needs no key has none', async () => {
  expect(await findKey(provider({ local: true }), {}, undefined)).toBeUndefined();
});

test('a command prints the key, and the space around it is not part of it', async () => {
  expect(await findKey(provider({ apiKey: "!printf ' %s \\n\\n' a-key | cat" }), {}, undefined)).toBe('a-key');
});

test('a command is not run when the key is already known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tau-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const touched = provider({ keyVariable: 'MINE_KEY', apiKey: `!: > '${folder}/ran'; echo k` });
  await findKey(touched, { MINE_KEY: 'x' }, undefined);
  await findKey(touched, {}, 'flag');
  expect(existsSync(join(folder, 'ran'))).toBe(false);
  await findKey(touched, {}, undefined);
  expect(existsSync(join(folder, 'ran'))).toBe(true);
});

test.each([
  ['failed', 'exit 3'],
  ['failed', 'no-such-command-anywhere'],
  ['failed', 'echo looks-like-a-key; exit 1'],
  ['failed', 'kill -9 $$'],
  ['printed nothing', 'true'],
  ['printed nothing', 'echo; echo " "'],
])('a command that %s is told as such: %s', async (fate, command) => {
  const error = await refusal(provider({ apiKey: `!${command}` }));
  expect(error.code).toBe('credentials');
  expect(error.message).toBe(`The key command of mine ${fate}`);
  expect(error.remedy).toBe('To see why, run by hand what the apiKey of mine in models.json says after the "!"');
});

test('a failing command is not repeated: it may hold a token', async () => {
  const error = await refusal(provider({ apiKey: '!TOKEN=hunter2 no-such-helper --token hunter2' }));
  expect(describeError(error)).not.toContain('hunter2');
  expect(String(error.cause ?? '')).not.toContain('hunter2');
});

test("a command runs in the agent's environment, not in that of the process", async () => {
  process.env.TAU_TEST_OUTER = 'outer';
  onTestFinished(() => void delete process.env.TAU_TEST_OUTER);
  const command = provider({ apiKey: '!echo "$INNER-$TAU_TEST_OUTER"' });
  expect(await findKey(command, { PATH: process.env.PATH, INNER: 'inner' }, undefined)).toBe('inner-');
});

test.each([
  ['TEAM_KEY', {}, undefined],
  ['TEAM_KEY', { TEAM_KEY: '' }, undefined],
  ['TEAM_KEY', { TEAM_KEY: 'k' }, 'mine'],
  ['TEAMKEY', {}, 'mine'],
  ['sk-literal', {}, 'mine'],
  ['!pass show key', {}, 'mine'],
])('without a wish, a provider with the file key %s and the variables %j is chosen: %s', (apiKey, env, expected) => {
  const choice = chooseModel(undefined, [provider({ apiKey, models: [{ id: 'a' }] })], env);
  expect(choice?.provider.name).toBe(expected);
});

test('a key from the flag that belongs to nobody is not given to anybody', async () => {
  const { providers } = await loadProviders('models.json', undefined);
  expect(() => chooseModel(undefined, providers, {}, 'sk-flag')).toThrow(
    new TauError('credentials', '--api-key needs --model provider/id, so that the key goes to the right provider'),
  );
  expect(chooseModel('openai/x', providers, {}, 'sk-flag')?.provider.name).toBe('openai');
  expect(chooseModel(undefined, providers, { OPENAI_API_KEY: 'k' }, 'sk-flag')?.provider.name).toBe('openai');
});

test('what a failing command printed, on either stream, is not repeated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tau-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'secret'), 'hunter2');
  const error = await refusal(provider({ apiKey: `!cat '${folder}/secret'; cat '${folder}/secret' >&2; exit 1` }));
  expect(describeError(error)).not.toContain('hunter2');
  expect(String(error.cause ?? '')).not.toContain('hunter2');
});

test('the variables that hold keys are those of the vendors and those the file names, and no literal', async () => {
  const entry = { api: 'openai-completions', baseUrl: 'http://x.invalid' };
  const { providers } = await loadProviders('models.json', {
    providers: {
      a: { ...entry, apiKey: 'TEAM_KEY' },
      b: { ...entry, apiKey: 'sk-literal' },
      c: { ...entry, apiKey: '!pass show KEY' },
      openai: { apiKey: 'OTHER_KEY' },
    },
  });
  expect(keyVariables(providers).sort()).toEqual(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OTHER_KEY', 'TEAM_KEY']);
});
