/** Keys and headers on the way from the files of the user: who may see them, and that nobody waits for them in vain. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox, ScriptedModel } from '@tau/testkit';
import { expect, test } from 'vitest';
import { bareSandbox, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { expectGone, pidsIn } from './processes.ts';
import { onlySession } from './sessions.ts';

function describeProviders({ write, tauHome }: Sandbox, providers: Record<string, unknown>): void {
  write(join(tauHome, 'models.json'), JSON.stringify({ providers }));
}

const served = (model: ScriptedModel, more: object = {}) => ({
  baseUrl: model.url,
  api: 'anthropic-messages',
  apiKey: 'a-key-of-its-own',
  models: [{ id: 'scripted' }],
  ...more,
});

const slowKey = '!echo $$ >> "$HOME/pids"; sleep 300 & echo $! >> "$HOME/pids"; wait';

test('Ctrl+C while a command is asked for the key ends with 130, and the command is gone', async () => {
  const { model, ...sandbox } = await converse([says('never')]);
  describeProviders(sandbox, { scripted: served(model, { apiKey: slowKey }) });
  const run = sandbox.start(['-p', 'hi']);
  const pids = await pidsIn(join(sandbox.home, 'pids'), 2);
  run.kill('SIGINT');
  expect(await run.done).toMatchObject({ code: 130, signal: null, stdout: '', stderr: '' });
  await expectGone(pids);
  expect(model.requests).toEqual([]);
});

test.each([
  ['key', { apiKey: slowKey }],
  ['header', { headers: { 'x-team': slowKey } }],
])('the same while a stand-in is asked for, by the command of its %s', async (_, slow) => {
  const { model, ...sandbox } = await converse([{ status: 529 }]);
  describeProviders(sandbox, { scripted: served(model), other: served(model, slow) });
  const run = sandbox.start(['-p', 'hi', '--fallback-model', 'other/scripted']);
  const pids = await pidsIn(join(sandbox.home, 'pids'), 2);
  run.kill('SIGINT');
  expect(await run.done).toMatchObject({ code: 130, signal: null, stdout: '' });
  await expectGone(pids);
});

test('a level behind the name of a stand-in is the level it is asked with', async () => {
  const { model, ...sandbox } = await converse([{ status: 529 }, says('here')]);
  const models = [{ id: 'claude-sonnet-4-5', reasoning: true }];
  describeProviders(sandbox, { scripted: served(model), other: served(model, { models }) });
  const run = await sandbox.tau(['-p', 'hi', '--fallback-model', 'other/claude-sonnet-4-5:low']);
  expect(run).toMatchObject({ code: 0, stdout: 'here\n' });
  expect(request(model, 0).body).not.toHaveProperty('thinking');
  expect(request(model, 1).body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 4096 } });
});

test('a variable in the headers of one model is not in the environment of a command', async () => {
  const { model, ...sandbox } = await converse([calls(call('bash', { command: 'env' })), says('ok')]);
  const models = [{ id: 'scripted', headers: { 'x-team': 'TEAM_TOKEN' } }];
  describeProviders(sandbox, { scripted: served(model, { models }) });
  const env = { TEAM_TOKEN: 'leak-1234', HARMLESS: 'kept' };
  expect((await sandbox.tau(['-p', 'go', '--allow', 'bash(env)'], { env })).code).toBe(0);
  expect(request(model, 0).headers).toMatchObject({ 'x-team': 'leak-1234' });
  const [result] = resultsIn(request(model, 1));
  expect(result?.text).toContain('HARMLESS=kept');
  expect(result?.text).not.toContain('leak-1234');
});

test('a key that stands in a header is in no error and in no session, whoever quotes it', async () => {
  const secret = 'written-out-1234';
  const body = { error: { type: 'authentication_error', message: `${secret} is no key of ours` } };
  const { model, ...sandbox } = await converse([{ status: 401, body }]);
  describeProviders(sandbox, { scripted: served(model, { headers: { 'x-gateway-key': secret } }) });
  const run = await sandbox.tau(['-p', 'hi']);
  expect(request(model, 0).headers).toMatchObject({ 'x-gateway-key': secret });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('[secret] is no key of ours');
  const session = readFileSync(onlySession(sandbox.tauHome), 'utf8');
  expect(session).toContain('is no key of ours');
  expect(session).not.toContain(secret);
});

test('tau auth knows an address that is in a variable', async () => {
  const sandbox = bareSandbox();
  describeProviders(sandbox, { azure: { models: [{ id: 'my-gpt' }] } });
  const run = await sandbox.tau(['auth'], { env: { AZURE_OPENAI_RESOURCE_NAME: 'mine' } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
});

test('tau models tells of a setting that it ignores', async () => {
  const sandbox = bareSandbox({ settings: { apiKeyHelper: 7 } });
  const run = await sandbox.tau(['models', 'sonnet']);
  expect(run.stderr).toMatch(/settings\.json:\d+:\d+: apiKeyHelper/);
});
