/** The servers people run on their own machine: found when they are there, and nothing breaks when they are not. */
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { fillLocal, findLocalServers, loadProviders, type Provider } from '../src/index.ts';
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
    { provider: 'a', baseUrl: `${closed}/v1`, models: undefined, facts: [] },
    { provider: 'b', baseUrl: `${url}/v1/`, models: ['scripted'], facts: [{ id: 'scripted' }] },
    { provider: 'c', baseUrl: closed, models: undefined, facts: [] },
  ]);
});

test('only local providers are asked, and only for their list', async () => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{"data":[]}');
  });
  const found = await findLocalServers([local('here', url), local('far', url, { local: false })]);
  expect(found).toEqual([{ provider: 'here', baseUrl: url, models: [], facts: [] }]);
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
  expect(await findLocalServers([local('a', url)])).toMatchObject([{ provider: 'a', baseUrl: url, models }]);
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
  expect(found).toMatchObject([{ provider: 'ollama', baseUrl: closed, models: undefined }]);
});

test('a local provider that cannot be used is not asked', async () => {
  const { providers } = await loadProviders('models.json', { providers: { ollama: { baseUrl: 'http://' } } });
  expect(await findLocalServers(providers.filter(({ name }) => name === 'ollama'))).toEqual([]);
});

/** A server with these documents, by method and path; a body is a part of the name. */
async function serveDocuments(documents: Record<string, unknown>): Promise<string> {
  return serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const document = documents[`${request.method} ${request.url}${body && ` ${body}`}`];
    response.writeHead(document === undefined ? 404 : 200).end(JSON.stringify(document));
  });
}

const listing = (...ids: string[]) => ({ data: ids.map((id) => ({ id })) });

test('Ollama is asked for each model: the window that was set counts before the one it was trained with', async () => {
  const url = await serveDocuments({
    'GET /v1/models': listing('seeing', 'set', 'silent'),
    'POST /api/show {"model":"seeing"}': {
      model_info: { 'general.architecture': 'gemma3', 'gemma3.context_length': 131_072 },
      capabilities: ['completion', 'vision', 'thinking'],
    },
    'POST /api/show {"model":"set"}': {
      model_info: { 'llama.context_length': 131_072 },
      parameters: 'stop "x"\nnum_ctx                        8192',
      capabilities: ['completion', 'tools'],
    },
  });
  const [server] = await findLocalServers([local('ollama', `${url}/v1`)]);
  expect(server?.facts).toEqual([
    { id: 'seeing', contextWindow: 131_072, images: true, tools: false, reasoning: true },
    { id: 'set', contextWindow: 8192, images: false, tools: true, reasoning: false },
    { id: 'silent' },
  ]);
});

test('LM Studio tells all in one list, and what only embeds is left out', async () => {
  const url = await serveDocuments({
    'GET /v1/models': listing('loaded', 'asleep', 'embedder', 'unheard'),
    'GET /api/v0/models': {
      data: [
        {
          id: 'loaded',
          type: 'llm',
          max_context_length: 32_768,
          loaded_context_length: 4096,
          capabilities: ['tool_use'],
        },
        { id: 'asleep', type: 'vlm', max_context_length: 32_768 },
        { id: 'embedder', type: 'embeddings', max_context_length: 2048 },
        'junk',
      ],
    },
  });
  const [server] = await findLocalServers([local('lmstudio', `${url}/v1`)]);
  expect(server?.facts).toEqual([
    { id: 'loaded', contextWindow: 4096, images: false, tools: true },
    { id: 'asleep', contextWindow: 32_768, images: true },
    { id: 'unheard' },
  ]);
});

test('llama.cpp tells of the one model it serves', async () => {
  const props = { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: false } };
  const one = await serveDocuments({ 'GET /v1/models': listing('a'), 'GET /props': props });
  const two = await serveDocuments({ 'GET /v1/models': listing('a', 'b'), 'GET /props': props });
  const found = await findLocalServers([local('llamacpp', `${one}/v1`), local('llamacpp', `${two}/v1`)]);
  expect(found.map(({ facts }) => facts)).toEqual([
    [{ id: 'a', contextWindow: 16_384, images: false }],
    [{ id: 'a' }, { id: 'b' }],
  ]);
});

test.each(['ollama', 'lmstudio', 'llamacpp'])('%s with nonsense for facts still has its models', async (name) => {
  const url = await serveDocuments({
    'GET /v1/models': listing('a'),
    'POST /api/show {"model":"a"}': { model_info: [], parameters: 5, capabilities: 'all' },
    'GET /api/v0/models': { data: [{ id: 'a', max_context_length: -1 }] },
    'GET /props': { default_generation_settings: { n_ctx: '8k' } },
  });
  const [server] = await findLocalServers([local(name, `${url}/v1`)]);
  expect(server).toMatchObject({ models: ['a'] });
  expect(server?.facts).toEqual([{ id: 'a' }]);
});

test('what a server tells is put under what the user says', () => {
  const facts = [{ id: 'a', contextWindow: 4096, images: false }, { id: 'b' }];
  const provider = local('ollama', 'http://127.0.0.1:1/v1', { models: [{ id: 'a', contextWindow: 8192 }] });
  const servers = [{ provider: 'ollama', baseUrl: provider.baseUrl, models: ['a', 'b'], facts }];
  expect(fillLocal([provider], servers)[0]?.models).toEqual([
    { id: 'a', contextWindow: 8192, images: false },
    { id: 'b' },
  ]);
});
