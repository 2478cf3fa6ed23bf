/** The network of contained commands, through the built command: a new host asks, the rest is refused at once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type RunningTau, startProxy } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type Conversation, call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { proxiedGet } from './proxied-get.ts';

const bash = (command: string) => calls(call('bash', { command }));
const contained = { contained: true, settings: { permissionMode: 'auto' } };

/** A site on loopback that every host name leads to, through a proxy of the user's. */
async function web() {
  const server = createServer((incoming, response) => response.end(`hello from ${incoming.headers.host}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy = await startProxy({ target: `http://127.0.0.1:${port}` });
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  return { port, proxy, env: { http_proxy: proxy.url, https_proxy: proxy.url, no_proxy: '127.0.0.1' } };
}

const toldIn = ({ model }: Conversation, count: number) =>
  resultsIn(request(model, count))
    .slice(-count)
    .map(({ text }) => text);

async function answer(run: RunningTau, id: string, more: object): Promise<void> {
  await run.waitFor(`"id":"${id}"`);
  run.send({ type: 'permission_response', id, ...more });
}

test('a new host asks whoever is there: no is told to the model, a yes for the session is not asked again', async () => {
  const { env, proxy } = await web();
  const scene = await converse(
    [
      bash('node get.cjs http://a.example/ http://evil.example/'),
      bash('node get.cjs http://a.example/ http://b.example/'),
      says('done'),
    ],
    contained,
  );
  scene.write('get.cjs', proxiedGet);
  const run = scene.start(['--json'], { openStdin: true, env });
  run.send({ type: 'message', content: 'go' });
  await answer(run, 'host-1', { outcome: 'allow', scope: 'session' });
  await answer(run, 'host-2', { outcome: 'deny', feedback: 'not that one' });
  await answer(run, 'host-3', { outcome: 'allow', scope: 'always' });
  await run.waitFor('agent_end');
  run.endInput();
  const done = await run.done;
  const [first = '', second = ''] = toldIn(scene, 2);
  expect(first).toContain('http://a.example/ 200 hello from a.example');
  expect(first).toMatch(/http:\/\/evil\.example\/ 403 .*not that one/);
  expect(first).toMatch(/The sandbox refused: connect evil\.example \(.*not that one/);
  expect(second).toContain('http://a.example/ 200');
  expect(second).toContain('http://b.example/ 200');
  const asked = done.events().filter(({ type }) => type === 'permission_request');
  expect(asked.map(({ toolName, input }) => [toolName, Object(input).host])).toEqual([
    ['network', 'a.example'],
    ['network', 'evil.example'],
    ['network', 'b.example'],
  ]);
  expect(proxy.passed.some((line) => line.includes('evil.example'))).toBe(false);
  expect(scene.read(join(scene.tauHome, 'permissions.json'))).toContain('network(domain:b.example)');
  expect(done.events().filter(({ type }) => type === 'sandbox_violation')).toMatchObject([
    { what: 'connect', host: 'evil.example' },
  ]);
});

test('with nobody there a new host is refused at once with the reason, and the exit code and stderr say what would help', async () => {
  const { env, proxy, port } = await web();
  const hosts = [
    'http://ok.example/',
    'http://ok.example.evil.test/',
    `http://127.0.0.1:${port}/`,
    'http://169.254.169.254/',
  ];
  const scene = await converse([bash(`node get.cjs ${hosts.join(' ')}`), says('done')], {
    contained: true,
    settings: { permissionMode: 'auto', sandbox: { hosts: ['ok.example', '127.0.0.1', '169.254.169.254'] } },
  });
  scene.write('get.cjs', proxiedGet);
  const run = await scene.tau(['-p', 'go'], { env });
  const [told = ''] = toldIn(scene, 1);
  expect(told).toContain('http://ok.example/ 200');
  // A name that begins like one that is allowed is another; a private address stays private, whoever allowed its name.
  expect(told).toMatch(/ok\.example\.evil\.test\/ 403 .*nobody is there/);
  expect(told).toMatch(/127\.0\.0\.1:\d+\/ 403 /);
  expect(told).toMatch(/169\.254\.169\.254\/ 403 /);
  expect(run.code).toBe(3);
  expect(run.stderr).toContain("--allow 'network(domain:ok.example.evil.test)'");
  expect(proxy.passed.filter((line) => !line.includes('ok.example/'))).toEqual([]);
});

test('a private address that the settings name is reached, and a rule that denies a host beats what was approved', async () => {
  const { env, port } = await web();
  const scene = await converse([bash(`node get.cjs http://127.0.0.1:${port}/ http://no.example/`), says('done')], {
    contained: true,
    settings: {
      permissionMode: 'auto',
      sandbox: { hosts: ['*'] },
      webFetch: { privateHosts: [`127.0.0.1:${port}`] },
      permissions: { deny: ['network(domain:no.example)'] },
    },
  });
  scene.write('get.cjs', proxiedGet);
  const run = await scene.tau(['-p', 'go'], { env });
  const [told = ''] = toldIn(scene, 1);
  expect(told).toContain(`http://127.0.0.1:${port}/ 200 hello`);
  expect(told).toMatch(/no\.example\/ 403 .*denies it/);
  expect(run.code).toBe(0);
});

test('a server that one command starts is reached by the next, and by nobody outside', async () => {
  const scene = await converse(
    [
      calls(call('bash', { command: 'node serve.cjs', background: true })),
      bash('until [ -e port ]; do sleep 0.02; done; node ask.cjs'),
      says('done'),
    ],
    contained,
  );
  scene.write(
    'serve.cjs',
    `const s = require('node:http').createServer((_, r) => r.end('from inside')).listen(0, '127.0.0.1', () => require('node:fs').writeFileSync('port', String(s.address().port)))`,
  );
  scene.write(
    'ask.cjs',
    `require('node:http').get('http://127.0.0.1:' + require('node:fs').readFileSync('port', 'utf8'), (r) => r.pipe(process.stdout))`,
  );
  await scene.tau(['-p', 'go']);
  expect(toldIn(scene, 2)[1]).toContain('from inside');
});
