/** Trying again and falling back, through the built command. */
import { join } from 'node:path';
import { makeSandbox, type ScriptedModel, type ScriptStep, startScriptedModel, type WireApi } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { apis, call, calls, converse, says } from './conversation.ts';

const quick = { retry: { baseMs: 2 } };

test.each(apis)('an overloaded provider is asked again over %s, and stderr says so', async (api) => {
  const { tau, model } = await converse([{ status: 503 }, { status: 503 }, says('ok')], { api, settings: quick });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(run.stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^tau: scripted answered 503.*; trying again in 0\.0 s$/),
    expect.stringMatching(/^tau: scripted answered 503.*; trying again in 0\.0 s$/),
  ]);
  expect(model.requests).toHaveLength(3);
});

test('a try that follows is an event of its own, with its class, wait and model', async () => {
  const { tau } = await converse([{ status: 529 }, says('ok')], { settings: quick });
  const run = await tau(['-p', 'hi', '--output-format', 'stream-json']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const types = run.events().map(({ type }) => type);
  expect(run.events().find(({ type }) => type === 'retry')).toMatchObject({
    attempt: 1,
    class: 'overloaded',
    model: 'scripted/scripted',
    delayMs: expect.any(Number),
    message: expect.stringContaining('529'),
  });
  expect(types.indexOf('retry')).toBeGreaterThan(types.indexOf('turn_start'));
  expect(types.indexOf('retry')).toBeLessThan(types.indexOf('message_update'));
});

test('the wait a provider asks for is kept', async () => {
  const limited = { status: 429, headers: { 'retry-after': '1' } };
  const { tau } = await converse([limited, says('ok')], { settings: quick });
  const run = await tau(['-p', 'hi', '--output-format', 'stream-json']);
  expect(run.code).toBe(0);
  expect(run.events().find(({ type }) => type === 'retry')).toMatchObject({ class: 'rateLimited', delayMs: 1000 });
});

test('a wait that is too long is not begun: the error says how long it would be', async () => {
  const limited = { status: 429, headers: { 'retry-after': '3600' } };
  const { tau, model } = await converse([limited, says('never')], { settings: quick });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/429.*(3600 s|1 hour|60 min)/) });
  expect(model.requests).toHaveLength(1);
});

test('the longest wait and the longest wait that is asked for are settings', async () => {
  const asking = { status: 429, headers: { 'retry-after': '2' } };
  const impatient = await converse([asking, says('never')], { settings: { retry: { maxWaitSecs: 1 } } });
  expect(await impatient.tau(['-p', 'hi'])).toMatchObject({ code: 1, stdout: '' });
  expect(impatient.model.requests).toHaveLength(1);
  const capped = await converse([{ status: 500 }, says('ok')], { settings: { retry: { baseMs: 600_000, maxMs: 2 } } });
  expect(await capped.tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'ok\n' });
});

test('Ctrl+C during a wait ends it at once', async () => {
  const { start, model } = await converse([{ status: 500 }, says('never')], {
    settings: { retry: { baseMs: 600_000, maxMs: 600_000 } },
  });
  const run = start(['-p', 'hi']);
  await run.waitFor('trying again', 'stderr');
  run.kill('SIGINT');
  expect(await run.done).toMatchObject({ code: 130, stdout: '' });
  expect(model.requests).toHaveLength(1);
});

test('tries are bounded: exit 1 with the last error and their number', async () => {
  const { tau, model } = await converse(
    Array.from({ length: 9 }, () => ({ status: 500 })),
    { settings: { retry: { baseMs: 2, retries: 2 } } },
  );
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/answered 500.*\(3 tries\)\n$/) });
  expect(model.requests).toHaveLength(3);
});

async function scripted(...steps: Parameters<typeof startScriptedModel>[0]): Promise<ScriptedModel> {
  const model = await startScriptedModel(steps);
  onTestFinished(() => model.close());
  return model;
}

/** A home with two providers, `first` and `second`, and their servers. */
async function twoProviders(
  first: ScriptedModel,
  second: ScriptedModel,
  options: { settings?: object; secondApi?: WireApi; secondKey?: string } = {},
) {
  const { secondApi = 'openai-completions', secondKey = 'second-key', settings } = options;
  const sandbox = makeSandbox({ settings: { model: 'first/a', retry: { retries: 0 }, ...settings } });
  onTestFinished(() => sandbox.dispose());
  const base = { 'anthropic-messages': '', 'google-generative-ai': '/v1beta' };
  const providers = {
    first: { baseUrl: first.url, api: 'anthropic-messages', apiKey: 'first-key', models: [{ id: 'a' }] },
    second: {
      baseUrl: second.url + (Object.entries(base).find(([api]) => api === secondApi)?.[1] ?? '/v1'),
      api: secondApi,
      apiKey: secondKey,
      models: [{ id: 'b' }],
    },
  };
  sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify({ providers }));
  return sandbox;
}

test.each(apis)('a tool loop that began with one model goes on with another one over %s', async (api) => {
  const first = await scripted(calls(call('bash', { command: 'echo one' })), { status: 529 });
  const second = await scripted(calls(call('bash', { command: 'echo two' })), says('ok'));
  const { tau } = await twoProviders(first, second, { secondApi: api });
  const run = await tau(['-p', 'hi', '--fallback-model', 'second/b', '--allow', 'bash']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(run.stderr).toMatch(/^tau: first answered 529.*; now asking second\/b\n$/);
  // The stand-in was told what had happened before it came.
  expect(second.requests[0]?.raw).toContain('echo one');
  expect(second.requests).toHaveLength(2);
  expect(JSON.stringify(second.requests[0]?.headers)).not.toContain('first-key');
  expect(first.requests).toHaveLength(2);
});

test('the fallbacks of the settings are used, and the session remembers the model that was chosen', async () => {
  const first = await scripted({ status: 401 }, says('back'));
  const second = await scripted(says('instead'));
  const { tau } = await twoProviders(first, second, { settings: { fallbackModels: ['second/b'] } });
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'instead\n' });
  expect(await tau(['-p', '-c', 'again'])).toMatchObject({ code: 0, stdout: 'back\n' });
});

test('a key given for the model does not go to its stand-in', async () => {
  const first = await scripted({ status: 500 });
  const second = await scripted(says('ok'));
  const { tau } = await twoProviders(first, second);
  const run = await tau(['-p', 'hi', '--api-key', 'only-for-first', '--fallback-model', 'second/b']);
  expect(run.code).toBe(0);
  expect(first.requests[0]?.headers['x-api-key']).toBe('only-for-first');
  expect(JSON.stringify(second.requests[0]?.headers)).not.toContain('only-for-first');
});

test('a fallback that does not exist is told before anything is asked', async () => {
  const first = await scripted(says('never'));
  const { tau } = await twoProviders(first, await scripted());
  const run = await tau(['-p', 'hi', '--fallback-model', 'second/c']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('"c"') });
  expect(first.requests).toHaveLength(0);
});

test('usage and first word are told by model at the end', async () => {
  const first = await scripted(calls(call('bash', { command: 'echo one' })), { status: 529 });
  const second = await scripted({ blocks: [{ text: 'ok' }], usage: { input: 40, output: 2 } });
  const { tau } = await twoProviders(first, second);
  const args = ['-p', 'hi', '--fallback-model', 'second/b', '--allow', 'bash', '--output-format', 'stream-json'];
  const run = await tau(args);
  expect(run.events().at(-1)).toMatchObject({
    type: 'agent_end',
    models: [
      { model: 'first/a', turns: 1, usage: { input: 10 }, firstTokenMs: expect.any(Number) },
      { model: 'second/b', turns: 1, usage: { input: 40, output: 2 }, firstTokenMs: expect.any(Number) },
    ],
  });
});

/** An answer of Anthropic's with this many of 50 requests left. */
const withLeft = (remaining: number): ScriptStep => ({
  blocks: [{ text: 'ok' }],
  headers: {
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': String(remaining),
  },
});

test('a limit that is nearly reached is told once, one that is not is kept quiet', async () => {
  const { tau } = await converse([withLeft(40), withLeft(2), withLeft(1)]);
  const run = await tau(['-p', 'one', 'two', 'three']);
  expect(run).toMatchObject({ code: 0, stderr: 'tau: scripted/scripted has 2 of 50 requests left\n' });
});

test('what a provider says about its limits is an event', async () => {
  const { tau } = await converse([withLeft(49)]);
  const run = await tau(['-p', 'hi', '--output-format', 'stream-json']);
  expect(run.events().find(({ type }) => type === 'rate_limits')).toMatchObject({
    model: 'scripted/scripted',
    limits: { requests: { limit: 50, remaining: 49 } },
  });
});
