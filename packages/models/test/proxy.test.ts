/** The way through a proxy: which one, when none, and what happens when it says no. */
import { createServer, type Server } from 'node:net';
import type { Model } from '@tau/core';
import { makeCertificate, startProxy, type TestProxy } from '@tau/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { proxyFor } from '../src/transport/proxy-choice.ts';
import type { Transport } from '../src/transport.ts';
import { createStream } from './flat.ts';
import { type Answer, askAt, closedUrl, collect, modelAt, requestTo, startModel, startTlsModel } from './wire.ts';

const api = 'anthropic-messages';
const hello = { blocks: [{ text: 'hello' }] };
const content = [{ type: 'text', text: 'hello' }];

async function proxyTo(target: string, options: Omit<Parameters<typeof startProxy>[0], 'target'> = {}) {
  const proxy = await startProxy({ target, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

async function heard(model: Model, transport: Transport) {
  const { error, message } = await askAt(model, transport);
  expect(error).toBeUndefined();
  return message.content;
}

const withUser = (url: string, user: string) => url.replace('://', `://${user}@`);

describe('which proxy', () => {
  const chosen = (url: string, env: NodeJS.ProcessEnv) => proxyFor(new URL(url), env)?.href;
  const all = { HTTPS_PROXY: 'http://s:1', HTTP_PROXY: 'http://p:2', ALL_PROXY: 'http://a:3' };

  test.each<[string, NodeJS.ProcessEnv, string | undefined]>([
    ['https://api.test', all, 'http://s:1/'],
    ['http://api.test', all, 'http://p:2/'],
    ['https://api.test', { ALL_PROXY: 'http://a:3' }, 'http://a:3/'],
    ['http://api.test', { all_proxy: 'http://a:3' }, 'http://a:3/'],
    ['http://api.test', { HTTPS_PROXY: 'http://s:1' }, undefined],
    ['https://api.test', { https_proxy: 'http://low:1', HTTPS_PROXY: 'http://high:1' }, 'http://low:1/'],
    ['http://api.test', { http_proxy: '', HTTP_PROXY: 'http://high:1' }, 'http://high:1/'],
    ['http://api.test', { HTTP_PROXY: 'bare.test:3128' }, 'http://bare.test:3128/'],
    ['https://api.test', { HTTPS_PROXY: ' https://secure.test:8443 ' }, 'https://secure.test:8443/'],
    ['https://api.test', {}, undefined],
  ])('%s with %j', (url, env, expected) => expect(chosen(url, env)).toBe(expected));

  test.each([
    'http://localhost:1',
    'http://LOCALHOST:1',
    'http://model.localhost',
    'http://127.0.0.1',
    'http://127.8.8.8:80',
    'http://[::1]:9',
  ])('%s is this machine and always direct', (url) => expect(chosen(url, all)).toBeUndefined());

  test.each([
    ['*', 'https://api.test', true],
    ['api.test', 'https://api.test', true],
    ['api.test', 'https://eu.api.test', true],
    ['.api.test', 'https://eu.api.test', true],
    ['.api.test', 'https://api.test', true],
    ['*.api.test', 'https://eu.api.test', true],
    ['API.test', 'https://api.TEST.', true],
    ['pi.test', 'https://api.test', false],
    ['api.test.org', 'https://api.test', false],
    ['api.test:443', 'https://api.test', true],
    ['api.test:8443', 'https://api.test', false],
    ['api.test:8443', 'https://api.test:8443', true],
    ['one.test, api.test', 'https://api.test', true],
    ['one.test api.test', 'https://api.test', true],
    ['10.0.0.0/8', 'http://10.20.30.40', true],
    ['10.0.0.0/8', 'http://11.0.0.1', false],
    ['10.1.2.3', 'http://10.1.2.3:99', true],
    ['10.1.2.3:98', 'http://10.1.2.3:99', false],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['fd00::/8', 'http://10.1.2.3', false],
    ['[fd12::1]:80', 'http://[fd12::1]', true],
    ['fd12::1', 'http://[fd12::1]', true],
    ['10.0.0.0/33', 'http://10.0.0.1', false],
    ['10.0.0.0/x', 'http://10.0.0.1', false],
    ['/8', 'http://10.0.0.1', false],
    ['.', 'https://api.test', false],
    ['', 'https://api.test', false],
    [' , ,', 'https://api.test', false],
  ])('NO_PROXY "%s" and %s: direct is %s', (list, url, direct) => {
    expect(chosen(url, { ...all, NO_PROXY: list }) === undefined).toBe(direct);
    expect(chosen(url, { ...all, NO_PROXY: 'nothing.test', no_proxy: list || 'none' }) === undefined).toBe(direct);
  });

  test.each([
    ['socks5://user:secret@p:1', 'HTTPS_PROXY names a SOCKS proxy, which tau does not speak yet'],
    ['ftp://user:secret@p:1', 'HTTPS_PROXY is not the address of a proxy'],
    ['http://user:secret@:::', 'HTTPS_PROXY is not the address of a proxy'],
  ])('%s is an error that names the variable and not the value', async (value, words) => {
    const transport = httpTransport({ env: { HTTPS_PROXY: value } });
    const { error } = await askAt(modelAt('https://api.test', api), transport);
    expect(error).toMatchObject({ class: 'badRequest', message: expect.stringContaining(words) });
    expect(error?.message).not.toContain('secret');
  });
});

describe('http, by asking the proxy for the whole address', () => {
  test('a turn goes through, and turns share the connection to the proxy', async () => {
    const server = await startModel(hello, hello);
    const proxy = await proxyTo(server.url);
    const transport = httpTransport({ env: { HTTP_PROXY: proxy.url } });
    for (let turn = 0; turn < 2; turn++) {
      expect(await heard(modelAt('http://model.test:8080', api), transport)).toEqual(content);
      await settled();
    }
    const line = 'POST http://model.test:8080/v1/messages';
    expect(proxy.passed).toEqual([line, line]);
    expect(server.requests[0]?.headers.host).toBe('model.test:8080');
    expect(proxy.open()).toBe(1);
  });

  test('through a proxy that speaks TLS', async () => {
    const server = await startModel(hello);
    const certificate = await makeCertificate();
    const proxy = await proxyTo(server.url, { certificate });
    const transport = httpTransport({ ca: certificate.cert, env: { HTTP_PROXY: proxy.url } });
    expect(await heard(modelAt('http://model.test', api), transport)).toEqual(content);
    expect(proxy.passed).toEqual(['POST http://model.test/v1/messages']);
  });

  test('its credentials come from the address, and the provider does not see them', async () => {
    const server = await startModel(hello);
    const proxy = await proxyTo(server.url, { credentials: 'us er:p@ss' });
    const transport = httpTransport({ env: { HTTP_PROXY: withUser(proxy.url, 'us%20er:p%40ss') } });
    expect(await heard(modelAt('http://model.test', api), transport)).toEqual(content);
    expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test('the wrong credentials are a matter of auth, and are not shown', async () => {
    const proxy = await proxyTo('http://127.0.0.1:9', { credentials: 'user:right' });
    const transport = httpTransport({ env: { HTTP_PROXY: withUser(proxy.url, 'user:wrong') } });
    const { error } = await askAt(modelAt('http://model.test', api), transport);
    expect(error).toMatchObject({
      class: 'auth',
      message: expect.stringContaining(`the proxy at ${new URL(proxy.url).host} refused the request: it wants a user`),
    });
    expect(error?.message).not.toContain('wrong');
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test('hosts of NO_PROXY are asked for directly', async () => {
    const server = await startModel(hello);
    const transport = httpTransport({ env: { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.0/8' } });
    expect(await heard(modelAt(server.url, api), transport)).toEqual(content);
  });
});

describe('https, in a tunnel', () => {
  test('a turn goes through, and turns share the tunnel', async () => {
    const server = await startTlsModel(hello, hello);
    const proxy = await proxyTo(server.url);
    const transport = httpTransport({ ca: server.ca, env: { https_proxy: proxy.url } });
    for (let turn = 0; turn < 2; turn++) {
      expect(await heard(modelAt('https://model.test', api), transport)).toEqual(content);
      await settled();
    }
    expect(proxy.passed).toEqual(['CONNECT model.test:443']);
    expect(server.connections()).toBe(1);
    expect(server.requests[0]?.headers).toMatchObject({ host: 'model.test' });
  });

  test('through a proxy that speaks TLS itself, with credentials', async () => {
    const server = await startTlsModel(hello);
    const certificate = await makeCertificate();
    const proxy = await proxyTo(server.url, { certificate, credentials: 'user:right' });
    const transport = httpTransport({
      ca: `${server.ca}\n${certificate.cert}`,
      env: { HTTPS_PROXY: withUser(proxy.url, 'user:right') },
    });
    expect(await heard(modelAt('https://model.test:8443', api), transport)).toEqual(content);
    expect(proxy.passed).toEqual(['CONNECT model.test:8443']);
  });

  test('the certificate must be for the host that was asked for, not for the proxy', async () => {
    const server = await startTlsModel(hello);
    const proxy = await proxyTo(server.url);
    const transport = httpTransport({ ca: server.ca, env: { HTTPS_PROXY: proxy.url } });
    const { error } = await askAt(modelAt('https://model.example', api), transport);
    expect(error).toMatchObject({
      class: 'network',
      message: expect.stringContaining(
        'scripted cannot be reached at model.example: its certificate is for another name',
      ),
    });
    expect(server.requests).toHaveLength(0);
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test.each([
    [407, 'auth', 'it wants a user name and a password that it knows. Write them into the proxy variable'],
    [403, 'network', 'it answered 403. Ask whoever runs it'],
    [502, 'network', 'it answered 502. Ask whoever runs it'],
  ] as const)('a refusal with %i is of the class %s and names the proxy', async (refuse, expected, words) => {
    const proxy = await proxyTo('http://127.0.0.1:9', { refuse });
    const transport = httpTransport({ env: { HTTPS_PROXY: withUser(proxy.url, 'user:secret') } });
    const { error } = await askAt(modelAt('https://model.test', api), transport, { key: 'sk-key' });
    const { host } = new URL(proxy.url);
    expect(error).toMatchObject({
      class: expected,
      message: expect.stringContaining(`the proxy at ${host} refused a tunnel to model.test:443: ${words}`),
    });
    expect(error?.message).not.toContain('secret');
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test('a proxy whose certificate is not trusted is told as such', async () => {
    const proxy = await proxyTo('http://127.0.0.1:9', { certificate: await makeCertificate() });
    const { error } = await askAt(
      modelAt('https://model.test', api),
      httpTransport({ env: { HTTPS_PROXY: proxy.url } }),
    );
    const { host } = new URL(proxy.url);
    expect(error).toMatchObject({
      class: 'network',
      message: expect.stringContaining(`the proxy at ${host} cannot be reached: its certificate is not trusted here`),
    });
  });
});

describe.each(['http', 'https'] as const)('a proxy before %s that', (scheme) => {
  const model = modelAt(`${scheme}://model.test`, api);

  test('is not there is an error that names it', async () => {
    const { host: address } = new URL(await closedUrl());
    const { error } = await askAt(model, httpTransport({ env: { ALL_PROXY: `http://user:secret@${address}` } }));
    expect(error).toMatchObject({
      class: 'network',
      message: expect.stringContaining(
        `the proxy at ${address} cannot be reached: nothing listens there (ECONNREFUSED)`,
      ),
    });
    expect(error?.message).not.toContain('secret');
  });

  test('never answers is given up', async () => {
    const proxy = await proxyTo('http://127.0.0.1:9', { hang: true });
    const transport = httpTransport({ connectMs: 200, idleMs: 200, env: { ALL_PROXY: proxy.url } });
    const { error } = await askAt(model, transport);
    expect(error).toMatchObject(
      scheme === 'https'
        ? { class: 'network', message: expect.stringContaining(`no connection within 0.2 s through the proxy at`) }
        : { class: 'timeout', message: expect.stringContaining('no byte') },
    );
    await expect.poll(() => proxy.open()).toBe(0);
  });

  test('never answers is left at once by an abort', async () => {
    const proxy = await proxyTo('http://127.0.0.1:9', { hang: true });
    const answer = await abortedAt(proxy, () => createStream(waiting(proxy)));
    expect(answer.error).toEqual({ class: 'aborted', message: 'aborted' });
    await expect.poll(() => proxy.open()).toBe(0);
  });

  const waiting = (proxy: TestProxy) => ({
    transport: httpTransport({ connectMs: 0, idleMs: 0, env: { ALL_PROXY: proxy.url } }),
    key: undefined,
  });

  async function abortedAt(proxy: TestProxy, make: () => ReturnType<typeof createStream>): Promise<Answer> {
    const controller = new AbortController();
    const answer = collect(make()(requestTo(model), controller.signal));
    await proxy.arrival(0);
    controller.abort();
    return answer;
  }
});

test('an abort while TLS is being agreed inside a tunnel closes it', async () => {
  const silent = await startSilent();
  const proxy = await proxyTo(silent);
  const controller = new AbortController();
  const transport = httpTransport({ connectMs: 0, idleMs: 0, env: { ALL_PROXY: proxy.url } });
  const stream = createStream({ transport, key: undefined });
  const answer = collect(stream(requestTo(modelAt('https://model.test', api)), controller.signal));
  await proxy.arrival(0);
  await settled();
  controller.abort();
  expect((await answer).error?.class).toBe('aborted');
  await expect.poll(() => proxy.open()).toBe(0);
});

/** Takes connections and says nothing on them. */
async function startSilent(): Promise<string> {
  const server: Server = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

/** A turn of real work lies between two requests. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}
