/** `tau models`: the list, what it leaves out, and what it never shows. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Sandbox } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { bareSandbox } from './conversation.ts';
import { at, list, textAt } from './json.ts';
import { closedAddress } from './processes.ts';

/** A home whose local servers are not there, whatever runs on this machine. */
async function sandboxWith(providers: Record<string, unknown> = {}): Promise<Sandbox> {
  const sandbox = bareSandbox();
  const nobody = { baseUrl: `${await closedAddress()}/v1` };
  const all = { ollama: nobody, lmstudio: nobody, llamacpp: nobody, ...providers };
  sandbox.write(join(sandbox.tauHome, 'models.json'), JSON.stringify({ providers: all }));
  return sandbox;
}

const lines = (text: string) => text.trimEnd().split('\n');
const key = { ANTHROPIC_API_KEY: 'secret-of-anthropic' };

test('the models of ready providers are listed with what they can do and cost, and the rest is counted', async () => {
  const { tau } = await sandboxWith();
  const run = await tau(['models'], { env: key });
  expect(run.code).toBe(0);
  const [head, ...rows] = lines(run.stdout);
  expect(head).toMatch(/^MODEL +CONTEXT +OUTPUT +IN \$\/M +OUT \$\/M +THINKING +IMAGES +READY$/);
  expect(rows.every((row) => row.startsWith('anthropic/') && row.endsWith('ready'))).toBe(true);
  expect(rows.find((row) => row.startsWith('anthropic/claude-sonnet-5-5 '))).toMatch(
    / 1M +128K +2 +10 +low to max +yes +ready$/,
  );
  expect(run.stderr).toMatch(/^\d{3} more models of providers that are not ready: tau models --all shows them/);
});

test('--all adds those that are not ready, after the others, with the variable each needs', async () => {
  const { tau } = await sandboxWith();
  const run = await tau(['models', '--all', 'sonnet-5'], { env: { OPENCODE_API_KEY: 'k' } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const rows = lines(run.stdout).slice(1);
  const firstNotReady = rows.findIndex((row) => !row.endsWith('ready'));
  expect(rows[0]).toMatch(/^opencode\/.*ready$/);
  expect(rows.slice(firstNotReady).some((row) => row.endsWith(' ready'))).toBe(false);
  expect(rows.find((row) => row.startsWith('anthropic/claude-sonnet-5-5 '))).toMatch(/needs ANTHROPIC_API_KEY$/);
});

test('a provider whose address is not known needs the variable that gives it', async () => {
  const { tau } = await sandboxWith();
  const rows = async (env: Record<string, string>) =>
    lines((await tau(['models', '--all', 'azure/gpt-5'], { env })).stdout);
  expect((await rows({})).at(-1)).toMatch(/ needs AZURE_OPENAI_BASE_URL or [A-Z_]+ or [A-Z_]+$/);
  expect((await rows({ AZURE_OPENAI_BASE_URL: 'nowhere' })).at(-1)).toMatch(
    / needs to be mended: azure cannot be used: /,
  );
});

test.each([
  ['words that must all be there', ['claude', 'opus', '4-8'], ['anthropic/claude-opus-4-8']],
  ['words of the name that people use', ['Opus', '4.8'], ['anthropic/claude-opus-4-8']],
  ['a pattern', ['anthropic/*opus-4-[78]'], ['anthropic/claude-opus-4-7', 'anthropic/claude-opus-4-8']],
])('a filter is %s', async (_, filter, expected) => {
  const { tau } = await sandboxWith();
  const run = await tau(['models', ...filter], { env: key });
  expect(run.code).toBe(0);
  expect(
    lines(run.stdout)
      .slice(1)
      .map((row) => row.split(' ')[0]),
  ).toEqual(expected);
});

test('what fits but is not ready is not called missing', async () => {
  const { tau } = await sandboxWith();
  const run = await tau(['models', 'openai/gpt-5.4*']);
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(run.stderr).toBe(
    "4 models of providers that are not ready: tau models --all 'openai/gpt-5.4*' shows them and what each needs\n",
  );
});

test('a filter that fits nothing names what is near, and fails', async () => {
  const { tau } = await sandboxWith();
  const near = await tau(['models', 'claude-sonet-5-5']);
  expect(near).toMatchObject({ code: 2, stdout: '' });
  expect(near.stderr).toMatch(/^tau: No model fits "claude-sonet-5-5"\. Did you mean claude-sonnet-5-5/);
  const far = await tau(['models', 'zzyzx', '--json']);
  expect(far).toMatchObject({ code: 2, stdout: '[]\n', stderr: expect.stringContaining('tau models --all') });
});

test('--json is one array with everything that is known, and no price that is not', async () => {
  const { tau } = await sandboxWith();
  const run = await tau(['models', '--json', '--all', 'openai/gpt-5.4', 'zai-coding-plan/glm-5.3']);
  expect(run.code).toBe(2);
  const found = await tau(['models', '--json', '--all', '*/g[pl][tm]-5.[34]']);
  const models = list(JSON.parse(found.stdout));
  const named = (name: string) => models.find((one) => `${textAt(one, 'provider')}/${textAt(one, 'id')}` === name);
  expect(named('openai/gpt-5.4')).toEqual({
    provider: 'openai',
    label: 'OpenAI',
    id: 'gpt-5.4',
    name: 'GPT-5.4',
    api: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    contextWindow: 272_000,
    maxTokens: 128_000,
    cost: { input: 2.5, output: 15, cacheRead: 0.25 },
    reasoning: true,
    thinkingLevels: ['off', 'low', 'medium', 'high', 'max'],
    images: true,
    tools: true,
    local: false,
    ready: false,
    missing: 'OPENAI_API_KEY',
  });
  expect(named('zai-coding-plan/glm-5.3')).not.toHaveProperty('cost');
});

test("the user's models are there with what models.json says, and what cannot be read is a warning", async () => {
  const mine = {
    baseUrl: 'http://someone:pass-word@10.0.0.5:8000/v1',
    api: 'openai-completions',
    apiKey: 'literal-secret',
    headers: { authorization: 'header-secret' },
    compat: { supportsStore: false },
    models: [
      { id: 'tuned', contextWindow: 999, headers: { x: 'header-secret' } },
      { id: 'broken', maxTokens: 'many' },
    ],
  };
  const locked = { ...mine, apiKey: 'LOCKED_KEY', models: [{ id: 'closed' }] };
  const { tau } = await sandboxWith({ mine, locked });
  const run = await tau(['models', '--all', '--json', '*/*e*'], { env: key });
  expect(run.stderr).toContain('providers.mine.models.1.maxTokens');
  expect(run.stdout + run.stderr).not.toMatch(/secret|pass-word/);
  const models = list(JSON.parse(run.stdout));
  expect(models.find((one) => at(one, 'id') === 'tuned')).toEqual({
    provider: 'mine',
    label: 'mine',
    id: 'tuned',
    contextWindow: 999,
    api: 'openai-completions',
    baseUrl: 'http://10.0.0.5:8000/v1',
    local: false,
    ready: true,
  });
  const missing = expect.stringMatching(/^to be mended: .*maxTokens/);
  expect(models.find((one) => at(one, 'id') === 'broken')).toMatchObject({ ready: false, missing });
  expect(models.find((one) => at(one, 'id') === 'closed')).toMatchObject({ ready: false, missing: 'LOCKED_KEY' });
});

test('a local server that runs is asked for its models, and one that does not has none', async () => {
  const server = createServer((request, response) => {
    const show = { model_info: { 'qwen3.context_length': 40_960 }, capabilities: ['completion', 'tools'] };
    response.end(JSON.stringify(request.url === '/api/show' ? show : { data: [{ id: 'qwen3:8b\u001b[2J' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  const described = { baseUrl: `${await closedAddress()}/v1`, models: [{ id: 'sleeping' }] };
  const { tau } = await sandboxWith({ ollama: { baseUrl }, lmstudio: described });
  const run = await tau(['models']);
  expect(lines(run.stdout).slice(1)).toEqual([
    expect.stringMatching(/^ollama\/qwen3:8b\^\[\[2J +41K +- +- +- +no +no +ready$/),
  ]);
  const all = await tau(['models', '--all', 'sleeping']);
  expect(all.stdout).toMatch(/lmstudio\/sleeping .* needs it to run/);
});

test('--help explains, and a wrong option is refused with the nearest', async () => {
  const { tau } = await sandboxWith();
  for (const flag of ['--help', '-h']) {
    expect(await tau(['models', flag])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('--json'),
    });
  }
  expect(await tau(['--help'])).toMatchObject({ stdout: expect.stringContaining('tau models [FILTER]') });
  expect(await tau(['models', '--jsn'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Did you mean --json?'),
  });
  expect(await tau(['models', '--all=yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('takes no value'),
  });
});

test('a reader that goes away (| head -1) ends it without a word', async () => {
  const { start } = await sandboxWith();
  const run = start(['models', '--all', '--json']);
  run.child.stdout?.destroy();
  expect(await run.done).toMatchObject({ signal: null, code: 0, stderr: '' });
});

test('a models.json that is none is an error with its place', async () => {
  const { tau, write, tauHome } = await sandboxWith();
  write(join(tauHome, 'models.json'), '{ "providers": ');
  expect(await tau(['models'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/models\.json:1:\d+/),
  });
});
