/** The network of contained commands, through the built command: a new host asks, the rest is refused at once. */
import { chmodSync } from 'node:fs';
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

/** A server of the session, which says on which port it is. */
const serveInside = `const s = require('node:http').createServer((_, r) => r.end('from inside')).listen(0, '127.0.0.1', () => {
  require('node:fs').writeFileSync('made', String(s.address().port));
  require('node:fs').renameSync('made', 'port');
})`;

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

test('private addresses are refused before anybody is asked, with the setting that opens them; loopback is the session itself', async () => {
  const { env, port } = await web();
  const scene = await converse(
    [
      bash('curl -s http://169.254.169.254/latest'),
      bash('node get.cjs http://169.254.169.254/ http://10.0.0.8/'),
      bash(`curl -s http://127.0.0.1:${port}/`),
      says('done'),
    ],
    contained,
  );
  scene.write('get.cjs', proxiedGet);
  const run = await scene.tau(['-p', 'go', '--output-format', 'stream-json'], { env });
  const [curl = '', through = '', loopback = ''] = toldIn(scene, 3);
  expect(curl).toMatch(/^Not allowed: 169\.254\.169\.254 is not a public address; only webFetch\.privateHosts/);
  expect(through).toMatch(/169\.254\.169\.254\/ 403 .*not a public address; only webFetch\.privateHosts/);
  expect(through).toMatch(/10\.0\.0\.8\/ 403 .*not a public address; only webFetch\.privateHosts/);
  // It ran, and the server of the machine is not there.
  expect(loopback).toContain('exit code: 7');
  expect(run.code).toBe(0);
  expect(run.events().filter(({ type }) => type === 'permission_request')).toEqual([]);
});

test('a program that goes past the proxy is told so in words that help, and one that wants a server of the machine too', async () => {
  const { env, port } = await web();
  const connect = (kind: string, address: string, at: number) =>
    `perl -MSocket -e 'socket(my $s, AF_INET, ${kind}, 0); exit !connect($s, pack_sockaddr_in(${at}, inet_aton("${address}")))'`;
  const scene = await converse(
    [bash('sh lookup.sh'), bash('sh direct.sh'), bash(`curl -s http://127.0.0.1:${port}/`), says('done')],
    contained,
  );
  scene.write('lookup.sh', connect('SOCK_DGRAM', '192.0.2.53', 53));
  scene.write('direct.sh', connect('SOCK_STREAM', '192.0.2.7', 443));
  const run = await scene.tau(['-p', 'go', '--output-format', 'stream-json'], { env });
  const [lookup, direct, machine] = toldIn(scene, 3);
  expect(lookup).toMatch(/refused: connect 192\.0\.2\.53 \(it looks a name up by itself.*the proxy of HTTPS_PROXY/);
  expect(direct).toMatch(/refused: connect 192\.0\.2\.7 \(it connects by itself; .*the proxy of HTTPS_PROXY/);
  expect(machine).toMatch(/refused: connect localhost \(.*on port \d+, and servers of the machine are out of reach/);
  expect(machine).toContain(`port ${port}`);
  expect(run.events().filter(({ type }) => type === 'sandbox_violation')).toMatchObject([
    { what: 'connect', host: '192.0.2.53', reason: expect.stringContaining('looks a name up') },
    { what: 'connect', host: '192.0.2.7' },
    { what: 'connect', host: 'localhost' },
  ]);
});

test('a server of the machine that the settings open by its name is reached by curl; that of the session is at the other name', async () => {
  const { env, port } = await web();
  const scene = await converse(
    [
      calls(call('bash', { command: 'node serve.cjs', background: true })),
      bash('until [ -e port ]; do sleep 0.02; done; sh ask.sh'),
      says('done'),
    ],
    {
      contained: true,
      settings: {
        permissionMode: 'auto',
        sandbox: { hosts: ['127.0.0.1'] },
        webFetch: { privateHosts: [`127.0.0.1:${port}`] },
      },
    },
  );
  scene.write('serve.cjs', serveInside);
  scene.write(
    'ask.sh',
    `curl -s http://127.0.0.1:${port}/; echo; curl -s http://localhost:$(cat port)/; echo; curl -s http://127.0.0.1:$(cat port)/`,
  );
  await scene.tau(['-p', 'go'], { env });
  const [machine, session, other] = toldIn(scene, 2)[1]?.split('\n') ?? [];
  expect(machine).toBe(`hello from 127.0.0.1:${port}`);
  expect(session).toBe('from inside');
  expect(other).toMatch(/refused 127\.0\.0\.1:\d+: .*webFetch\.privateHosts.*a name that is in NO_PROXY/);
});

/** An `npm` of the user's that wants the registry, and somebody else on the way. */
function withNpm({ write, home }: Conversation): { PATH: string } {
  const bin = join(home, 'programs');
  write(join(bin, 'get.cjs'), proxiedGet);
  write(
    join(bin, 'npm'),
    `#!/bin/sh\nexec node ${bin}/get.cjs http://registry.npmjs.org/x http://elsewhere.example/\n`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

test('a rule for a command opens no host that its words do not name: with nobody there each is refused with what would help', async () => {
  const { env, proxy } = await web();
  const scene = await converse([bash('npm install'), says('done')], { contained: true });
  const all = { ...env, ...withNpm(scene) };
  const run = await scene.tau(['-p', 'go', '--allow', 'bash(npm install:*)'], { env: all });
  const [told = ''] = toldIn(scene, 1);
  expect(told).toMatch(
    /registry\.npmjs\.org\/x 403 .*nobody is there.*network\(domain:registry\.npmjs\.org\), or npm in sandbox\.registries/,
  );
  expect(told).toMatch(/elsewhere\.example\/ 403 .*nobody is there.*network\(domain:elsewhere\.example\)/);
  expect(run.code).toBe(3);
  expect(run.stderr).toContain("--allow 'network(domain:registry.npmjs.org)'");
  expect(proxy.passed).toEqual([]);
});

test('registries of the settings, and no others, are open to a command that a rule allows', async () => {
  const { env, proxy } = await web();
  const settings = { permissionMode: 'dontAsk', sandbox: { registries: ['npm'] } };
  const scene = await converse([bash('npm install'), says('done')], { contained: true, settings });
  const all = { ...env, ...withNpm(scene) };
  await scene.tau(['-p', 'go', '--allow', 'bash(npm install:*)'], { env: all });
  const [told = ''] = toldIn(scene, 1);
  expect(told).toContain('registry.npmjs.org/x 200');
  expect(told).toMatch(/elsewhere\.example\/ 403 .*dontAsk.*network\(domain:elsewhere\.example\)/);
  expect(proxy.passed).toEqual(['GET http://registry.npmjs.org/x']);
});

test('a yes to a command is one to the hosts that its words name; the others are asked about', async () => {
  const { env } = await web();
  const scene = await converse([bash('npm install'), bash('curl -s http://named.example/'), says('done')], {
    contained: true,
  });
  const all = { ...env, ...withNpm(scene) };
  const run = scene.start(['--json'], { openStdin: true, env: all });
  run.send({ type: 'message', content: 'go' });
  await answer(run, 'ask-1', { outcome: 'allow' });
  await answer(run, 'host-1', { outcome: 'allow' });
  await answer(run, 'host-2', { outcome: 'deny' });
  await answer(run, 'ask-2', { outcome: 'allow' });
  await run.waitFor('agent_end');
  run.endInput();
  const done = await run.done;
  const [install = '', curl = ''] = toldIn(scene, 2);
  expect(install).toContain('registry.npmjs.org/x 200');
  expect(install).toMatch(/elsewhere\.example\/ 403 .*the user said no/);
  expect(curl).toContain('hello from named.example');
  const asked = done.events().filter(({ type }) => type === 'permission_request');
  expect(asked.map(({ toolName, input }) => [toolName, Object(input).host])).toEqual([
    ['bash', undefined],
    ['network', 'registry.npmjs.org'],
    ['network', 'elsewhere.example'],
    ['bash', undefined],
  ]);
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
  scene.write('serve.cjs', serveInside);
  scene.write(
    'ask.cjs',
    `require('node:http').get('http://127.0.0.1:' + require('node:fs').readFileSync('port', 'utf8'), (r) => r.pipe(process.stdout))`,
  );
  await scene.tau(['-p', 'go']);
  expect(toldIn(scene, 2)[1]).toContain('from inside');
});
