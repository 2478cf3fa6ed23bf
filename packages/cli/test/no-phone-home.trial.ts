/** tau talks to the model it was told to use and to nobody else: seen in its system calls, and where there is no network. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inClosedNetwork, reachedIn, traced } from './connections.ts';
import { bareSandbox, call, calls, converse, request, resultsIn, says } from './conversation.ts';

/** The machine's own cache of who a user is, which bash and git ask. */
const own = (reached: readonly string[]) => reached.filter((one) => !one.includes('/nscd/socket'));

const quiet: string[][] = [
  ['--version'],
  ['--help'],
  ['doctor'],
  ['doctor', '--json'],
  ['auth'],
  ['config'],
  ['config', 'path'],
  ['sessions'],
  ['permissions'],
  ['trust'],
  ['permissions', 'explain', 'curl https://example.com | sh'],
  ['demo'],
];

test.each(quiet.map((args) => ({ args })))('tau $args calls nobody', async ({ args }) => {
  const run = await traced(bareSandbox({ git: true }), args);
  expect(run.code).toBe(0);
  expect(own(run.reached)).toEqual([]);
});

test('tau models asks this machine for the servers that people run on it, and nobody else', async () => {
  const run = await traced(bareSandbox(), ['models', '--all']);
  expect(run.code).toBe(0);
  expect(own(run.reached).sort()).toEqual(['127.0.0.1:11434', '127.0.0.1:1234', '127.0.0.1:8080']);
});

const wholeTurn = () => [
  calls(
    call('read', { path: 'a.txt' }),
    call('grep', { pattern: 'wor.d' }),
    call('bash', { command: 'git status; cat a.txt' }),
  ),
  calls(call('edit', { path: 'a.txt', old_string: 'world', new_string: 'tau' })),
  says('done'),
];

test.each([[[]], [['--output-format', 'json']], [['--output-format', 'stream-json']]])(
  'a run with tools connects to its model and to nobody else: %j',
  async (flags) => {
    const sandbox = await converse(wholeTurn(), { git: true, settings: { gitContext: { enabled: true } } });
    sandbox.write('a.txt', 'hello world\n');
    const run = await traced(sandbox, ['-p', 'go', '--permission-mode', 'acceptEdits', ...flags]);
    expect(run.code).toBe(0);
    expect(own(run.reached)).toEqual([new URL(sandbox.model.url).host]);
    expect(resultsIn(request(sandbox.model, 1))).toHaveLength(3);
    expect(sandbox.read('a.txt')).toBe('hello tau\n');
  },
);

test('a run that fails tells nobody', async () => {
  const sandbox = await converse([{ status: 500 }]);
  const run = await traced(sandbox, ['-p', 'go']);
  expect(run.code).toBe(1);
  expect(own(run.reached)).toEqual([new URL(sandbox.model.url).host]);
});

test('line mode begins, answers and ends with its model alone', async () => {
  const sandbox = await converse([says('hello')]);
  const run = await traced(sandbox, [], {
    typed: [
      { after: '> ', keys: 'hi\r' },
      { after: 'hello', keys: '' },
      { after: '> ', keys: '\u0004' },
    ],
  });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('hello') });
  expect(own(run.reached)).toEqual([new URL(sandbox.model.url).host]);
});

test('line mode that is left at once calls nobody', async () => {
  const sandbox = await converse([says('never')]);
  const run = await traced(sandbox, [], { typed: [{ after: '> ', keys: '\u0004' }] });
  expect(run.code).toBe(0);
  expect(own(run.reached)).toEqual([]);
  expect(sandbox.model.requests).toHaveLength(0);
});

test('everything works where there is no network but the model', async () => {
  const sandbox = await converse(wholeTurn(), { git: true });
  sandbox.write('a.txt', 'hello world\n');
  const { model } = sandbox;
  const turn = await inClosedNetwork(sandbox, model, ['-p', 'go', '--permission-mode', 'acceptEdits']);
  expect(turn).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(sandbox.read('a.txt')).toBe('hello tau\n');
  for (const args of [...quiet, ['models', '--all']]) {
    const run = await inClosedNetwork(sandbox, model, args);
    expect({ args, code: run.code, stderr: run.stderr }).toEqual({ args, code: 0, stderr: '' });
    expect(run.stdout).not.toBe('');
  }
}, 60_000);

test('a call over the network inside the closed one fails, so that the proof could fail', async () => {
  const sandbox = await converse([says('never')]);
  sandbox.write(
    join(sandbox.tauHome, 'models.json'),
    JSON.stringify({
      providers: {
        far: { baseUrl: 'http://192.0.2.1', api: 'anthropic-messages', apiKey: 'k', models: [{ id: 'x' }] },
      },
    }),
  );
  const run = await inClosedNetwork(sandbox, sandbox.model, ['-p', 'go', '--model', 'far/x']);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('far cannot be reached') });
});

test('the trace sees an address, a name server and a socket of another kind', () => {
  const log = [
    '12 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 3',
    '12 connect(3, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16 <unfinished ...>',
    '13 sendto(4, "x"..., 30, MSG_NOSIGNAL, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.53")}, 16) = 30',
    '12 <... connect resumed>) = 0',
    '13 connect(5, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
    '13 connect(6, {sa_family=AF_UNIX, sun_path="/run/systemd/resolve/io.systemd.Resolve"}, 110) = 0',
    '13 socket(AF_PACKET, SOCK_RAW, htons(0x3 /* ETH_P_ALL */)) = 7',
    '13 sendto(8, "hi", 2, 0, NULL, 0) = 2',
  ].join('\n');
  expect(reachedIn(log)).toEqual([
    '192.0.2.7:443',
    '192.0.2.53:53',
    '[2001:db8::1]:80',
    '"/run/systemd/resolve/io.systemd.Resolve"',
    expect.stringContaining('AF_PACKET'),
  ]);
});
