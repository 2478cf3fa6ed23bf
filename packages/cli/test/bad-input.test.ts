/** Wrong files, names, addresses and keys, through the built command: one sentence with a way out, and nothing lost. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type ScriptStep, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { apis, bareSandbox, converse, request, says } from './conversation.ts';
import { at } from './json.ts';
import { closedAddress, expectGone, pidsIn } from './processes.ts';
import { basePath, homeWith, key, providerAt, writeProviders } from './providers.ts';
import { linesOf, onlySession, sessionFiles } from './sessions.ts';

async function scripted(...steps: ScriptStep[]) {
  const model = await startScriptedModel(steps);
  onTestFinished(() => model.close());
  return model;
}

const oneLine = (text: string) => expect(text.trimEnd().split('\n')).toHaveLength(1);

test.each([
  [
    'a list',
    '[]',
    /models\.json cannot be used: it must be an object that holds providers\. Mend or remove the file\n$/,
  ],
  ['a text', '"providers"', /models\.json cannot be used: it must be an object/],
  ['an empty file', '', /models\.json:1:1: /],
  ['providers in a list', '{"providers":[]}', /models\.json cannot be used: providers: must be an object/],
  ['half a file', '{\n  "providers": {\n    "mine": {', /models\.json:3:\d+: /],
])('%s instead of models.json stops tau: exit 2, with the file and the place', async (_, text, message) => {
  const { tau, write, tauHome, model } = await converse([says('never')]);
  write(join(tauHome, 'models.json'), text);
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  oneLine(run.stderr);
  expect(model.requests).toHaveLength(0);
  expect(sessionFiles(tauHome)).toEqual([]);
});

test('a models.json that cannot be read stops tau: exit 2, and names it', async () => {
  const { tau, tauHome, model } = await converse([says('never')]);
  const path = join(tauHome, 'models.json');
  // Even who may read everything cannot read a folder.
  rmSync(path);
  mkdirSync(path);
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${path} cannot be read`) });
  oneLine(run.stderr);
  expect(model.requests).toHaveLength(0);
});

const described = { baseUrl: 'http://x.test', api: 'openai-completions' };

test.each([
  ['that is a text', 'http://x.test', /providers\.mine: /],
  ['whose key is a number', { ...described, apiKey: 5 }, /providers\.mine\.apiKey: /],
  ['whose headers are no texts', { ...described, headers: { x: 5 } }, /providers\.mine\.headers\.x: /],
  ['that never waits', { ...described, timeoutSecs: 0 }, /providers\.mine\.timeoutSecs: /],
  [
    'with an address of another kind',
    { ...described, baseUrl: 'ftp://x.test' },
    /its baseUrl "ftp:\/\/x\.test" is no http or/,
  ],
  [
    'with a protocol that tau does not speak',
    { ...described, api: 'bedrock' },
    /its api is "bedrock"; tau speaks anthropic-/,
  ],
])('a provider %s is a warning, and an error only for who chooses it', async (_, mine, message) => {
  const model = await scripted(says('ok'));
  const { tau } = homeWith({ good: providerAt(model, 'openai-completions'), mine });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(run.stderr).toMatch(/^tau: warning: .*models\.json: provider "mine" cannot be used: /);
  expect(run.stderr).toMatch(message);
  oneLine(run.stderr);
  const chosen = await tau(['-p', 'hi', '--model', 'mine/x']);
  expect(chosen).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(chosen.stderr).toContain('choose another with --model');
});

test.each([
  [
    'an unknown protocol',
    { api: 'telepathy' },
    /providers\.mine\.models\.1\.api: "telepathy" is no protocol tau speaks/,
  ],
  ['a price that is a text', { cost: { input: 'dear', output: 1 } }, /providers\.mine\.models\.1\.cost\.input/],
  ['no output at all', { maxTokens: 0 }, /providers\.mine\.models\.1\.maxTokens/],
  ['a level nobody knows', { thinkingLevels: ['furious'] }, /providers\.mine\.models\.1\.thinkingLevels/],
])('a model with %s is a warning, and an error only for who chooses it', async (_, facts, message) => {
  const model = await scripted(says('ok'));
  const mine = { ...providerAt(model, 'openai-completions'), models: [{ id: 'x' }, { id: 'y', ...facts }] };
  const { tau } = homeWith({ mine });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: expect.stringMatching(message) });
  oneLine(run.stderr);
  const chosen = await tau(['-p', 'hi', '--model', 'mine/y']);
  expect(chosen).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(model.requests).toHaveLength(1);
});

test.each(apis)('an expired login over %s is told with the way out, and nothing is sent: exit 2', async (api) => {
  const model = await scripted(says('never'));
  const { apiKey: _, ...mine } = providerAt(model, api);
  const { tau, write, tauHome } = homeWith({ mine });
  const auth = join(tauHome, 'auth.json');
  const login = { type: 'oauth', access: 'access-token-0123456789', refresh: 'refresh-token-0123456789', expires: 1 };
  write(auth, JSON.stringify({ mine: login }));
  chmodSync(auth, 0o600);
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe(
    `tau: The login of mine in ${auth} has expired and must be renewed. tau cannot log in through a browser yet: ` +
      'log in again where it was made, or store a key with tau auth set mine\n',
  );
  expect(model.requests).toHaveLength(0);
});

test.each(apis)('a login that is still good over %s goes as a bearer token, and nowhere else', async (api) => {
  const model = await scripted(says('ok'));
  const { apiKey: _, ...mine } = providerAt(model, api);
  const { tau, write, tauHome } = homeWith({ mine });
  const auth = join(tauHome, 'auth.json');
  write(
    auth,
    JSON.stringify({ mine: { type: 'oauth', access: 'access-token-0123456789', expires: Date.now() + 3_600_000 } }),
  );
  chmodSync(auth, 0o600);
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stderr: '' });
  const carrying = Object.entries(request(model, 0).headers).filter(([, value]) =>
    String(value).includes('access-token'),
  );
  expect(carrying).toEqual([['authorization', 'Bearer access-token-0123456789']]);
});

test.each(apis)(
  'a key that the provider quotes over %s is repeated neither on the screen nor in the session',
  async (api) => {
    const model = await scripted({ status: 401, body: { error: { message: `Incorrect key provided: ${key}` } } });
    const { tau, tauHome } = homeWith({ mine: providerAt(model, api) });
    const run = await tau(['-p', 'hi', '--output-format', 'stream-json']);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('Incorrect key provided: [secret]') });
    for (const text of [run.stdout, run.stderr, readFileSync(onlySession(tauHome), 'utf8')]) {
      expect(text.includes(key)).toBe(false);
    }
  },
);

/** A server that is no model: every path gets the same page. */
async function website(status: number, body: string, type = 'text/html; charset=utf-8'): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** The user's words are kept, whatever came of them. */
function expectKept(tauHome: string, prompt: string): void {
  const users = linesOf(onlySession(tauHome)).filter((line) => at(line, 'message', 'role') === 'user');
  expect(users.map((line) => at(line, 'message', 'content'))).toEqual([prompt]);
}

const page = '<!doctype html><html><head><title>Welcome</title></head><body>Sign in</body></html>';

test.each(apis.flatMap((api) => [200, 404, 502].map((status) => [status, api] as const)))(
  'a web page with %i where %s should be answered is told as that: exit 1, and the prompt is kept',
  async (status, api) => {
    const url = await website(status, page);
    const { tau, tauHome } = homeWith({ mine: providerAt({ url }, api) });
    const run = await tau(['-p', 'what was asked']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    oneLine(run.stderr);
    expect(run.stderr).toMatch(
      status === 200
        ? /answered with a web page, not a model's stream; check the address/
        : new RegExp(`answered ${status}`),
    );
    if (status === 404) expect(run.stderr).toContain('Check the model id and the base URL');
    expectKept(tauHome, 'what was asked');
  },
);

// The scripted server takes Gemini's path below any other.
test.each(apis.filter((api) => api !== 'google-generative-ai'))(
  'a base URL with a path too many over %s is a 404 with the way out',
  async (api) => {
    const model = await scripted(says('never'));
    const { tau, tauHome } = homeWith({ mine: providerAt({ url: `${model.url}/wrong/place` }, api) });
    const run = await tau(['-p', 'what was asked']);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^tau: mine answered 404: nothing is served at POST \/wrong\/place.*\. Check the model id and/,
    );
    expectKept(tauHome, 'what was asked');
  },
);

test('an https address where nobody speaks TLS is told as that: exit 1', async () => {
  const plain = await website(200, page);
  const { tau } = homeWith({ mine: providerAt({ url: plain.replace('http:', 'https:') }, 'openai-responses') });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(/^tau: mine cannot be reached at [\d.:]+: it does not speak TLS.*begin with http:\/\/\n$/);
});

test.each([
  ['a few letters off', 'listed/coder-larg', /^tau: listed has no model "coder-larg"\. Did you mean coder-large\?\n$/],
  ['nothing like it', 'listed/zzz', /^tau: listed has no model "zzz"\. It lists: coder-large, coder-small\n$/],
  ['of no provider', 'nobody/coder-large', /nobody\/coder-large/],
  ['empty', ' ', /names no model: It is empty/],
])('an unknown model, %s, is refused with the nearest: exit 2', async (_, name, message) => {
  const model = await scripted(says('never'));
  const listed = { ...providerAt(model, 'openai-completions'), models: [{ id: 'coder-large' }, { id: 'coder-small' }] };
  const run = await homeWith({ listed }).tau(['-p', 'hi', '--model', name]);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  oneLine(run.stderr);
  expect(model.requests).toHaveLength(0);
});

test.each([
  [
    'an id that two providers list',
    'coder',
    '"coder" is offered by several providers. Say which: one/coder, two/coder',
  ],
  ['a pattern', 'one/c*', '"one/c*" fits several models. Say which: one/coder, one/cruncher'],
])('%s is not guessed: exit 2, with the candidates', async (_, name, sentence) => {
  const model = await scripted(says('never'));
  const one = { ...providerAt(model, 'openai-completions'), models: [{ id: 'coder' }, { id: 'cruncher' }] };
  const run = await homeWith({ one, two: one }).tau(['-p', 'hi', '--model', name]);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: `tau: ${sentence}\n` });
  expect(model.requests).toHaveLength(0);
});

test.each([
  ['chosen', ['--model', 'plain/x']],
  ['a stand-in', ['--fallback-model', 'plain/x']],
])('a model without tools that is %s is refused with the way out: exit 2', async (_, args) => {
  const model = await scripted(says('never'));
  const plain = providerAt(model, 'openai-completions', { tools: false });
  const { tau } = homeWith({ good: providerAt(model, 'openai-completions'), plain });
  const run = await tau(['-p', 'hi', ...args]);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe(
    'tau: plain/x cannot use tools, so it cannot work here. Choose another with --model; tau models lists them\n',
  );
  expect(model.requests).toHaveLength(0);
});

test('--fallback-model given twice is asked in that order', async () => {
  const model = await scripted({ status: 529 }, { status: 503 }, says('from the third'));
  const at4 = (api: (typeof apis)[number]) => providerAt(model, api);
  const { tau } = homeWith({
    first: at4('anthropic-messages'),
    third: at4('google-generative-ai'),
    second: at4('openai-completions'),
  });
  const run = await tau(['-p', 'hi', '--fallback-model', 'second/x', '--fallback-model', 'third/x']);
  expect(run).toMatchObject({ code: 0, stdout: 'from the third\n' });
  expect(run.stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^tau: first answered 529.*; now asking second\/x$/),
    expect.stringMatching(/^tau: second answered 503.*; now asking third\/x$/),
  ]);
  expect(model.requests.map(({ path }) => path.split('?')[0])).toEqual([
    '/v1/messages',
    '/v1/chat/completions',
    `${basePath['google-generative-ai']}/models/x:streamGenerateContent`,
  ]);
});

test.each([
  ['near', 'antropic', /^tau: There is no provider "antropic"\. Did you mean anthropic\?\n$/],
  ['far', 'nobody-at-all', /^tau: There is no provider "nobody-at-all"\. There are: mine, anthropic, openai, .*ollama/],
])('an unknown --provider that is %s is refused: exit 2', async (_, name, message) => {
  const model = await scripted(says('never'));
  const run = await homeWith({ mine: providerAt(model, 'openai-completions') }).tau(['-p', 'hi', '--provider', name]);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});

test('--provider alone takes its first model, and --model is looked for only there', async () => {
  const model = await scripted(says('one'), says('two'));
  const [one, two] = [providerAt(model, 'openai-completions'), providerAt(model, 'anthropic-messages')];
  const { tau } = homeWith({ one, two });
  expect(await tau(['-p', 'hi', '--provider', 'two'])).toMatchObject({ code: 0, stderr: '' });
  expect(request(model, 0).path).toBe('/v1/messages');
  expect(await tau(['-p', 'hi', '--provider', 'two', '--model', 'x'])).toMatchObject({ code: 0, stderr: '' });
  expect(request(model, 1).path).toBe('/v1/messages');
});

test.each([
  [['--thinking', 'hihg'], 'tau: --thinking cannot be "hihg". Did you mean high? It is one of: off, minimal, low, '],
  [
    ['--thinking', 'furious'],
    'tau: --thinking cannot be "furious". It is one of: off, minimal, low, medium, high, max',
  ],
])('%j is refused with the levels there are: exit 2', async (args, message) => {
  const { tau, model } = await converse([says('never')]);
  const run = await tau(['-p', 'hi', ...args]);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  expect(model.requests).toHaveLength(0);
});

test('a level behind the name that is none is part of the name, and so is refused', async () => {
  const { tau } = await converse([says('never')]);
  const run = await tau(['-p', 'hi', '--model', 'scripted/scripted:hihg']);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('scripted has no model "scripted:hihg"') });
});

test.each(apis)('TAU_API_KEY goes to the model that was chosen over %s, and not to its stand-in', async (api) => {
  const model = await scripted({ status: 529 }, says('ok'));
  const { tau } = homeWith({ mine: providerAt(model, api), other: providerAt(model, api) });
  const run = await tau(['-p', 'hi', '--fallback-model', 'other/x'], { env: { TAU_API_KEY: 'universal-0123456789' } });
  expect(run.code).toBe(0);
  expect(JSON.stringify(request(model, 0).headers)).toContain('universal-0123456789');
  expect(JSON.stringify(request(model, 0).headers)).not.toContain(key);
  expect(JSON.stringify(request(model, 1).headers)).not.toContain('universal-0123456789');
});

test('TAU_API_KEY without a model asks whose it is: exit 2', async () => {
  const sandbox = bareSandbox();
  const nobody = { baseUrl: `${await closedAddress()}/v1` };
  writeProviders(sandbox, { ollama: nobody, lmstudio: nobody, llamacpp: nobody });
  const run = await sandbox.tau(['-p', 'hi'], { env: { TAU_API_KEY: 'universal-0123456789' } });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe('tau: TAU_API_KEY needs --model provider/id, so that the key goes to the right provider\n');
});

const shipped = (url: string) => ({ anthropic: { baseUrl: url, models: [{ id: 'x' }] } });

test('apiKeyHelper is asked for the key of the provider, once', async () => {
  const model = await scripted({ status: 529 }, says('ok'));
  const { tau, read } = homeWith(shipped(model.url), {
    apiKeyHelper: 'echo asked >> helper.log; echo "key-of-$TAU_PROVIDER"; echo more',
    retry: { retries: 1, baseMs: 1 },
  });
  expect((await tau(['-p', 'hi'])).code).toBe(0);
  expect(model.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['key-of-anthropic', 'key-of-anthropic']);
  expect(read('helper.log')).toBe('asked\n');
});

test.each([
  ['fails', 'echo hidden-word; echo hidden-word >&2; exit 3', 'failed with exit code 3'],
  ['prints nothing', 'true', 'printed nothing'],
  ['is not there', 'no-such-helper-anywhere', 'failed with exit code 127'],
])('an apiKeyHelper that %s stops tau before anything is sent: exit 2', async (_, apiKeyHelper, fate) => {
  const model = await scripted(says('never'));
  const run = await homeWith(shipped(model.url), { apiKeyHelper }).tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toBe(
    `tau: The apiKeyHelper of the settings, asked for anthropic, ${fate}. ` +
      'To see why, run it by hand with TAU_PROVIDER=anthropic; or pass --api-key\n',
  );
  expect(model.requests).toHaveLength(0);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while an apiKeyHelper hangs ends with %i at once, and nothing of it is left', async (signal, code) => {
  const model = await scripted(says('never'));
  const { start, project } = homeWith(shipped(model.url), {
    apiKeyHelper: `echo $$ >> pids; sh -c 'echo $$ >> pids; sleep 300; true'; true`,
  });
  const run = start(['-p', 'hi']);
  const pids = await pidsIn(join(project, 'pids'), 2);
  run.kill(signal);
  expect(await run.done).toMatchObject({ code, signal: null, stdout: '', stderr: '' });
  await expectGone(pids);
  expect(model.requests).toHaveLength(0);
});

test('what was asked is kept when nobody listens, and -c goes on with it', async () => {
  const model = await scripted(says('here now'));
  const { tau, tauHome } = homeWith({ mine: providerAt(model, 'openai-responses') });
  const failed = await tau(['-p', 'what was asked', '--base-url', await closedAddress()]);
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('nothing listens there') });
  expectKept(tauHome, 'what was asked');
  expect(await tau(['-p', '-c', 'again'])).toMatchObject({ code: 0, stdout: 'here now\n' });
  expect(request(model, 0).raw).toContain('what was asked');
});

test('a failure leaves nothing in the project folder', async () => {
  const { tau, project, tauHome } = await converse([{ status: 500 }]);
  expect((await tau(['-p', 'hi'])).code).toBe(1);
  expect(readdirSync(project)).toEqual([]);
  expect(existsSync(join(tauHome, 'sessions'))).toBe(true);
});
