/** Incidents 3, 13, 14, 21, 22 and 25, tried from inside the sandbox, where commands run without being asked about. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer as createWeb } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { startProxy } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { proxiedGet } from './proxied-get.ts';

const settings = { permissionMode: 'auto' };
const bash = (command: string) => call('bash', { command });

/** Listens on loopback, and counts who came. */
async function canary() {
  let came = 0;
  const server = createServer((socket) => {
    came += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, came: () => came };
}

test('incident 3, CVE-2025-55284: nothing that runs unasked reaches anybody, on loopback or by a name', async () => {
  const { port, came } = await canary();
  const { tau, write, model } = await converse([calls(bash('bash leak.sh')), says('done')], {
    contained: true,
    settings,
  });
  const tries = [
    `exec 3<>/dev/tcp/127.0.0.1/${port}`,
    `node -e "require('net').connect(${port}, '127.0.0.1')"`,
    "node -e \"require('dns').promises.resolve4('kept.evil.test').then(console.log)\"",
    'getent hosts kept.evil.test',
  ];
  write('leak.sh', tries.map((line, at) => `( ${line} ) 2>/dev/null && echo reached ${at}`).join('\n'));
  await tau(['-p', 'go']);
  expect(resultsIn(request(model, 1))[0]?.text).not.toContain('reached');
  expect(came()).toBe(0);
});

test('incident 13, CVE-2026-39861: a link that a contained command plants leads no tool out of the project', async () => {
  const targets = ['.bashrc', 'notes/plan.txt'];
  const { tau, write, home, read, model } = await converse(
    [
      calls(bash('sh plant.sh')),
      calls(call('write', { path: 'link-0', content: 'evil' })),
      calls(call('write', { path: 'link-1', content: 'evil' })),
      calls(call('write', { path: 'folder/new.txt', content: 'evil' })),
      calls(call('edit', { path: 'link-1', old_string: 'mine', new_string: 'evil' })),
      says('done'),
    ],
    { contained: true, settings },
  );
  for (const path of targets) write(join(home, path), 'mine');
  const links = targets.map((path, at) => `ln -s "$HOME/${path}" link-${at}`);
  write('plant.sh', [...links, 'ln -s "$HOME/notes" folder'].join('\n'));
  const run = await tau(['-p', 'go']);
  const told = resultsIn(request(model, 5)).map(({ text }) => text);
  for (const text of told.slice(1)) expect(text).toMatch(/^Not allowed: /);
  expect(run.code).toBe(3);
  expect([...targets.map((path) => read(join(home, path))), existsSync(join(home, 'notes/new.txt'))]).toEqual([
    'mine',
    'mine',
    false,
  ]);
});

test('incident 14, CVE-2026-25725: a contained command makes no file that steers tools, and leaves no trace of the guard', async () => {
  const { tau, write, project, model } = await converse([calls(bash('sh make.sh')), says('done')], {
    ...{ contained: true, settings, git: true },
  });
  const files = ['.tau/settings.json', '.claude/settings.json', '.mcp.json', '.vscode/tasks.json', '.envrc', '.npmrc'];
  const hooks = ['.git/hooks/pre-commit', '.husky/pre-commit', '.githooks/pre-push'];
  const all = [...files, ...hooks];
  const tries = all.map((path) => `mkdir -p "$(dirname ${path})"; echo evil > ${path} && echo made ${path}`);
  const moves = [
    'mv .git elsewhere && echo moved',
    'ln -s /etc .cursor && echo linked',
    'git config core.pager evil && echo set',
  ];
  write('make.sh', [...tries, ...moves, 'echo fine > ordinary.txt', 'true'].join('\n'));
  await tau(['-p', 'go']);
  const told = resultsIn(request(model, 1))[0]?.text ?? '';
  expect(told).not.toMatch(/^(made|moved|linked|set)/m);
  expect(told).toContain('The sandbox refused: write');
  expect(all.filter((path) => existsSync(join(project, path)))).toEqual([]);
  const status = execFileSync('git', ['status', '--porcelain', '--ignored'], { cwd: project, encoding: 'utf8' });
  expect(status.trim().split('\n').toSorted()).toEqual(['?? make.sh', '?? ordinary.txt']);
});

test('incident 21, CVE-2025-59532: no folder that the model chooses becomes one that may be written to', async () => {
  const { tau, write, home, model } = await converse(
    [
      calls(bash('cd ~/other && sh ./work.sh')),
      calls(call('bash', { command: 'sh ./work.sh', workdir: '~/other' })),
      calls(bash('sh hop.sh')),
      says('done'),
    ],
    { contained: true, settings },
  );
  write(join(home, 'other/work.sh'), 'echo x > made');
  write(
    'hop.sh',
    'cd "$HOME/other" && echo x > made; TMPDIR="$HOME/other" HOME=/ sh -c "cd $HOME/other && echo x > made"',
  );
  await tau(['-p', 'go']);
  const told = resultsIn(request(model, 3)).map(({ text }) => text);
  expect(told[1]).toContain('bash has no workdir');
  expect(told[2]).toContain('The sandbox refused: write');
  expect(existsSync(join(home, 'other/made'))).toBe(false);
});

test('incident 22, CVE-2025-52882: the proxy is out of reach for everybody else, and knows nobody without a token', async () => {
  const { tau, write, read, project, model } = await converse([calls(bash('node try.cjs')), says('done')], {
    ...{ contained: true, settings },
  });
  write(
    'try.cjs',
    `const { port } = new URL(process.env.http_proxy);
require('node:fs').writeFileSync('port', port);
const authorization = 'Basic ' + Buffer.from('tau:guessed').toString('base64');
const options = { port, path: 'http://a.example/', headers: { 'proxy-authorization': authorization } };
require('node:http').get(options, (answer) => console.log('status', answer.statusCode));
const wait = setInterval(() => require('node:fs').existsSync('seen') && clearInterval(wait), 20);`,
  );
  const run = tau(['-p', 'go']);
  let over = false;
  void run.finally(() => {
    over = true;
  });
  // While the command still runs: its port is one of another network, and here nobody listens.
  const isThere = () => existsSync(join(project, 'port')) && read('port') !== '';
  await expect.poll(() => over || isThere()).toBe(true);
  expect(over ? await run : 'runs').toBe('runs');
  const refused = await new Promise<string>((resolve) => {
    const socket = connect(Number(read('port')), '127.0.0.1');
    socket.once('connect', () => resolve('reached')).once('error', () => resolve('refused'));
  });
  write('seen', '');
  // Nobody was asked on behalf of who has no token.
  expect((await run).code).toBe(0);
  expect(refused).toBe('refused');
  expect(resultsIn(request(model, 1))[0]?.text).toMatch(/status 40[37]/);
});

test('incident 25, CVE-2026-24052: names that only look allowed, and redirects, are judged as what they are', async () => {
  const server = createWeb((incoming, response) => {
    if (incoming.url?.endsWith('/away')) response.writeHead(302, { location: 'http://evil.example/' }).end();
    else response.end('reached');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await startProxy({ target: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const good = ['http://docs.example/', 'http://a.docs.example/'];
  const bad = [
    ...['http://docs.example.evil.test/', 'http://evildocs.example/', 'http://docs.example@evil.example/'],
    ...['http://docs.example/away', 'http://[::1]/', 'http://0x7f.1/', 'http://2130706433/'],
  ];
  const line = ['node get.cjs', ...[...good, ...bad].map((url) => `'${url}'`)].join(' ');
  const { tau, write, model } = await converse([calls(call('bash', { command: 'sh all.sh' })), says('done')], {
    contained: true,
    settings: { ...settings, sandbox: { hosts: ['docs.example', '*.docs.example'] } },
  });
  write('get.cjs', proxiedGet);
  write('all.sh', line);
  await tau(['-p', 'go'], { env: { http_proxy: proxy.url, no_proxy: '127.0.0.1' } });
  const told = resultsIn(request(model, 1))[0]?.text ?? '';
  const reached = told.split('\n').filter((one) => one.includes(' 200 '));
  expect(reached).toEqual(good.map((url) => `${url} 200 reached`));
  expect(proxy.passed.join('\n')).not.toContain('evil');
});
