import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeCertificate, startProxy } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { apis, call, calls, converse, request, resultsIn, says } from './conversation.ts';

/** A site on loopback. */
async function serve(answer: (incoming: IncomingMessage, response: ServerResponse) => void) {
  let requests = 0;
  const server = createServer((incoming, response) => {
    requests += 1;
    answer(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const settings = { webFetch: { privateHosts: [`127.0.0.1:${port}`] } };
  return { url: `http://127.0.0.1:${port}`, settings, requests: () => requests };
}

const page = '<title>Docs</title><nav>menu</nav><h2>Install</h2><p>Run <code>make</code>.</p><ul><li>one<li>two</ul>';
const html = (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(page);
const allow = ['--allow', 'web_fetch(domain:127.0.0.1)'];

test.each(apis)('web_fetch: a page goes into the next request as Markdown, over %s', async (api) => {
  const { url, settings } = await serve(html);
  const { tau, model } = await converse([calls(call('web_fetch', { url })), says('ok')], { api, settings });
  expect(await tau(['-p', 'go', ...allow])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(resultsIn(request(model, 1))).toMatchObject([
    {
      text: expect.stringContaining('<web_page>\n# Docs\n\n## Install\n\nRun `make`.\n\n- one\n- two\n</web_page>'),
    },
  ]);
});

test('WebFetch, as other agents call it with a prompt, is the same tool', async () => {
  const { url, settings } = await serve(html);
  const steps = [calls(call('WebFetch', { url, prompt: 'How to install?' })), says('ok')];
  const { tau, model } = await converse(steps, { settings });
  expect(await tau(['-p', 'go', '--allow', 'WebFetch(domain:127.0.0.1)'])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('## Install') }]);
});

test('without a rule nothing is sent, and stderr names the rule that would allow it', async () => {
  const { url, settings, requests } = await serve(html);
  const { tau, model } = await converse([calls(call('web_fetch', { url })), says('ok')], { settings });
  const run = await tau(['-p', 'go']);
  expect(run.code).toBe(3);
  expect(run.stderr).toContain('web_fetch(domain:127.0.0.1)');
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('it connects to 127.0.0.1') }]);
  expect(requests()).toBe(0);
});

test('a denied domain is not fetched even by whom everything else is allowed', async () => {
  const { url, settings, requests } = await serve(html);
  const { tau, model } = await converse([calls(call('web_fetch', { url })), says('ok')], { settings });
  const rule = 'web_fetch(domain:127.0.0.1)';
  expect((await tau(['-p', 'go', '--permission-mode', 'dangerously', '--deny', rule])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('Not allowed') }]);
  expect(requests()).toBe(0);
});

test('a private address that the user did not name is refused in every mode', async () => {
  const { url, requests } = await serve(html);
  const { tau, model } = await converse([calls(call('web_fetch', { url })), says('ok')]);
  expect((await tau(['-p', 'go', '--permission-mode', 'dangerously'])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('not a public address') }]);
  expect(request(model, 1).raw).toContain('"is_error":true');
  expect(requests()).toBe(0);
});

test('a redirect to a private address is refused', async () => {
  const hidden = await serve(html);
  const { url, settings } = await serve((_, response) => response.writeHead(302, { location: hidden.url }).end());
  const { tau, model } = await converse([calls(call('web_fetch', { url })), says('ok')], { settings });
  expect((await tau(['-p', 'go', ...allow])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining('not a public address') }]);
  expect(hidden.requests()).toBe(0);
});

test('a page is fetched once, however often it is asked for', async () => {
  const { url, settings, requests } = await serve(html);
  const steps = [calls(call('web_fetch', { url })), calls(call('web_fetch', { url })), says('ok')];
  const { tau, model } = await converse(steps, { settings });
  expect((await tau(['-p', 'go', ...allow])).code).toBe(0);
  const [first, second] = resultsIn(request(model, 2));
  expect(second?.text).toBe(first?.text);
  expect(requests()).toBe(1);
});

test('a long page is cut for the model, and read brings the rest', async () => {
  const long = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n');
  const { url, settings } = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(long),
  );
  const { tau, model } = await converse(
    [
      calls(call('web_fetch', { url })),
      (seen) => {
        const path = /The whole is in (\S+)\.$/m.exec(resultsIn(seen)[0]?.text ?? '')?.[1] ?? 'nowhere';
        return calls(call('read', { path, offset: 20_000 }));
      },
      says('ok'),
    ],
    { settings },
  );
  expect(await tau(['-p', 'go', ...allow])).toMatchObject({ code: 0, stderr: '' });
  expect(resultsIn(request(model, 2))[1]?.text).toContain('line 19999');
});

test('an encrypted page comes straight, and in a tunnel when the environment names a proxy', async () => {
  const certificate = await makeCertificate();
  const server = createTlsServer(certificate, html);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const straight = `https://127.0.0.1:${port}`;
  const proxy = await startProxy({ target: straight });
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const settings = { webFetch: { privateHosts: [`127.0.0.1:${port}`] } };
  const fetches = calls(call('web_fetch', { url: straight }), call('web_fetch', { url: 'https://model.test/docs' }));
  const { tau, model, home, write } = await converse([fetches, says('ok')], { settings });
  const trusted = join(home, 'ca.pem');
  write(trusted, certificate.cert);
  const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: trusted };
  const run = await tau(['-p', 'go', ...allow, '--allow', 'web_fetch(domain:*.test)'], { env });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const results = resultsIn(request(model, 1));
  expect(results.map(({ text }) => text.includes('## Install'))).toEqual([true, true]);
  expect(proxy.passed).toEqual(['CONNECT model.test:443']);
});

test('a redirect from an encrypted page to one that is not is told, not followed', async () => {
  const open = await serve(html);
  const certificate = await makeCertificate();
  const server = createTlsServer(certificate, (_, response) => response.writeHead(302, { location: open.url }).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}/`;
  const settings = { webFetch: { privateHosts: ['127.0.0.1'] } };
  const { tau, model, home, write } = await converse([calls(call('web_fetch', { url })), says('ok')], { settings });
  write(join(home, 'ca.pem'), certificate.cert);
  const run = await tau(['-p', 'go', ...allow], { env: { NODE_EXTRA_CA_CERTS: join(home, 'ca.pem') } });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const told = `${url} redirects to ${open.url}/, which is not encrypted any more.`;
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringContaining(told) }]);
  expect(open.requests()).toBe(0);
});

test('a certificate that nobody vouches for is an error', async () => {
  const server = createTlsServer(await makeCertificate(), html);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const settings = { webFetch: { privateHosts: [`127.0.0.1:${port}`] } };
  const url = `https://127.0.0.1:${port}`;
  const { tau, model } = await converse([calls(call('web_fetch', { url })), says('ok')], { settings });
  expect((await tau(['-p', 'go', ...allow])).code).toBe(0);
  expect(resultsIn(request(model, 1))).toMatchObject([{ text: expect.stringMatching(/^Cannot fetch .*certificate/) }]);
});
