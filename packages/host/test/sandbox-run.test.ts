/** A contained command is a command: its output, its end, its stop and its background are what they are without. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TauError } from '@tau/core';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Host, localHost, type SandboxPolicy, type Violation } from '../src/index.ts';
import { type BubblewrapFacts, testBubblewrap } from '../src/sandbox/bubblewrap/self-test.ts';
import { openSandbox } from '../src/sandbox/open.ts';
import { makePlace, type Place, processesOf } from './contained.ts';
import { holdTimers } from './held-timers.ts';
import { bundleScript } from './script.ts';

let place: Place;
let host: Host;
const env = { PATH: process.env.PATH };

let facts: BubblewrapFacts;

beforeAll(async () => {
  const found = await testBubblewrap(env, '/nowhere');
  if (!found.works) throw new Error(`${found.reason}. ${found.remedy}`);
  facts = found.facts;
});
beforeEach(() => {
  place = makePlace();
  host = contained();
});
afterEach(async () => {
  await host.processes.end();
  place.dispose();
});

function contained(options: Partial<Parameters<typeof localHost>[0]> = {}): Host {
  const marked = { ...env, TAU_PLACE: place.root };
  return localHost({ cwd: place.project, env: marked, sandbox: async () => openSandbox(facts, { env }), ...options });
}

function policy(more: Partial<SandboxPolicy> = {}): SandboxPolicy {
  return { writable: [place.project], readOnly: [], unreadable: [], network: 'none', ...more };
}

interface Options extends Partial<SandboxPolicy> {
  timeoutMs?: number;
  signal?: AbortSignal;
  stdin?: string;
  onOutput?(chunk: string): void;
  on?: Host;
}

async function run(command: string, options: Options = {}) {
  const { timeoutMs = 20_000, signal = new AbortController().signal, stdin, onOutput, on = host, ...more } = options;
  let output = '';
  const violations: Violation[] = [];
  const result = await on.processes.run({
    command,
    timeoutMs,
    signal,
    ...(stdin !== undefined && { stdin }),
    contain: policy(more),
    onOutput(chunk) {
      output += chunk;
      onOutput?.(chunk);
    },
    onViolation: (violation) => violations.push(violation),
  });
  return { ...result, output, violations };
}

test('output, folder, input and exit code are those of the command', async () => {
  expect(await run('pwd; echo err >&2; cat; exit 3', { stdin: 'in\n' })).toMatchObject({
    output: `${place.project}\nerr\nin\n`,
    exitCode: 3,
  });
  expect(await run('no-such-program')).toMatchObject({ exitCode: 127 });
  expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: 139 });
  const { output } = await run('if then');
  expect(output).toContain('if then');
  expect(output).not.toMatch(/ulimit|exec/);
});

test('a large output arrives whole', async () => {
  const { output } = await run('head -c 3000000 /dev/zero | tr "\\0" x; echo end');
  expect(output.length).toBe(3_000_004);
});

test('a timeout stops it and keeps what it printed', async () => {
  const time = holdTimers(5000);
  const result = await run('echo before; sleep 300', { timeoutMs: 5000, onOutput: time.strike });
  expect(result).toMatchObject({ exitCode: null, killedBy: 'timeout', signal: 'SIGTERM', output: 'before\n' });
});

test('it may clean up when it is stopped, and so may its children', async () => {
  const abort = new AbortController();
  const child = `bash -c 'trap "sleep 0.1; echo child" TERM; echo ready; sleep 300 & wait; sleep 300 & wait'`;
  // The second they have is over when they have, however long that takes here.
  const second = holdTimers(1000);
  let output = '';
  const result = await run(`${child}; true`, {
    signal: abort.signal,
    onOutput(chunk) {
      output += chunk;
      abort.abort();
      if (output.includes('child\n')) second.strike();
    },
  });
  expect(result).toMatchObject({ killedBy: 'abort' });
  expect(result.output).toMatch(/^ready\n(.*\n)*child\n/);
});

test.each([false, true])('who ignores SIGTERM is gone after a second (witness: %s)', async (witness) => {
  const stubborn = `trap '' TERM; echo ready; (setsid bash -c "trap '' TERM; sleep 300") & while :; do sleep 0.05; done`;
  const abort = new AbortController();
  const result = await run(stubborn, { signal: abort.signal, witness, onOutput: () => abort.abort() });
  expect(result).toMatchObject({ exitCode: null, killedBy: 'abort', signal: 'SIGKILL' });
  await expect.poll(() => processesOf(place)).toEqual([]);
});

test('daemons end with the command, and a witness tells that somebody was left', async () => {
  const daemon = '(setsid sh -c "sleep 300; echo late > late" >/dev/null 2>&1 &) ; echo started';
  expect(await run(daemon)).toMatchObject({ exitCode: 0, output: 'started\n' });
  expect(await run(daemon, { witness: true })).toMatchObject({ exitCode: 0, left: { killed: true } });
  expect((await run('echo a > >(cat); sleep 0.01 & echo b', { witness: true })).left).toBeUndefined();
  await expect.poll(() => processesOf(place)).toEqual([]);
  expect(readdirSync(place.project)).toEqual([]);
});

test('in the background it goes on by itself, with what it put into the background, until it is killed', async () => {
  let output = '';
  const start = (command: string) =>
    host.processes.start({ command, contain: policy(), onOutput: (chunk) => (output += chunk) });
  const job = await start('(while [ ! -e go ]; do sleep 0.02; done; echo late) & echo one; exit 5');
  await expect.poll(() => output).toBe('one\n');
  writeFileSync(join(place.project, 'go'), '');
  expect(await job.ended).toMatchObject({ exitCode: 5 });
  expect(output).toBe('one\nlate\n');
  const second = await start('trap "echo bye; exit" TERM; echo up; while :; do sleep 0.02; done');
  await expect.poll(() => output).toContain('up');
  await second.kill();
  expect(await second.ended).toMatchObject({ killedBy: 'abort' });
  expect(output).toContain('bye');
  const third = await start("trap '' TERM; echo again; while :; do sleep 0.05; done");
  await expect.poll(() => output).toContain('again');
  await expect.poll(() => processesOf(place)).toContainEqual(expect.stringMatching(/ sleep 0\.05$/));
  await host.processes.end();
  await third.ended;
  await expect.poll(() => processesOf(place)).toEqual([]);
});

test('nobody survives when tau is killed with SIGKILL, and nothing of the sandbox stays on the disk', async () => {
  const { project } = place;
  const owner = await bundleScript(
    place.root,
    `const { openSandbox } = await import(${JSON.stringify(join(import.meta.dirname, '../src/sandbox/open.ts'))});
     const facts = ${JSON.stringify(facts)};
     const env = { PATH: process.env.PATH, TAU_PLACE: ${JSON.stringify(place.root)} };
     const inside = localHost({ cwd: ${JSON.stringify(project)}, env, sandbox: async () => openSandbox(facts, { env }) });
     const contain = { writable: [${JSON.stringify(project)}], readOnly: [${JSON.stringify(join(project, '.tau'))}], unreadable: [], network: 'none' };
     const command = "trap '' TERM; (setsid sleep 300 &); echo up > up; sleep 300";
     void inside.processes.run({ command, timeoutMs: 60000, signal: new AbortController().signal, onOutput() {}, contain });
     void inside.processes.start({ command: 'sleep 300', onOutput() {}, contain });`,
  );
  const mine = join(place.root, 'tmp');
  mkdirSync(mine);
  const child = spawn(process.execPath, [owner], { stdio: 'ignore', env: { ...env, TMPDIR: mine } });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => readdirSync(project).sort()).toEqual(['.tau', 'up']);
  expect(readdirSync(mine)).not.toEqual([]);
  child.kill('SIGKILL');
  await expect.poll(() => readdirSync(project)).toEqual(['up']);
  await expect.poll(() => processesOf(place)).toEqual([]);
  await expect.poll(() => readdirSync(mine)).toEqual([]);
});

test('secrets stay outside by name and by value, and what the user sets for commands stays in', async () => {
  const given = {
    ...env,
    HOME: place.root,
    GITHUB_TOKEN: 'stray-1',
    MY_API_KEY: 'stray-2',
    DB_PASSWORD: 'stray-3',
    AWS_PROFILE: 'stray-4',
    DATABASE_URL: 'postgres://me:stray-5@db/x',
    HARMLESS: 'sk-1234567890abcdef stray-6',
    SSH_AUTH_SOCK: '/tmp/stray-7',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/stray-8',
    LANG: 'C.UTF-8',
    KEYBOARD: 'kept',
  };
  const isSecret = (value: string) => value.startsWith('sk-');
  const on = contained({
    env: given,
    commandEnv: { MY_TEST_TOKEN: 'wanted' },
    sandbox: async () => openSandbox(facts, { env: given, isSecret }),
  });
  const { output } = await run('env', { on, env: { ALSO_KEY: 'wanted too' } });
  await on.processes.end();
  expect(output).not.toMatch(/stray/);
  expect(output).toMatch(/^MY_TEST_TOKEN=wanted$/m);
  expect(output).toMatch(/^ALSO_KEY=wanted too$/m);
  expect(output).toMatch(/^KEYBOARD=kept$/m);
  expect(output).toMatch(/^LANG=C.UTF-8$/m);
});

test('without a sandbox nothing runs, and when it cannot be made nothing runs either', async () => {
  const none = localHost({ cwd: place.project, env });
  await expect(run('echo x > ran', { on: none })).rejects.toThrow('there is no sandbox here');
  const wrong = contained({
    sandbox: async () => openSandbox({ ...facts, path: '/bin/false' }, { env }),
  });
  await expect(run('echo x > ran', { on: wrong })).rejects.toThrow('it did not run');
  const missing = contained({
    sandbox: async () => openSandbox({ ...facts, path: '/no/such/bwrap' }, { env }),
  });
  await expect(run('echo x > ran', { on: missing })).rejects.toThrow(TauError);
  const prefix = { prefix: [], env: {}, binds: [{ from: '/no/such/socket', to: '/tmp/s' }] };
  await expect(run('echo x > ran', { network: prefix })).rejects.toThrow(/did not run: bubblewrap: .*no\/such\/socket/);
  let told = '';
  const job = await wrong.processes.start({
    command: 'echo x > ran',
    contain: policy(),
    onOutput: (text) => (told += text),
  });
  expect(await job.ended).toMatchObject({ exitCode: 126 });
  expect(told).toContain('it did not run');
  for (const one of [none, wrong, missing]) await one.processes.end();
  expect(readdirSync(place.project)).toEqual([]);
});

test('a socket in a folder that only another user enters keeps no command from running', async () => {
  const closed = join(place.root, 'closed');
  mkdirSync(closed);
  const server = createServer().listen(join(closed, 'agent.sock'));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  chmodSync(closed, 0o700);
  // Only root can give it away; for everybody else it is a folder of their own.
  if (process.getuid?.() === 0) chownSync(closed, 65_534, 65_534);
  expect(await run('echo fine')).toMatchObject({ exitCode: 0, output: 'fine\n' });
});

test('what is to be hidden and is gone when the sandbox is made is looked up again, and nobody hears of it', async () => {
  const socket = join(place.outside, 'agent.sock');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // Takes the socket away at the last moment, as its owner might.
  const path = join(place.root, 'bwrap');
  writeFileSync(path, `#!/bin/sh\necho x >> ${place.root}/tries\nrm -f ${socket}\nexec ${facts.path} "$@"\n`, {
    mode: 0o755,
  });
  const on = contained({ sandbox: async () => openSandbox({ ...facts, path }, { env }) });
  const { output, exitCode } = await run('echo once | tee -a made', { on });
  expect({ output, exitCode }).toEqual({ output: 'once\n', exitCode: 0 });
  // Somebody else's socket may have gone as well.
  const tries = () => readFileSync(join(place.root, 'tries'), 'utf8').split('\n').length - 1;
  expect(tries()).toBeGreaterThan(1);
  expect(readFileSync(join(place.project, 'made'), 'utf8')).toBe('once\n');
  // In the project the program makes a place for its mount instead, which is gone afterwards.
  const within = createServer().listen(join(place.project, 'dev.sock'));
  await once(within, 'listening');
  onTestFinished(() => void within.close());
  const looks = join(place.root, 'looks');
  writeFileSync(path, `#!/bin/sh\necho x >> ${looks}\nrm -f ${place.project}/dev.sock\nexec ${facts.path} "$@"\n`);
  const listed = await run('ls', { on });
  // At a second look it is not there: one was taken if a socket elsewhere on the machine went in the same moment.
  const isFirst = readFileSync(looks, 'utf8') === 'x\n';
  expect(listed).toMatchObject({ exitCode: 0, output: isFirst ? 'dev.sock\nmade\n' : 'made\n' });
  expect(readdirSync(place.project)).toEqual(['made']);
  // A fourth look is not taken.
  const before = tries();
  writeFileSync(path, `#!/bin/sh\necho x >> ${place.root}/tries\necho "bwrap: no luck" >&2\nexit 1\n`);
  await expect(run('echo twice > made', { on })).rejects.toThrow('it did not run: bubblewrap: bwrap: no luck');
  await on.processes.end();
  expect(tries() - before).toBe(3);
});

test('a command that complains in the words of the sandbox is heard', async () => {
  let complaint = '';
  const { signal } = new AbortController();
  const onError = (chunk: string) => (complaint += chunk);
  const command = 'echo "bwrap: mine" >&2; sleep 0.01; echo more >&2; exit 3';
  const request = { command, timeoutMs: 20_000, signal, contain: policy(), onOutput() {}, onError };
  expect(await host.processes.run(request)).toMatchObject({ exitCode: 3 });
  expect(complaint).toBe('bwrap: mine\nmore\n');
});

test('a witness says which files could not be changed, and whom nobody could reach', async () => {
  const { outside, project } = place;
  mkdirSync(join(project, '.git'));
  writeFileSync(join(project, '.git/config'), '');
  writeFileSync(join(outside, 'file'), '');
  symlinkSync(outside, join(project, 'link'));
  const commands = [
    `echo x > ${outside}/new`,
    'echo x >> link/file',
    `mkdir -p ${outside}/a/b`,
    'rm ../outside/file',
    'mv -f ok .git/config',
    'cd .. && touch here',
    `perl -MSocket -e 'socket(S,AF_INET,SOCK_STREAM,0); connect(S,pack_sockaddr_in(81,inet_aton("192.0.2.7")))'`,
  ].map((command) => `(${command})`);
  const fine = `echo x > ok; cat ${outside}/file > copy; rm copy; rm -f ${outside}/missing; mkdir -p ${outside}; echo > /dev/null; rm link`;
  const { violations } = await run([...commands.slice(0, 4), fine, ...commands.slice(4)].join('; '), {
    witness: true,
    readOnly: [join(project, '.git/config')],
  });
  expect(violations).toEqual([
    { what: 'write', path: join(outside, 'new') },
    { what: 'write', path: join(outside, 'file') },
    { what: 'write', path: join(outside, 'a') },
    { what: 'write', path: join(project, '.git/config') },
    { what: 'write', path: join(place.root, 'here') },
    { what: 'connect', host: '192.0.2.7', port: 81 },
  ]);
  expect((await run('echo x > f; exit 4', { witness: true })).violations).toEqual([]);
});

test('a protected file that somebody outside replaces stays protected for who runs already', async () => {
  const config = join(place.project, '.git/config');
  mkdirSync(join(place.project, '.git'));
  writeFileSync(config, 'old');
  const { output, violations } = await run(
    'echo up; until grep -q new .git/config; do sleep 0.02; done; echo evil > .git/config; echo evil > e; mv e .git/config; cat .git/config',
    {
      ...{ witness: true, readOnly: [config] },
      onOutput() {
        writeFileSync(`${config}.lock`, 'new');
        renameSync(`${config}.lock`, config);
      },
    },
  );
  expect(output).toMatch(/new$/);
  expect(readFileSync(config, 'utf8')).toBe('new');
  expect(violations).toEqual([{ what: 'write', path: config }]);
});

test('a witness changes nothing about the environment of a command, and nothing in it changes the witness', async () => {
  const given = { ...env, LC_ALL: 'C.UTF-8', PERL5OPT: '-MNo::Such', PERLIO: '', ODD: 'a\nb ü=,', 'dash-name': '1' };
  const on = contained({ env: given, sandbox: async () => openSandbox(facts, { env: given }) });
  const look = 'tr "\\0" "\\1" < /proc/$$/environ | tr "\\1" "\\n" | sort; ulimit -a; umask; echo "$0 $-"';
  const [plain, watched] = [await run(look, { on }), await run(`${look}; echo x > ../x`, { on, witness: true })];
  await on.processes.end();
  expect(plain.output).toMatch(/^LC_ALL=C.UTF-8$/m);
  expect(plain.output).toMatch(/^PERL5OPT=-MNo::Such$/m);
  expect(watched.output.startsWith(plain.output)).toBe(true);
  expect(watched.violations).toHaveLength(1);
});

test('a witness changes nothing about the end of a command', async () => {
  expect(await run('exit 4', { witness: true })).toMatchObject({ exitCode: 4 });
  expect(await run('kill -KILL $$', { witness: true })).toMatchObject({ exitCode: 137 });
  // It is stopped when it is ready for that, and ends before its second is over, however slow it is here.
  const time = holdTimers(5000);
  holdTimers(1000);
  const stopped = await run('trap "echo bye; exit 7" TERM; echo; while :; do sleep 0.02; done', {
    witness: true,
    timeoutMs: 5000,
    onOutput: time.strike,
  });
  expect(stopped).toMatchObject({ killedBy: 'timeout', exitCode: 7 });
  expect(stopped.output).toContain('bye');
});

test('a protected link that was replaced is put back, and that is told', async () => {
  const { project } = place;
  mkdirSync(join(project, 'shared'));
  symlinkSync('shared', join(project, '.claude'));
  const { violations } = await run('rm .claude && mkdir .claude && echo evil > .claude/settings.json', {
    readOnly: [join(project, '.claude')],
  });
  expect(readlinkSync(join(project, '.claude'))).toBe('shared');
  const aside = join(project, '.claude.refused');
  expect(violations).toEqual([{ what: 'write', path: join(project, '.claude'), happened: true, aside }]);
  expect(readFileSync(join(aside, 'settings.json'), 'utf8')).toBe('evil\n');
});

test('a listener that fails loses neither the result of a command nor what is put right after it', async () => {
  const { project } = place;
  const at = (name: string) => join(project, name);
  const command = 'echo evil > .envrc; mkdir .vscode; echo ran; exit 3';
  let output = '';
  const ended = await host.processes.run({
    command,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    contain: policy({ readOnly: ['.envrc', '.vscode', '.tau'].map(at) }),
    onOutput: (chunk) => (output += chunk),
    onViolation() {
      throw new Error('nobody listens');
    },
  });
  expect([ended.exitCode, output]).toEqual([3, 'ran\n']);
  expect(readdirSync(project).sort()).toEqual(['.envrc.refused', '.vscode.refused']);
});

test('who fills the disk is stopped before it is full, with a word on why', async () => {
  const { bavail, bsize } = statfsSync(place.project);
  const leaveFree = bavail * bsize - 20_000_000;
  const on = contained({ sandbox: async () => openSandbox(facts, { env, leaveFree }) });
  const fill = 'trap "" TERM; head -c 200000000 /dev/zero > big; head -c 200000000 /dev/zero > /tmp/big; sleep 60';
  const stopped = await run(fill, { on });
  await on.processes.end();
  expect(stopped).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  expect(stopped.output).toMatch(/The command was stopped: only \d+ MB are free on the disk of /);
});

test('who has too many processes is stopped with all of them, whoever they are, with a word on why', async () => {
  const on = contained({ sandbox: async () => openSandbox(facts, { env, mostProcesses: 30 }) });
  const few = await run('for i in $(seq 15); do sleep 0.4 & done; wait; echo fine', { on });
  expect(few).toMatchObject({ exitCode: 0, output: 'fine\n' });
  const stopped = await run('for i in $(seq 60); do (trap "" TERM; exec sleep 60) & done; wait', { on });
  await on.processes.end();
  expect(stopped).toMatchObject({
    exitCode: null,
    signal: 'SIGKILL',
    output: '\nThe command was stopped: it has more than 30 processes.\n',
  });
  await expect.poll(() => processesOf(place)).toEqual([]);
});

test('a project in a temporary folder is where it is, and its neighbours are not seen', async () => {
  const parent = join(tmpdir(), `tau-in-temp-${process.pid}`);
  mkdirSync(join(parent, 'project'), { recursive: true });
  writeFileSync(join(parent, 'secret'), 'a secret');
  writeFileSync(join(parent, 'shown'), 'shown');
  onTestFinished(() => execFileSync('rm', ['-rf', parent]) && undefined);
  const on = contained({ cwd: join(parent, 'project') });
  const { output } = await run('pwd; echo x > f; ls ..; cat ../shown; echo y > ../shown || true', {
    on,
    writable: [join(parent, 'project')],
    shown: [join(parent, 'shown'), join(parent, 'not there')],
  });
  await on.processes.end();
  expect(output).toMatch(
    new RegExp(`^${join(parent, 'project')}\nproject\nshown\nshown.*Read-only file system\n$`, 's'),
  );
  expect(readFileSync(join(parent, 'project/f'), 'utf8')).toBe('x\n');
});

test('twenty commands leave no process, no mount and no file behind', async () => {
  const mounts = () => readFileSync('/proc/self/mountinfo', 'utf8');
  const temp = join(place.root, 'tmp');
  mkdirSync(temp);
  vi.stubEnv('TMPDIR', temp);
  onTestFinished(() => void vi.unstubAllEnvs());
  const on = contained();
  await run('true', { on });
  const before = { mounts: mounts(), kept: readdirSync(temp), listeners: process.listenerCount('exit') };
  for (let round = 0; round < 5; round++) {
    const more = { on, readOnly: [join(place.project, '.git')], witness: round % 2 === 0 };
    const all = ['echo a', 'sleep 100 &', 'mkdir .git; exit 1', 'echo > f; rm f'].map((command) => run(command, more));
    await Promise.all(all);
  }
  expect(readdirSync(place.project)).toEqual([]);
  expect({ mounts: mounts(), kept: readdirSync(temp), listeners: process.listenerCount('exit') }).toEqual(before);
  const others = () => processesOf(place).filter((line) => !line.includes('tau-helper'));
  await expect.poll(() => others()).toEqual([]);
  await on.processes.end();
  expect(readdirSync(temp)).toEqual([]);
  await expect.poll(() => processesOf(place)).toEqual([]);
});

test('to a command that is proved to only read, a hidden folder is empty and closed; what it forces in is memory, and little', async () => {
  const keys = join(place.root, 'keys');
  mkdirSync(keys);
  writeFileSync(join(keys, 'id'), 'a key');
  const closed = { writable: [], unreadable: [keys] };
  const { output } = await run(`cat ${keys}/id; ls -a ${keys}; echo x > ${keys}/x; mkdir ${keys}/y`, closed);
  expect(output.split('\n').map((line) => line.replace(/.*: /, ''))).toEqual([
    'No such file or directory',
    ...['.', '..'],
    ...['Permission denied', 'Permission denied'],
    '',
  ]);
  const forced = await run(`chmod u+w ${keys}; head -c 100000 /dev/zero > ${keys}/x; wc -c < ${keys}/x`, closed);
  expect(Number(forced.output.match(/^(\d+)$/m)?.[1] ?? 0)).toBeLessThanOrEqual(4096);
  expect(readdirSync(keys)).toEqual(['id']);
});

test('to a command that is proved to only read, the usual devices are there, and no others', async () => {
  expect((await run('ls /dev', { writable: [], witness: true })).output).toContain('ptmx\n');
  const { output } = await run(
    'ls /dev | sort | paste -sd" "; echo x > /dev/null; head -c 4 /dev/zero | wc -c; head -c 3 /dev/random | wc -c; cat <(echo s); head -c 9000 /dev/zero > /dev/x; wc -c < /dev/x',
    { writable: [] },
  );
  expect(output).toBe(
    `fd null random shm stderr stdin stdout urandom zero\n4\n3\ns\nhead: error writing 'standard output': No space left on device\n4096\n`,
  );
});
