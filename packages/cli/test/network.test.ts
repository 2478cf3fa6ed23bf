/** The way to a provider, through the built command: proxies, certificates, headers, silence, compression. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate, type ScriptStep, startProxy, startScriptedModel } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type Api, apis, call, calls, request, resultsIn, says } from './conversation.ts';
import { closedAddress } from './processes.ts';
import { basePath, homeWith, key, providerAt } from './providers.ts';

async function scripted(steps: ScriptStep[], options: { tls?: boolean } = {}) {
  const model = await startScriptedModel(steps, options);
  onTestFinished(() => model.close());
  return model;
}

async function proxyTo(target: string, options: Omit<Parameters<typeof startProxy>[0], 'target'> = {}) {
  const proxy = await startProxy({ target, ...options });
  onTestFinished(() => proxy.close());
  return { ...proxy, host: new URL(proxy.url).host };
}

/** A provider at an address that only a proxy can lead to. */
function homeAt(url: string, settings: object = {}, api: Api = 'anthropic-messages') {
  return homeWith({ mine: providerAt({ url }, api) }, settings);
}

const withUser = (url: string, user: string) => url.replace('://', `://${user}@`);

test.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])('%s leads to an http address', async (variable) => {
  const model = await scripted([says('hello')]);
  const proxy = await proxyTo(model.url);
  const { tau } = homeAt('http://model.test:8080');
  const run = await tau(['-p', 'hi'], { env: { [variable]: proxy.url } });
  expect(run).toMatchObject({ code: 0, stdout: 'hello\n', stderr: '' });
  expect(proxy.passed).toEqual(['POST http://model.test:8080/v1/messages']);
  expect(request(model, 0).headers.host).toBe('model.test:8080');
});

test.each(apis)(
  'a tool loop over %s goes through one tunnel of HTTPS_PROXY, with the CA of the settings',
  async (api) => {
    const model = await scripted([calls(call('read', { path: 'a.txt' })), says('ok')], { tls: true });
    const proxy = await proxyTo(model.url, { credentials: 'jo:p@ss' });
    const { tau, write, home } = homeAt('https://model.test', { caFile: '~/company.pem' }, api);
    write(join(home, 'company.pem'), model.ca ?? '');
    write('a.txt', 'in the file');
    const run = await tau(['-p', 'go'], { env: { HTTPS_PROXY: withUser(proxy.url, 'jo:p%40ss') } });
    expect(run).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
    expect(proxy.passed).toEqual(['CONNECT model.test:443']);
    expect(resultsIn(request(model, 1))).toMatchObject([{ text: '1\tin the file' }]);
    expect(request(model, 1).headers).not.toHaveProperty('proxy-authorization');
  },
);

test('NO_PROXY excepts an address, and without it the proxy is asked', async () => {
  const model = await scripted([says('direct')]);
  const proxy = await proxyTo(model.url, { refuse: 502 });
  // This machine by a name that is not always excepted.
  const { tau } = homeAt(model.url.replace('127.0.0.1', '0.0.0.0'));
  const env = { HTTP_PROXY: proxy.url };
  const excepted = await tau(['-p', 'hi'], { env: { ...env, NO_PROXY: 'other.test,0.0.0.0' } });
  expect(excepted).toMatchObject({ code: 0, stdout: 'direct\n' });
  expect(proxy.passed).toEqual([]);
  expect((await tau(['-p', 'hi'], { env })).code).toBe(1);
  expect(proxy.passed).toHaveLength(1);
});

test('a server on this machine is never asked for through a proxy', async () => {
  const model = await scripted([says('ok')]);
  const { tau } = homeAt(model.url);
  const nobody = await closedAddress();
  const run = await tau(['-p', 'hi'], { env: { HTTP_PROXY: nobody, HTTPS_PROXY: nobody, ALL_PROXY: nobody } });
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
});

test.each([
  ['a tunnel', 'https://model.test', 'a tunnel to model.test:443'],
  ['a plain request', 'http://model.test', 'the request'],
])('a proxy that refuses %s is named: exit 1', async (_, address, what) => {
  const proxy = await proxyTo('http://127.0.0.1:9', { refuse: 403 });
  const { tau } = homeAt(address);
  const run = await tau(['-p', 'hi'], { env: { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url } });
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toBe(
    `tau: mine cannot be reached: the proxy at ${proxy.host} refused ${what}: it answered 403. ` +
      'Ask whoever runs it, or except the host with NO_PROXY\n',
  );
});

test.each(['https://model.test', 'http://model.test'])(
  'a proxy that is not there is named: exit 1, for %s',
  async (at) => {
    const nobody = await closedAddress();
    const { tau } = homeAt(at);
    const run = await tau(['-p', 'hi'], { env: { HTTPS_PROXY: nobody, HTTP_PROXY: nobody } });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      new RegExp(
        `^tau: mine cannot be reached: the proxy at ${new URL(nobody).host} cannot be reached: nothing listens`,
      ),
    );
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
  },
);

test.each([
  ['none', 'https://model.test', ''],
  ['none', 'http://model.test', ''],
  ['the wrong ones', 'https://model.test', 'jo:wrong-word'],
  ['the wrong ones', 'http://model.test', 'jo:wrong-word'],
])('a proxy that wants credentials and gets %s says so: exit 2, for %s', async (_, address, user) => {
  const proxy = await proxyTo('http://127.0.0.1:9', { credentials: 'jo:right-word' });
  const { tau } = homeAt(address);
  const url = user === '' ? proxy.url : withUser(proxy.url, user);
  const run = await tau(['-p', 'hi'], { env: { HTTPS_PROXY: url, HTTP_PROXY: url } });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /^tau: mine cannot be reached: the proxy at [\d.:]+ refused .*: it wants a user name and a/,
  );
  expect(run.stderr).toContain('Write them into the proxy variable: http://user:password@host:port');
  expect(run.stderr).not.toContain('wrong-word');
});

test.each([
  ['socks5://jo:hidden-word@127.0.0.1:1', 'HTTPS_PROXY names a SOCKS proxy, which tau does not speak yet'],
  ['ftp://jo:hidden-word@127.0.0.1:1', 'HTTPS_PROXY is not the address of a proxy'],
])('a proxy variable that cannot be used stops tau before anything is sent: exit 2, for %s', async (value, words) => {
  const run = await homeAt('https://model.test').tau(['-p', 'hi'], { env: { HTTPS_PROXY: value } });
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
  expect(run.stderr).not.toContain('hidden-word');
});

test.each(apis)('a certificate that nobody named is refused over %s: exit 1, with the setting to use', async (api) => {
  const model = await scripted([says('never')], { tls: true });
  const run = await homeAt(model.url, {}, api).tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toBe(
    `tau: mine cannot be reached at ${new URL(model.url).host}: its certificate is not trusted here ` +
      '(DEPTH_ZERO_SELF_SIGNED_CERT). If you trust whoever signed it, name their certificate in the setting caFile or in ' +
      'NODE_EXTRA_CA_CERTS\n',
  );
  expect(model.requests).toHaveLength(0);
});

test('a certificate of another one does not help', async () => {
  const model = await scripted([says('never')], { tls: true });
  const { tau, write, tauHome } = homeAt(model.url, { caFile: 'other.pem' });
  write(join(tauHome, 'other.pem'), (await makeCertificate()).cert);
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 1, stderr: expect.stringContaining('caFile') });
});

test('a project cannot bring a certificate that is trusted', async () => {
  const model = await scripted([says('never')], { tls: true });
  const { tau, write } = homeAt(model.url, { caFile: 'company.pem' });
  write('company.pem', model.ca ?? '');
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('company.pem cannot be read') });
});

test.each([
  ['is not there', undefined, /missing\.pem cannot be read: .*Mend or remove caFile/],
  ['holds no certificate', 'just some words', /caFile cannot be used: it holds no certificate.*PEM/],
  [
    'holds a damaged certificate',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    /caFile cannot be used: one of its certificates cannot be read.*PEM/,
  ],
])('a caFile that %s stops tau before anything is sent: exit 2', async (_, content, message) => {
  const model = await scripted([says('never')]);
  const { tau, write, project, tauHome } = homeAt(model.url, { caFile: 'missing.pem' });
  if (content !== undefined) write(join(tauHome, 'missing.pem'), content);
  const run = await tau(['-p', 'hi', '--record', 'tape.jsonl']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(model.requests).toHaveLength(0);
  // What was never begun leaves no recording that the next try would not write over.
  expect(existsSync(join(project, 'tape.jsonl'))).toBe(false);
});

test.each(apis)(
  'headers are literals, variables and commands, of the provider and of the model, over %s',
  async (api) => {
    const model = await scripted([says('ok')]);
    const provider = {
      ...providerAt(model, api, { headers: { 'x-model': 'MODEL_WORD', 'x-both': 'of the model' } }),
      headers: {
        'x-plain': 'blue',
        'x-variable': 'TEAM_TOKEN',
        'x-command': '!echo $TAU_PROVIDER-made',
        'x-both': 'lost',
      },
    };
    const { tau } = homeWith({ mine: provider });
    const env = { TEAM_TOKEN: 'from-variable', MODEL_WORD: 'of-model' };
    expect(await tau(['-p', 'hi'], { env })).toMatchObject({ code: 0, stderr: '' });
    expect(request(model, 0).headers).toMatchObject({
      'x-plain': 'blue',
      'x-variable': 'from-variable',
      'x-command': 'mine-made',
      'x-model': 'of-model',
      'x-both': 'of the model',
    });
  },
);

test.each([
  [
    'a variable that is not set',
    'TEAM_TOKEN',
    /^tau: The header "x-team" of mine is in TEAM_TOKEN, which is not set\. Set/,
  ],
  [
    'a command that fails',
    '!echo hidden-word; exit 3',
    /^tau: The command of the header "x-team" of mine failed with exit/,
  ],
])('a header from %s is an error of credentials before anything is sent: exit 2', async (_, written, message) => {
  const model = await scripted([says('never')]);
  const { tau } = homeWith({ mine: { ...providerAt(model, 'anthropic-messages'), headers: { 'x-team': written } } });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(run.stderr).not.toContain('hidden-word');
  expect(model.requests).toHaveLength(0);
});

test.each(['a header', 'a key'])('a stand-in without %s is passed over for the next one', async (what) => {
  const model = await scripted([{ status: 529 }, says('from the third')]);
  const second = providerAt(model, 'anthropic-messages');
  const broken =
    what === 'a key' ? { ...second, apiKey: 'NOT_SET_KEY' } : { ...second, headers: { x: 'NOT_SET_HEADER' } };
  const { tau } = homeWith({ first: second, second: broken, third: providerAt(model, 'openai-completions') });
  const run = await tau(['-p', 'hi', '--fallback-model', 'second/x', '--fallback-model', 'third/x']);
  expect(run).toMatchObject({ code: 0, stdout: 'from the third\n' });
  expect(run.stderr).toMatch(/NOT_SET_(KEY|HEADER), which is not set.*; now asking third\/x\n$/);
});

test.each(apis)('timeoutSecs of the provider ends its silence over %s, whatever the settings allow', async (api) => {
  const model = await scripted([{ hang: 'midStream' }]);
  const { tau } = homeWith(
    { mine: { ...providerAt(model, api), timeoutSecs: 0.3 } },
    { limits: { modelIdleSecs: 600 } },
  );
  const run = await tau(['-p', 'hi', '--output-format', 'stream-json']);
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^tau: mine: no byte .* 0\.3 s\. .*timeoutSecs/),
  });
  expect(run.events().find(({ type }) => type === 'error')).toMatchObject({ class: 'timeout' });
  await (await model.arrival(0)).aborted;
});

test.each(apis.flatMap((api) => (['gzip', 'br'] as const).map((encoding) => [encoding, api] as const)))(
  'an answer that comes as %s unasked is read over %s',
  async (encoding, api) => {
    const text = 'Grüße, mit einem Wort gesagt.';
    const model = await scripted([{ blocks: [{ text }], faults: [{ encoding, unasked: true }] }]);
    const { tau } = homeWith({ mine: providerAt(model, api) });
    expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: `${text}\n`, stderr: '' });
  },
);

test('an answer that is packed in a way tau does not know is told as that', async () => {
  const model = await scripted([{ blocks: [{ text: 'x' }], headers: { 'content-encoding': 'zstd' } }]);
  const run = await homeWith({ mine: providerAt(model, 'anthropic-messages') }).tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tau: The answer is compressed as "zstd"/) });
});

test('the key goes in the request and never through an address', async () => {
  for (const api of apis) {
    const model = await scripted([says('ok')]);
    await homeWith({ mine: providerAt(model, api) }).tau(['-p', 'hi']);
    expect(request(model, 0).path).toMatch(new RegExp(`^${basePath[api]}/`));
    expect(request(model, 0).path).not.toContain(key);
    expect(JSON.stringify(request(model, 0).headers)).toContain(key);
  }
});
