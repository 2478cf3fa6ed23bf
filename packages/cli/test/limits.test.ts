/** Turns, tokens and money through the binary: a run stops before the request that would break a limit, with exit code 4. */
import type { ScriptBlock, ScriptStep } from '@tau/testkit';
import { expect, test } from 'vitest';
import { type Api, apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { at } from './json.ts';
import { providerAt, writeProviders } from './providers.ts';

const spends = (tokens: number, block: ScriptBlock): ScriptStep => ({
  blocks: [block],
  usage: { input: tokens - 10, output: 10 },
});
/** A turn of so many tokens, after which there is another one. */
const works = (tokens: number) => spends(tokens, call('bash', { command: 'echo done' }));
const answers = (tokens: number, text: string) => spends(tokens, { text });

/** How long the answer may be, as each protocol says it. */
function longest(body: unknown): number {
  const said = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'].map((name) => at(body, name));
  return Number([...said, at(body, 'generationConfig', 'maxOutputTokens')].find((value) => value !== undefined));
}

/** A dollar for a thousand tokens in, ten for a thousand out. */
const cost = { input: 1000, output: 10_000, cacheRead: 0, cacheWrite: 0 };

async function priced(steps: ScriptStep[], facts: object = { cost }, api: Api = 'anthropic-messages') {
  const conversation = await converse(steps, { settings: { model: 'lab/x' } });
  writeProviders(conversation, { lab: providerAt(conversation.model, api, { ...facts }) });
  return conversation;
}

test('--max-turns stops before the turn after the last, whose calls were still made', async () => {
  const { tau, model, read } = await converse([
    calls(call('bash', { command: 'echo 1 >> made' })),
    calls(call('bash', { command: 'echo 2 >> made' })),
    says('never'),
  ]);
  const run = await tau(['-p', 'go', '--max-turns', '2', '--allow', 'bash']);
  expect(run).toMatchObject({ code: 4, stdout: '' });
  expect(run.stderr).toMatch(/^tau: stopped after 2 turns, the limit of --max-turns/);
  expect(model.requests).toHaveLength(2);
  expect(read('made')).toBe('1\n2\n');
});

test('--max-turns counts for each prompt by itself', async () => {
  const { tau } = await converse([says('one'), says('two')]);
  expect(await tau(['-p', 'a', 'b', '--max-turns', '1'])).toMatchObject({ code: 0, stdout: 'one\ntwo\n' });
});

test.each(apis)('--max-total-tokens stops before the request that would break it, over %s', async (api) => {
  const { tau, model } = await converse([works(20_000), answers(10, 'never')], { api });
  const run = await tau(['-p', 'go', '--max-total-tokens', '30000']);
  expect(run).toMatchObject({ code: 4, stdout: '' });
  expect(run.stderr).toMatch(/^tau: stopped.*--max-total-tokens/);
  expect(model.requests).toHaveLength(1);
});

test('a run within its limits is not stopped', async () => {
  const { tau, model } = await priced([works(3000), answers(3100, 'ok')]);
  const wide = ['--max-turns', '2', '--max-total-tokens', '10000', '--max-budget-usd', '10'];
  expect(await tau(['-p', 'go', ...wide])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('done') }]);
});

test.each(apis)('an answer may be no longer than the tokens that are left, over %s', async (api) => {
  const { tau, model } = await converse([works(2000), answers(2100, 'ok')], { api });
  expect((await tau(['-p', 'go', '--max-total-tokens', '6000'])).code).toBe(0);
  const [first = 0, second = 0] = model.requests.map(({ body }) => longest(body));
  // What is read counts too, and nobody has counted it yet.
  expect(first).toBeGreaterThan(4000);
  expect(first).toBeLessThan(6000);
  // 2,000 are spent, and as many will be read once more.
  expect(second).toBeGreaterThan(1800);
  expect(second).toBeLessThan(2000);
});

test('the limit of the settings for an answer still counts where it is shorter', async () => {
  const { tau, model } = await converse([says('ok')], { settings: { maxTokens: 500 } });
  expect((await tau(['-p', 'go', '--max-total-tokens', '6000'])).code).toBe(0);
  expect(longest(request(model, 0).body)).toBe(500);
});

test('a limit that is too small for the first request sends nothing', async () => {
  const { tau, model } = await priced([says('never'), says('never')]);
  expect(await tau(['-p', 'go', '--max-total-tokens', '50'])).toMatchObject({ code: 4, stdout: '' });
  expect(await tau(['-p', 'go', '--max-budget-usd', '0.01'])).toMatchObject({ code: 4, stdout: '' });
  expect(model.requests).toHaveLength(0);
});

test('--max-budget-usd stops before the request that would break it, and caps the answer by what is left', async () => {
  const { tau, model } = await priced([works(4000), says('never')]);
  const run = await tau(['-p', 'go', '--max-budget-usd', '6']);
  expect(run).toMatchObject({ code: 4, stdout: '' });
  expect(run.stderr).toMatch(/^tau: stopped.*--max-budget-usd/);
  expect(model.requests).toHaveLength(1);
  // About a dollar is for reading, and a hundred tokens of answer cost one.
  expect(longest(request(model, 0).body)).toBeGreaterThan(400);
  expect(longest(request(model, 0).body)).toBeLessThan(600);
});

test('a budget for a model whose price nobody knows is refused before anything is sent', async () => {
  const { tau, model } = await priced([says('never')], {});
  const run = await tau(['-p', 'go', '--max-budget-usd', '1']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('price of lab/x is not known') });
  expect(model.requests).toHaveLength(0);
});

test.each([
  ['--max-total-tokens', '10000'],
  ['--max-budget-usd', '9'],
])('several prompts share %s', async (flag, limit) => {
  const { tau, model } = await priced([answers(8000, 'one'), says('never')]);
  const run = await tau(['-p', 'a', 'b', flag, limit]);
  expect(run).toMatchObject({ code: 4, stdout: 'one\n', stderr: expect.stringContaining(flag) });
  expect(model.requests).toHaveLength(1);
});

test('a flag goes before the setting, also where it allows more', async () => {
  const settings = { model: 'scripted/scripted', retry: { retries: 0 }, maxTurns: 1, maxTotalTokens: 100 };
  const { tau } = await converse([works(2000), answers(2100, 'ok')], { settings });
  expect((await tau(['-p', 'go'])).code).toBe(4);
  const run = await tau(['-p', 'go', '--max-turns', '5', '--max-total-tokens', '20000']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
});

test.each([
  ['--max-turns', '0'],
  ['--max-turns', 'many'],
  ['--max-total-tokens', '1.5'],
  ['--max-budget-usd', '-1'],
  ['--max-budget-usd', 'cheap'],
])('%s %s is a usage error', async (flag, value) => {
  const { tau, model } = await converse([says('never')]);
  expect(await tau(['-p', 'go', `${flag}=${value}`])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(flag),
  });
  expect(model.requests).toHaveLength(0);
});

test('how it ended is told to who reads events', async () => {
  const { tau } = await converse([works(20_000)]);
  const run = await tau(['-p', 'go', '--max-total-tokens', '30000', '--output-format', 'stream-json']);
  expect(run.code).toBe(4);
  expect(run.events().findLast(({ type }) => type === 'agent_end')).toMatchObject({ reason: 'maxTokens', turns: 1 });
});
