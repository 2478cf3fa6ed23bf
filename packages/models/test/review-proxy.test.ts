/** What a way through a proxy must keep of the straight one: the watch over silence, and which of two words counts. */
import { once } from 'node:events';
import { request } from 'node:https';
import { startProxy } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { proxyRoute } from '../src/transport/proxy.ts';
import { createPool } from '../src/transport/route.ts';
import { trusting } from '../src/transport/trust.ts';
import { httpTransport } from '../src/transport.ts';
import { askAt, modelAt, startModel, startTlsModel } from './wire.ts';

async function proxyTo(target: string) {
  const proxy = await startProxy({ target });
  onTestFinished(() => proxy.close());
  return proxy;
}

// The connections of a pool have a limit of their own. Node takes it for granted where a request has the same.
test.each([60_000, 7_000])('a tunnel is watched for a silence of %i ms', async (timeout) => {
  const server = await startTlsModel({ hang: 'beforeHeaders' });
  const { url: https_proxy } = await proxyTo(server.url);
  const pool = createPool(trusting(server.ca, {}));
  const route = proxyRoute(new URL('https://model.test/'), { https_proxy }, pool, new AbortController().signal);
  const outgoing = request({ ...route?.options, timeout });
  onTestFinished(() => void outgoing.on('error', () => {}).destroy());
  const [socket] = await once(outgoing, 'socket');
  await once(socket, 'secureConnect');
  expect(socket.timeout).toBe(timeout);
});

test('a key counts more than a name in the address, also through a proxy', async () => {
  const hello = { blocks: [{ text: 'hello' }] };
  const server = await startModel(hello, hello);
  const { url: http_proxy } = await proxyTo(server.url);
  const ask = (base: string, env: NodeJS.ProcessEnv) =>
    askAt(modelAt(base, 'openai-completions'), httpTransport({ env }), { key: 'k-1' });
  expect((await ask(server.url.replace('://', '://ann:pass@'), {})).error).toBeUndefined();
  expect((await ask('http://ann:pass@model.test', { http_proxy })).error).toBeUndefined();
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer k-1', 'Bearer k-1']);
});
