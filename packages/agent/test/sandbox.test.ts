/** What a command may do in the sandbox, who is asked about hosts, and what is kept of a self-test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Decision, ResolvedEffect, RunEvent } from '@tau/core';
import { allowsPrivate } from '@tau/host';
import { guardedPlaces, type PathScope } from '@tau/policy';
import { afterAll, expect, test } from 'vitest';
import { findHome } from '../src/config/home.ts';
import { commandPolicy } from '../src/sandbox/command-policy.ts';
import { findSandbox } from '../src/sandbox/find.ts';
import { createHostAsker } from '../src/sandbox/hosts.ts';
import { readTestRecord, writeTestRecord } from '../src/sandbox/test-record.ts';
import { sandboxUse } from '../src/sandbox/use.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-sandbox-unit-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const scope: PathScope = {
  roots: ['/w/app', '/w/added'],
  temp: ['/tmp'],
  toolchain: ['/usr'],
  home: '/home/me',
  tauHome: '/home/me/.tau',
};
const there = [
  '/',
  '/w',
  '/w/app',
  '/w/app/.git',
  '/w/app/.git/hooks',
  '/home/me',
  '/home/me/notes',
  '/home/me/notes/a',
  '/srv',
];
const exists = (path: string) => there.includes(path);
const guarded = guardedPlaces(scope, [], (path) => path === '/w/app/.git');
const realOf = (path: string) =>
  path.startsWith('/tmp/l/') ? path.replace('/tmp/l', '/home/me/.ssh') : path.includes('..') ? '/etc/x' : path;
const session = { scope, guarded, exists, realOf, writable: ['/cache'], unreadable: ['/private'] };
const exec = (more: object = {}): ResolvedEffect => ({ kind: 'exec', command: 'x', readOnly: false, ...more });
const write = (path: string): ResolvedEffect => ({ kind: 'write', path, resolved: path });
const policyOf = (effects: readonly ResolvedEffect[], command = 'x', looksOnly = false) =>
  commandPolicy(session, { command, effects, looksOnly });

test('a command writes where the session does, and nothing that it says widens that', () => {
  const policy = policyOf([exec()], 'cd /srv && make');
  expect(policy.writable).toEqual(['/w/app', '/w/added', '/cache']);
  expect(policy.readOnly).toEqual(expect.arrayContaining(['/w/app/.git/hooks', '/w/app/.vscode', '/w/added/.git']));
  expect(policy.readOnly).not.toContain('/w/app/.git');
  expect(policy.unreadable).toEqual(expect.arrayContaining(['/home/me/.ssh', '/home/me/.tau/auth.json', '/private']));
  expect(policy.witness).toBe(true);
});

test('what lies in another open place is not opened by its own path, unless something closed is between', () => {
  const scoped = { ...scope, roots: ['/w/app', '/w/app/a/sub'] };
  const writable = ['/w/app/build/cache', '/w/app/.vscode/open', '/cache', '/cache/sub', '/tmp'];
  const nested = commandPolicy(
    { ...session, scope: scoped, writable },
    { command: 'x', effects: [], looksOnly: false },
  );
  expect(nested.writable).toEqual(['/w/app', '/w/app/.vscode/open', '/cache', '/tmp']);
  expect(policyOf([exec(), write('/cache/sub/new')]).writable).toEqual(['/w/app', '/w/added', '/cache']);
});

test('what is proved to only read has nothing to write to, and nobody looks on', () => {
  expect(policyOf([exec({ readOnly: true })])).toMatchObject({ writable: [], witness: false });
});

test('a write outside that was allowed opens the file, or the folder a new one comes into', () => {
  expect(policyOf([exec(), write('/home/me/notes/a')]).writable).toContain('/home/me/notes/a');
  expect(policyOf([exec(), write('/home/me/notes/new')]).writable).toContain('/home/me/notes');
  expect(policyOf([exec(), write('/home/me/notes/new/deep')]).writable).toContain('/home/me/notes');
});

test('a folder that holds more than the command should see opens only for a command of which all is known', () => {
  expect(policyOf([exec(), write('/home/me/new')]).writable).not.toContain('/home/me');
  expect(policyOf([exec({ known: true }), write('/home/me/new')]).writable).toContain('/home/me');
  expect(policyOf([exec({ known: true }), write('/new')]).writable).not.toContain('/');
});

test('what is guarded opens for a write that was allowed by name, and its neighbours stay closed', () => {
  const hook = policyOf([exec(), write('/w/app/.git/hooks/pre-commit')]);
  expect(hook.writable).toContain('/w/app/.git/hooks');
  // Of equal places the stricter word counts.
  expect(hook.readOnly).not.toContain('/w/app/.git/hooks');
  expect(hook.readOnly).toContain('/w/app/.git/config');
  const file = commandPolicy(
    { ...session, exists: (path) => path === '/w/app/.envrc' },
    { command: 'x', effects: [exec(), write('/w/app/.envrc')], looksOnly: false },
  );
  expect(file.writable).toContain('/w/app/.envrc');
  expect(file.readOnly).not.toContain('/w/app/.envrc');
  const fresh = policyOf([exec(), write('/w/app/.vscode/tasks.json')]);
  expect(fresh.readOnly).not.toContain('/w/app/.vscode');
  expect(fresh.readOnly).toContain('/w/app/.envrc');
  expect(fresh.writable).toEqual(['/w/app', '/w/added', '/cache']);
});

test('no folder of the shared temporary one is opened: others write to it, and a link could wait there', () => {
  const [folder, file] = ['/tmp/d/new', '/tmp/d/there'];
  const mine = { ...session, exists: (path: string) => ['/tmp', '/tmp/d', file].includes(path) };
  const opened = (path: string) =>
    commandPolicy(mine, { command: 'x', effects: [exec(), write(path)], looksOnly: false }).writable.slice(3);
  expect(opened(folder)).toEqual([]);
  expect(opened(file)).toEqual([file]);
});

test('in plan mode nothing is writable, whatever was allowed', () => {
  const policy = policyOf([exec(), write('/home/me/notes/a')], 'x', true);
  expect(policy.writable).toEqual([]);
});

test('files of the shared temporary folder that a command names are shown to it, and no other', () => {
  const { shown } = policyOf(
    [exec()],
    'tail -n 5 "/tmp/tau-out-1/output.log" > /tmp/../etc/x; cat /tmpfile /w/app/tmp /tmp/l/id',
  );
  expect(shown).toEqual(['/tmp/tau-out-1/output.log']);
});

test('where the project holds home or the system, what starts with them is guarded as it is elsewhere', () => {
  const readOnlyIn = (root: string) => guardedPlaces({ ...scope, roots: [root] }, [], () => false).readOnly;
  const ofHome = ['/home/me/.bashrc', '/home/me/.gitconfig', '/home/me/.config/systemd', '/home/me/bin'];
  for (const root of ['/home/me', '/home', '/']) expect(readOnlyIn(root)).toEqual(expect.arrayContaining(ofHome));
  expect(readOnlyIn('/')).toEqual(expect.arrayContaining(['/etc', '/usr', '/bin', '/var/spool', '/home/me/.tau']));
  expect(readOnlyIn('/usr')).not.toContain('/usr');
  expect(readOnlyIn('/home/me/app')).not.toContain('/home/me/.bashrc');
  // Three names make a folder a repository, with settings of its own.
  expect(readOnlyIn('/home/me/app')).toContain('/home/me/app/HEAD');
});

test('a folder that is opened is guarded like the project, and what starts with the user in it too', () => {
  const guardsOf = (...writable: string[]) =>
    guardedPlaces({ ...scope, writable }, [], (path) => !path.includes('file')).readOnly;
  expect(guardsOf('/home/me/out')).toEqual(
    expect.arrayContaining(['/home/me/out/.envrc', '/home/me/out/HEAD', '/home/me/out/.git/hooks']),
  );
  expect(guardsOf('/home/me/out')).not.toContain('/home/me/.bashrc');
  expect(guardsOf('/home/me/file')).toEqual(guardsOf());
  for (const wide of ['/home/me', '/home', '/']) expect(guardsOf(wide)).toContain('/home/me/.bashrc');
  expect(guardsOf('/')).toContain('/etc');
  expect(guardsOf('/home/me/.config')).toContain('/home/me/.config/systemd');
  // Who names the very place means it.
  expect(guardsOf('/home/me/.local')).toContain('/home/me/.local/bin');
  expect(guardsOf('/home/me/.local', '/home/me/.local/bin')).not.toContain('/home/me/.local/bin');
});

test('rules that deny a plain path are kept by the sandbox too', () => {
  const rule = { outcome: 'deny', text: '', written: '' } as const;
  const found = guardedPlaces(
    scope,
    [
      { ...rule, tool: 'read', pattern: { kind: 'exact', value: './secret.txt' } },
      { ...rule, tool: 'edit', pattern: { kind: 'prefix', value: 'vendor' } },
      { ...rule, tool: 'read', pattern: { kind: 'wildcard', value: '**/*.pem' } },
    ],
    () => false,
  );
  expect(found.unreadable).toContain('/w/app/secret.txt');
  expect(found.readOnly).toContain('/w/app/vendor');
});

const net = (host: string): ResolvedEffect => ({ kind: 'net', host });

type Asked = (signal: AbortSignal) => Promise<Answer>;

function hostAsker(outcome: Decision['outcome'], answer: Answer | Asked, more: object = {}) {
  const events: RunEvent[] = [];
  const asking: boolean[] = [];
  const decided: (Answer | undefined)[] = [];
  const { mayConnect } = createHostAsker({
    permission: {
      decide: (_call, _source, effects) => ({ outcome, reason: 'because', effects, class: 'network', ...more }),
    },
    settings: () => ({
      sandbox: { registries: ['npm', 'nonsense'] },
      webFetch: { privateHosts: ['10.0.0.7:8080', '127.0.0.1:8080'] },
    }),
    ask: async (_ask, signal) => (typeof answer === 'function' ? answer(signal) : answer),
    decided: (_call, _decision, given) => void decided.push(given),
    emit: (event) => void events.push(event),
    everyHost: () => false,
    asking: (_id, now) => void asking.push(now),
    callOf: (id) =>
      ({
        plain: { toolCallId: 'c', command: 'x' },
        contained: {
          toolCallId: 'c',
          command: 'x',
          decided: { effects: [net('*')], contained: true },
        },
        approved: {
          toolCallId: 'c',
          command: 'x',
          decided: {
            effects: ['*', 'named.example', '192.168.7.7', '127.0.0.1'].map(net),
            contained: false,
          },
        },
        hook: { toolCallId: '', command: 'x', own: true },
      })[id],
  });
  const ask = (id: string, host = 'a.example', { port = 443, signal = new AbortController().signal } = {}) =>
    mayConnect({ host, port }, id, signal);
  return { ask, asking, decided, asked: () => events.filter(({ type }) => type === 'permission_request').length };
}

test('two commands that want the same host at the same time are one question, and both get its answer', async () => {
  const answers: ((answer: Answer) => void)[] = [];
  const asker = hostAsker('ask', (signal) => {
    signal.addEventListener('abort', () => answers.shift()?.({ outcome: 'deny' }));
    return new Promise((resolve) => void answers.push(resolve));
  });
  const both = Promise.all([asker.ask('plain'), asker.ask('contained', 'a.example', { port: 80 })]);
  const other = asker.ask('contained', 'b.example');
  await expect.poll(() => asker.asked()).toBe(2);
  answers.shift()?.({ outcome: 'allow', scope: 'once' });
  expect(await both).toEqual([{ allowed: true }, { allowed: true }]);
  answers.shift()?.({ outcome: 'deny' });
  expect(await other).toMatchObject({ allowed: false });
  expect(asker.decided).toHaveLength(3);
  // The command on whose behalf it was asked is over: the other one asks for itself.
  const over = new AbortController();
  const first = asker.ask('plain', 'c.example', over);
  const second = asker.ask('contained', 'c.example');
  await expect.poll(() => asker.asked()).toBe(3);
  over.abort();
  expect(await first).toMatchObject({ allowed: false });
  await expect.poll(() => asker.asked()).toBe(4);
  answers.shift()?.({ outcome: 'allow' });
  expect(await second).toEqual({ allowed: true });
  expect(asker.asking.filter(Boolean)).toHaveLength(5);
});

test('a host is asked about unless a yes covers it: to a command that names it, to a registry, or by a rule', async () => {
  const no = hostAsker('ask', { outcome: 'deny', feedback: 'too far' });
  expect(await no.ask('plain')).toEqual({ allowed: false, reason: 'the user said no: too far' });
  // Meanwhile the command's time stands still.
  expect(no.asking).toEqual([true, false]);
  // Nobody says yes to hosts that nobody knows, neither the sandbox nor who allows the command.
  expect(await no.ask('contained')).toMatchObject({ allowed: false });
  expect(await no.ask('approved')).toMatchObject({ allowed: false });
  expect(no.asked()).toBe(3);
  expect(await no.ask('approved', 'named.example')).toEqual({ allowed: true });
  expect(await no.ask('plain', 'registry.npmjs.org')).toEqual({ allowed: true });
  expect(await no.ask('gone')).toEqual({ allowed: false, reason: 'its command is over' });
  expect(no.asked()).toBe(3);
  expect(await hostAsker('allow', { outcome: 'deny' }).ask('plain')).toEqual({ allowed: true });
  expect(await hostAsker('ask', { outcome: 'allow' }).ask('plain')).toEqual({ allowed: true });
});

test('a rule that denies beats every yes, and on behalf of a hook nobody is asked', async () => {
  const denied = hostAsker('deny', { outcome: 'allow' }, { rule: 'network(domain:a.example)' });
  expect(await denied.ask('approved', 'named.example')).toEqual({ allowed: false, reason: 'because' });
  const hook = hostAsker('ask', { outcome: 'allow' });
  expect(await hook.ask('hook')).toEqual({
    allowed: false,
    reason: 'nobody is asked on behalf of a hook; what allows it beforehand is the rule network(domain:a.example)',
  });
  expect(hook.asked()).toBe(0);
});

test('nobody is asked about a private address: only the settings open one, and then it is asked about like any other', async () => {
  const yes = hostAsker('ask', { outcome: 'allow' });
  for (const host of ['169.254.169.254', '10.0.0.8', '127.0.0.1', 'localhost', '::1', 'fd00:ec2::254']) {
    const reason = expect.stringMatching(/not a public address.*webFetch\.privateHosts/);
    expect(await yes.ask('plain', host), host).toEqual({ allowed: false, reason });
  }
  expect(yes.asked()).toBe(0);
  // What a rule, or the words of an approved command, allow is no more.
  expect(await hostAsker('allow', { outcome: 'allow' }).ask('plain', '10.0.0.8')).toMatchObject({ allowed: false });
  expect(await yes.ask('approved', '192.168.7.7')).toMatchObject({ allowed: false });
  expect(await yes.ask('plain', '10.0.0.7', { port: 8080 })).toEqual({ allowed: true });
  expect(await yes.ask('plain', '10.0.0.7')).toMatchObject({ allowed: false });
  expect(yes.asked()).toBe(1);
  // Its words mean loopback as the session has it.
  expect(await yes.ask('approved', '127.0.0.1', { port: 8080 })).toEqual({ allowed: true });
  expect(yes.asked()).toBe(2);
});

test('private hosts are named with a port or without', () => {
  const allowed = (target: { host: string; port: number }) =>
    allowsPrivate(target, ['localhost:8080', '[::1]', 'db', '2130706433']);
  expect(allowed({ host: 'localhost', port: 8080 })).toBe(true);
  expect(allowed({ host: 'localhost', port: 80 })).toBe(false);
  expect(allowed({ host: '::1', port: 1 })).toBe(true);
  expect(allowed({ host: 'db.example', port: 1 })).toBe(false);
  // In the spelling that addresses have.
  expect(allowed({ host: '127.0.0.1', port: 1 })).toBe(true);
});

test('what is kept of a self-test counts for the same thing only, and what is damaged counts as nothing', () => {
  const path = join(root, 'kept/sandbox.json');
  const result = { works: false as const, reason: 'no', remedy: 'do' };
  writeTestRecord(path, { key: 'k', testedAt: 5, result });
  expect(readTestRecord(path, 'k')).toEqual({ key: 'k', testedAt: 5, result });
  expect(readTestRecord(path, 'other')).toBeUndefined();
  for (const text of ['{', '[]', '{"key":"k","testedAt":5,"result":{"works":true,"facts":{"backend":"bubblewrap"}}}']) {
    writeFileSync(path, text);
    expect(readTestRecord(path, 'k')).toBeUndefined();
  }
});

test('it is off with a reason where the user, the settings or the system say so', async () => {
  const cwd = join(root, 'project');
  mkdirSync(cwd, { recursive: true });
  const place = { env: { PATH: process.env.PATH }, home: findHome({ HOME: root }), cwd, settings: {}, keep: false };
  expect((await findSandbox({ ...place, wanted: false })).state).toEqual({ on: false, reason: '--no-sandbox says so' });
  expect((await findSandbox({ ...place, settings: { sandbox: { enabled: false } } })).state.on).toBe(false);
  const other = process.platform === 'darwin' ? 'bubblewrap' : 'seatbelt';
  const found = await findSandbox({
    ...place,
    wanted: true,
    settings: { sandbox: { enabled: false, backend: other } },
  });
  expect(found).toMatchObject({ required: true, state: { on: false, reason: expect.stringContaining(other) } });
  const off = sandboxUse(found);
  expect(() => off.refuse()).toThrow(/in a sandbox or not at all/);
  expect(() => off.turn(true)).toThrow(/cannot be switched on/);
});

test('another agent is told to hold its commands where these are held', () => {
  const on = { on: true, backend: 'bubblewrap' } as const;
  const off = { on: false, reason: 'no' } as const;
  expect(sandboxUse({ state: on, required: false }).wish('auto')).toBe(true);
  expect(sandboxUse({ state: on, required: false }).wish('dangerously')).toBeUndefined();
  expect(sandboxUse({ state: on, required: true }).wish('dangerously')).toBe(true);
  expect(sandboxUse({ state: off, required: true }).wish('auto')).toBe(true);
  expect(sandboxUse({ state: off, required: false, refused: true }).wish('auto')).toBe(false);
  expect(sandboxUse({ state: off, required: false }).wish('auto')).toBeUndefined();
  const switched = sandboxUse({ state: on, required: false });
  switched.turn(false);
  expect(switched.wish('auto')).toBe(false);
});

test('it holds commands in every mode but dangerously, and there too when it was asked for', () => {
  const state = { on: true, backend: 'bubblewrap' };
  const free = sandboxUse({ state, required: false });
  expect([free.holds('auto'), free.holds('default'), free.holds('dangerously')]).toEqual([true, true, false]);
  expect(sandboxUse({ state, required: true }).holds('dangerously')).toBe(true);
  expect([free.usualMode(true), free.usualMode(false)]).toEqual(['auto', 'default']);
  free.turn(false);
  expect(free.state()).toEqual({ on: false, reason: 'it was switched off in this session' });
  expect(free.usualMode(true)).toBe('default');
});
