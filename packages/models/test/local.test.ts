/** The servers people run on their own machine: found when they are there, and nothing breaks when they are not. */
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { findLocalServers, loadProviders, type Provider } from '../src/index.ts';
import { closedUrl, startModel } from './wire.ts';

function local(name: string, baseUrl: string, extra: Partial<Provider> = {}): Provider {
  return { name, api: 'openai-completions', baseUrl, local: true, models: [], open: true, ...extra };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

test('one server is there and the others are not, in the order of the providers', async () => {
  const { url } = await startModel();
  const closed = await closedUrl();
  expect(await findLocalServers([local('a', `${closed}/v1`), local('b', `${url}/v1/`), local('c', closed)])).toEqual([
    { provider: 'a', baseUrl: `${closed}/v1`, models: undefined },
    { provider: 'b', baseUrl: `${url}/v1/`, models: ['scripted'] },
    { provider: 'c', baseUrl: closed, models: undefined },
  ]);
});

test('only local providers are asked, and only for their list', async () => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{"data":[]}');
  });
  const found = await findLocalServers([local('here', url), local('far', url, { local: false })]);
  expect(found).toEqual([{ provider: 'here', baseUrl: url, models: [] }]);
  expect(asked).toEqual(['GET /models']);
});

test.each([
  ['a failure', 500, '{"data":[{"id":"x"}]}', undefined],
  ['no JSON', 200, '<html>', undefined],
  ['null', 200, 'null', undefined],
  ['another shape', 200, '{"models":[]}', undefined],
  ['a list with junk in it', 200, '{"data":[null,{"id":"x"},{"id":5},{},"y"]}', ['x']],
])('a server that answers with %s', async (_, status, body, models) => {
  const url = await serve((_request, response) => response.writeHead(status).end(body));
  expect(await findLocalServers([local('a', url)])).toEqual([{ provider: 'a', baseUrl: url, models }]);
});

test('a server that breaks off, floods or never answers counts as absent', async () => {
  const cut = await serve((_, response) => response.write('{"data":[', () => response.destroy()));
  const flood = await serve((_, response) => {
    const pour = () => void response.write('x'.repeat(65_536), (error) => error ?? pour());
    pour();
  });
  const silent = await serve(() => {});
  const stuck = await serve((_, response) => void response.write('{"data":['));
  const found = await findLocalServers([cut, flood, silent, stuck].map((url) => local('a', url)));
  expect(found.map(({ models }) => models)).toEqual([undefined, undefined, undefined, undefined]);
});

test('a local provider that the user moved behind TLS does not break the advice', async () => {
  const closed = (await closedUrl()).replace('http:', 'https:');
  const { providers } = await loadProviders('models.json', { providers: { ollama: { baseUrl: closed } } });
  const found = await findLocalServers(providers.filter(({ name }) => name === 'ollama'));
  expect(found).toEqual([{ provider: 'ollama', baseUrl: closed, models: undefined }]);
});

test('a local provider that cannot be used is not asked', async () => {
  const { providers } = await loadProviders('models.json', { providers: { ollama: { baseUrl: 'http://' } } });
  expect(await findLocalServers(providers.filter(({ name }) => name === 'ollama'))).toEqual([]);
});
