import { join } from 'node:path';
import type { Sandbox } from '@tau/testkit';
import { expect, test } from 'vitest';
import { apis, bareSandbox, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { closedAddress } from './processes.ts';
import { sessionFiles } from './sessions.ts';

/** So that a server that really runs on this machine does not matter. */
async function writeModels({ write, tauHome }: Sandbox, providers: Record<string, unknown>): Promise<string> {
  const nobody = { baseUrl: `${await closedAddress()}/v1` };
  const all = { ollama: nobody, lmstudio: nobody, llamacpp: nobody, ...providers };
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: all }));
  return nobody.baseUrl;
}

test('without credentials tau says what to set, where it looked, and what works without', async () => {
  const sandbox = bareSandbox();
  const nobody = await writeModels(sandbox, {});
  const run = await sandbox.tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  for (const word of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'models.json', 'tau demo'])
    expect(run.stderr).toContain(word);
  for (const name of ['Ollama', 'LM Studio', 'llama.cpp'])
    expect(run.stderr).toContain(`${name}: not running at ${nobody}`);
  expect(run.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(7);
});

test('a local server that runs is found, and the advice it leads to works', async () => {
  const { model, ...sandbox } = await converse([says('hello from here')]);
  await writeModels(sandbox, { ollama: { baseUrl: `${model.url}/v1` } });
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{}');
  const advice = await sandbox.tau(['-p', 'hi']);
  expect(advice).toMatchObject({ code: 2, stderr: expect.stringContaining('Ollama is running') });
  const flags = advice.stderr.match(/try (--model \S+)/)?.[1]?.split(' ') ?? [];
  expect(flags).toEqual(['--model', 'ollama/scripted']);
  expect(await sandbox.tau(['-p', 'hi', ...flags])).toMatchObject({ code: 0, stdout: 'hello from here\n' });
  expect(request(model, 0).headers.authorization).toBeUndefined();
});

test('a local server with an https address does not hide the advice', async () => {
  const sandbox = bareSandbox();
  const nobody = await writeModels(sandbox, { ollama: { baseUrl: 'https://127.0.0.1:1/v1' } });
  const run = await sandbox.tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('tau demo') });
  expect(run.stderr).toContain(nobody);
});

test('a model whose provider has no key is refused with the name of its variable', async () => {
  const sandbox = bareSandbox();
  await writeModels(sandbox, {});
  const run = await sandbox.tau(['-p', 'hi', '--model', 'openai/gpt-x']);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(/OPENAI_API_KEY.*--api-key/) });
});

test.each([
  ['ANTHROPIC_API_KEY', 'anthropic', '', 'x-api-key', 'secret-1'],
  ['OPENAI_API_KEY', 'openai', '/v1', 'authorization', 'Bearer secret-1'],
])('%s alone is enough: its provider is chosen and gets it', async (variable, provider, path, header, value) => {
  const { model, ...sandbox } = await converse([says('ok')]);
  await writeModels(sandbox, { [provider]: { baseUrl: model.url + path } });
  sandbox.write(join(sandbox.tauHome, 'settings.json'), '{}');
  expect(await sandbox.tau(['-p', 'hi'], { env: { [variable]: 'secret-1' } })).toMatchObject({
    code: 0,
    stdout: 'ok\n',
  });
  expect(request(model, 0).headers[header]).toBe(value);
});

test("a vendor's key does not go to another provider", async () => {
  const { tau, model } = await converse([says('ok')]);
  await tau(['-p', 'hi'], { env: { ANTHROPIC_API_KEY: 'vendor-secret', OPENAI_API_KEY: 'other-secret' } });
  expect(JSON.stringify(request(model, 0).headers)).not.toMatch(/secret/);
  expect(request(model, 0).headers['x-api-key']).toBe('test-key');
});

test.each([
  ['a variable', 'MY_KEY', { MY_KEY: 'from-variable' }, 'from-variable'],
  ['a command', '!printf from-command', {}, 'from-command'],
  ['a literal', 'sk-literal', {}, 'sk-literal'],
])('the key in models.json may be %s', async (_, apiKey, env, expected) => {
  const { model, ...sandbox } = await converse([says('ok')]);
  await writeModels(sandbox, { scripted: { baseUrl: model.url, api: 'anthropic-messages', apiKey } });
  expect((await sandbox.tau(['-p', 'hi'], { env })).code).toBe(0);
  expect(request(model, 0).headers['x-api-key']).toBe(expected);
});

test.each([
  ['a variable that is not set', 'MY_KEY', /MY_KEY, which is not set/],
  ['a command that fails', '!echo sk-leak >&2; exit 1', /key command of scripted failed/],
  ['a command that prints nothing', '!true', /printed nothing/],
])('a key from %s is an error of credentials', async (_, apiKey, message) => {
  const { model, ...sandbox } = await converse([says('never')]);
  await writeModels(sandbox, { scripted: { baseUrl: model.url, api: 'anthropic-messages', apiKey } });
  expect(await sandbox.tau(['-p', 'hi'])).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  expect(model.requests).toHaveLength(0);
});

test('keys are not in the environment of a command, and the rest is', async () => {
  const { model, ...sandbox } = await converse([calls(call('bash', { command: 'env' })), says('ok')]);
  const scripted = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'MY_KEY' };
  await writeModels(sandbox, { scripted });
  const env = { MY_KEY: 'leak-1', ANTHROPIC_API_KEY: 'leak-2', OPENAI_API_KEY: 'leak-3', HARMLESS: 'kept' };
  expect((await sandbox.tau(['-p', 'go', '--allow', 'bash(env)'], { env })).code).toBe(0);
  const text = resultsIn(request(model, 1))[0]?.text ?? '';
  expect(text).toContain('HARMLESS=kept');
  expect(text).not.toMatch(/leak-|API_KEY|MY_KEY/);
});

test.each(apis)('the headers of models.json go with every request over %s', async (api) => {
  const { model, ...sandbox } = await converse([says('ok')], { api });
  const scripted = { baseUrl: `${model.url}/v1`, api, apiKey: 'k', headers: { 'x-team': 'blue' } };
  await writeModels(sandbox, { scripted });
  expect((await sandbox.tau(['-p', 'hi'])).code).toBe(0);
  expect(request(model, 0).headers['x-team']).toBe('blue');
});

test.each([
  ['no JSON', '{ "providers": ', /models\.json:1:\d+/],
  ['no providers', '{}', /models\.json.*providers/],
  ['models that are no list', '{"providers":{"openai":{"models":{}}}}', /openai.*models/],
  ['a model without an id', '{"providers":{"openai":{"models":[{}]}}}', /openai.*models.*id/],
])('%s in models.json is an error that names the place', async (_, text, message) => {
  const { tau, write, tauHome, model } = await converse([says('never')]);
  write(join(tauHome, 'models.json'), text);
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(model.requests).toHaveLength(0);
});

test.each([
  ['without an address', { api: 'openai-completions' }, 'baseUrl'],
  ['without a protocol', { baseUrl: 'http://x.test' }, 'api'],
  ['with an unknown protocol', { baseUrl: 'http://x.test', api: 'telepathy' }, 'telepathy'],
  ['with an address that is none', { baseUrl: 'nowhere', api: 'openai-completions' }, 'nowhere'],
])('a provider %s is a warning, and an error only when it is chosen', async (_, mine, word) => {
  const { model, ...sandbox } = await converse([says('ok')]);
  const scripted = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'k' };
  await writeModels(sandbox, { mine, scripted });
  const run = await sandbox.tau(['-p', 'hi']);
  const sentence = `${join(sandbox.tauHome, 'models.json')}: provider "mine" cannot be used: `;
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: expect.stringContaining(sentence) });
  expect(run.stderr).toContain(word);
  expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
  const chosen = await sandbox.tau(['-p', 'hi', '--model', 'mine/x']);
  expect(chosen).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(model.requests).toHaveLength(1);
});

test('--api-key without a model and without any other key asks whose it is', async () => {
  const sandbox = bareSandbox();
  await writeModels(sandbox, {});
  const run = await sandbox.tau(['-p', 'hi', '--api-key', 'sk-whose']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe('tau: --api-key needs --model provider/id, so that the key goes to the right provider\n');
});

test('without any key, what a provider of models.json needs is named', async () => {
  const sandbox = bareSandbox();
  const server = { baseUrl: 'http://127.0.0.1:9/v1', api: 'openai-completions', models: [{ id: 'm' }] };
  await writeModels(sandbox, { 'my-server': { ...server, apiKey: 'MY_SERVER_KEY' } });
  const run = await sandbox.tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(/^ {2}my-server, which is described there, needs MY_SERVER_KEY\.$/m);
});

test('comments in models.json are fine', async () => {
  const { tau, write, read, tauHome } = await converse([says('ok')]);
  const path = join(tauHome, 'models.json');
  write(path, `// local\n${read(path)}`);
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
});

test('TAU_HOME is the home: its settings, models, instructions and sessions, and nothing in ~/.tau', async () => {
  const { tau, model, home, project, read, write, tauHome } = await converse([says('ok')]);
  const elsewhere = join(project, '../elsewhere');
  for (const name of ['settings.json', 'models.json']) {
    write(join(elsewhere, name), read(join(tauHome, name)));
    write(join(tauHome, name), 'must not be read');
  }
  write(join(elsewhere, 'AGENTS.md'), 'SPEAK SOFTLY');
  write(join(tauHome, 'AGENTS.md'), 'SHOUT');
  expect(await tau(['-p', 'hi'], { env: { TAU_HOME: elsewhere } })).toMatchObject({ code: 0, stderr: '' });
  expect(request(model, 0).raw).toContain('SPEAK SOFTLY');
  expect(request(model, 0).raw).not.toContain('SHOUT');
  expect(sessionFiles(home)).toEqual([]);
  expect(sessionFiles(join(elsewhere, 'sessions'))).toHaveLength(1);
});
