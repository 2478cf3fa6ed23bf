/** What the user allowed for a session or for good: where it is kept, when it counts again, and when it must not. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Ask } from '@tau/core';
import { expect, test } from 'vitest';
import { openGrants } from '../src/index.ts';
import { call, collect, says, type Workbench, workbench } from './workbench.ts';

const write = (path: string) => call('write', { path, content: path });
const allow = (scope: 'session' | 'always') => async (): Promise<Answer> => ({ outcome: 'allow', scope });

/** Says no, and remembers what it was asked. */
function refuser() {
  const asked: unknown[] = [];
  const ask = async ({ input }: Ask): Promise<Answer> => {
    asked.push(input.path);
    return { outcome: 'deny' };
  };
  return { asked, ask };
}

const grantsOf = ({ home, project }: Pick<Workbench, 'home' | 'project'>) =>
  openGrants({ env: { HOME: home }, cwd: project });

async function sessionWithGrant(steps: Parameters<typeof workbench>[0]) {
  const bench = await workbench([write('a'), says('ok'), ...steps], { ask: allow('session') });
  await bench.agent.prompt('go').outcome;
  await bench.agent.close();
  const path = bench.agent.sessionPath ?? '';
  return { ...bench, path };
}

test.each([
  ['continued', () => 'continue' as const],
  ['opened by its id', (path: string) => ({ open: /([0-9a-f-]{36})\.jsonl$/.exec(path)?.[1] ?? '' })],
  ['opened by its path', (path: string) => ({ open: path })],
  ['forked', (path: string) => ({ fork: path })],
])('a grant of the session counts again when the session is %s', async (_, choose) => {
  const { another, path } = await sessionWithGrant([write('a'), write('b'), says('ok')]);
  const { asked, ask } = refuser();
  const agent = await another({ ask, session: choose(path) });
  expect(agent.rules()).toEqual([{ outcome: 'allow', rule: 'write(a)', origin: 'session' }]);
  expect(agent.warnings).toEqual([]);
  await agent.prompt('go').outcome;
  expect(asked).toEqual(['b']);
});

test('a new session knows nothing of what another one allowed', async () => {
  const { another } = await sessionWithGrant([write('a'), says('ok')]);
  const { asked, ask } = refuser();
  await (await another({ ask })).prompt('go').outcome;
  expect(asked).toEqual(['a']);
});

test('a session file from elsewhere grants nothing, and that is said', async () => {
  const { another, path, project } = await sessionWithGrant([write('a'), says('ok')]);
  const foreign = join(project, 'given.jsonl');
  copyFileSync(path, foreign);
  const { asked, ask } = refuser();
  const agent = await another({ ask, session: { open: foreign } });
  expect(agent.rules()).toEqual([]);
  expect(agent.warnings).toEqual([expect.stringMatching(/write\(a\).*does not count/)]);
  await agent.prompt('go').outcome;
  expect(asked).toEqual(['a']);
});

test('a copy of a foreign session does not make its grants the user’s own, today or tomorrow', async () => {
  const { another, path, project } = await sessionWithGrant([says('ok'), write('a'), says('ok')]);
  const foreign = join(project, 'given.jsonl');
  copyFileSync(path, foreign);
  const copy = await another({ session: { fork: foreign } });
  expect(copy.rules()).toEqual([]);
  await copy.prompt('go').outcome;
  await copy.close();
  const { asked, ask } = refuser();
  const later = await another({ ask, session: { open: copy.sessionPath ?? '' } });
  expect(later.rules()).toEqual([]);
  await later.prompt('go').outcome;
  expect(asked).toEqual(['a']);
});

test('a session folder in the project, where tools may write, grants nothing', async () => {
  const bench = await workbench([write('a'), says('ok')], { ask: allow('session') });
  const sessionDir = join(bench.project, 'sessions');
  const first = await bench.another({ ask: allow('session'), sessionDir });
  await first.prompt('go').outcome;
  await first.close();
  const again = await bench.another({ sessionDir, session: 'continue' });
  expect(again.rules()).toEqual([]);
  expect(again.warnings.join()).toContain('does not count');
});

test('a session file that others can write grants nothing', async () => {
  const { another, path } = await sessionWithGrant([]);
  chmodSync(path, 0o666);
  expect((await another({ session: 'continue' })).rules()).toEqual([]);
});

test('what was allowed in another folder does not count in this one', async () => {
  const { another, path, project } = await sessionWithGrant([]);
  const text = readFileSync(path, 'utf8').replaceAll(`"cwd":"${project}","rules"`, '"cwd":"/elsewhere","rules"');
  writeFileSync(path, text);
  const agent = await another({ session: { open: path } });
  expect(agent.rules()).toEqual([]);
  expect(agent.warnings.join()).toContain('in another folder');
});

test('a rule that the user denies on the way holds when the session goes on, whoever kept its file', async () => {
  const bench = await workbench([says('ok')]);
  bench.agent.deny('write(a)');
  bench.agent.allow('write(b)');
  expect(bench.agent.sessionPath && readdirSync(join(bench.tauHome))).not.toContain('sessions');
  await bench.agent.prompt('go').outcome;
  await bench.agent.close();
  const foreign = join(bench.project, 'given.jsonl');
  copyFileSync(bench.agent.sessionPath ?? '', foreign);
  const both = await bench.another({ session: 'continue' });
  expect(both.rules().map(({ outcome, rule }) => `${outcome} ${rule}`)).toEqual(['deny write(a)', 'allow write(b)']);
  await both.close();
  const one = await bench.another({ session: { open: foreign } });
  expect(one.rules().map(({ outcome, rule }) => `${outcome} ${rule}`)).toEqual(['deny write(a)']);
});

test('an always is kept for this folder in a private file, and counts in its next sessions', async () => {
  const bench = await workbench([write('a'), says('ok'), write('a'), write('b'), says('ok')], { ask: allow('always') });
  const events = await collect(bench.agent.prompt('go'));
  expect(events.find(({ type }) => type === 'permission_response')).toMatchObject({ scope: 'always' });
  const path = join(bench.tauHome, 'permissions.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    version: 1,
    projects: { [bench.project]: { allow: ['write(a)'] } },
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(bench.agent.rules()).toEqual([{ outcome: 'allow', rule: 'write(a)', origin: 'always' }]);
  const { asked, ask } = refuser();
  await (await bench.another({ ask })).prompt('go').outcome;
  expect(asked).toEqual(['b']);
});

test('an always that cannot be saved counts for the session, and that is said', async () => {
  const bench = await workbench([write('a'), write('a'), says('ok')], { ask: allow('always') });
  let planted = false;
  bench.agent.subscribe(({ type }) => {
    if (type !== 'permission_request' || planted) return;
    mkdirSync(join(bench.tauHome, 'permissions.json'));
    planted = true;
  });
  const events = await collect(bench.agent.prompt('go'));
  expect(events.filter(({ type }) => type === 'permission_request')).toHaveLength(1);
  expect(events.find(({ type }) => type === 'permission_response')).toMatchObject({ scope: 'session' });
  expect(events.find(({ type }) => type === 'notice')).toMatchObject({
    level: 'warning',
    text: expect.stringMatching(/this session only.*permissions\.json/),
  });
});

test('what another process allows or denies for good counts from the next prompt on', async () => {
  const bench = await workbench([write('a'), says('ok'), write('a'), says('ok')], { permissionMode: 'acceptEdits' });
  await bench.agent.prompt('go').outcome;
  await grantsOf(bench).add('deny', ['write(a)']);
  const events = await collect(bench.agent.prompt('again'));
  expect(events.find(({ type }) => type === 'tool_execution_end')).toMatchObject({ result: { isError: true } });
  expect(bench.agent.rules()).toEqual([{ outcome: 'deny', rule: 'write(a)', origin: 'always' }]);
});

test('a file that is damaged while tau runs leaves what counted before, and is told about', async () => {
  const bench = await workbench([says('ok'), says('ok')]);
  await grantsOf(bench).add('deny', ['write(a)']);
  await bench.agent.prompt('go').outcome;
  writeFileSync(join(bench.tauHome, 'permissions.json'), '{"version":1,');
  const events = await collect(bench.agent.prompt('again'));
  expect(events.find(({ type }) => type === 'notice')).toMatchObject({ text: expect.stringContaining('stays') });
  expect(bench.agent.rules()).toHaveLength(1);
});

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['another version', '{"version":2}'],
  ['no projects', '{"version":1,"projects":[]}'],
])('a file that is %s stops tau: it may deny something', async (_, text) => {
  const bench = await workbench([]);
  writeFileSync(join(bench.tauHome, 'permissions.json'), text);
  await expect(bench.another()).rejects.toThrow(/permissions\.json cannot be used/);
  await expect(grantsOf(bench).add('allow', ['bash'])).rejects.toThrow(/permissions\.json cannot be used/);
  expect(readFileSync(join(bench.tauHome, 'permissions.json'), 'utf8')).toBe(text);
});

test('denials that are no list stop tau; allowances that are none allow nothing and are told about', async () => {
  const bench = await workbench([]);
  const path = join(bench.tauHome, 'permissions.json');
  const say = (entry: object) =>
    writeFileSync(path, JSON.stringify({ version: 1, projects: { [bench.project]: entry } }));
  say({ deny: 'bash' });
  await expect(bench.another()).rejects.toThrow(/the deny rules of .* must be a list/);
  say({ allow: ['write(a)', 7], deny: ['write(b)'] });
  const agent = await bench.another();
  expect(agent.warnings).toEqual([expect.stringContaining(`${path}: the allow rules of ${bench.project}`)]);
  expect(agent.rules().map(({ rule }) => rule)).toEqual(['write(b)', 'write(a)']);
});

test('a file that others can change denies, but allows nothing', async () => {
  const bench = await workbench([]);
  await grantsOf(bench).add('allow', ['write(a)']);
  await grantsOf(bench).add('deny', ['write(b)']);
  chmodSync(join(bench.tauHome, 'permissions.json'), 0o666);
  const agent = await bench.another();
  expect(agent.rules().map(({ rule }) => rule)).toEqual(['write(b)']);
  expect(agent.warnings).toEqual([expect.stringContaining('chmod 600')]);
});

test('rules are added once, taken away from every list they are in, and what is not ours stays', async () => {
  const bench = await workbench([]);
  const path = join(bench.tauHome, 'permissions.json');
  writeFileSync(path, JSON.stringify({ version: 1, note: 'mine', projects: { '/other': { allow: ['bash'] } } }));
  const grants = grantsOf(bench);
  expect(await grants.add('allow', ['write(a)', 'write(a)', ' bash(make) '])).toEqual(['write(a)', 'bash(make)']);
  expect(await grants.add('allow', ['write(a)'])).toEqual([]);
  await grants.add('deny', ['write(a)']);
  expect(grants.load().rules).toEqual({ allow: ['write(a)', 'bash(make)'], ask: [], deny: ['write(a)'] });
  expect(await grants.remove('write(a)', 'deny')).toEqual(['deny']);
  expect(await grants.remove('write(a)')).toEqual(['allow']);
  expect(await grants.remove('write(a)')).toEqual([]);
  expect(await grants.remove('bash(make)')).toEqual(['allow']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    version: 1,
    note: 'mine',
    projects: { '/other': { allow: ['bash'] } },
  });
});

test('a rule that means nothing is not saved', async () => {
  const bench = await workbench([]);
  await expect(grantsOf(bench).add('allow', ['bash('])).rejects.toThrow('parentheses');
  expect(readdirSync(bench.tauHome)).not.toContain('permissions.json');
});

test('many who add at the same time lose nothing of each other', async () => {
  const bench = await workbench([]);
  await Promise.all(Array.from({ length: 8 }, (_, n) => grantsOf(bench).add('allow', [`write(f${n})`])));
  expect(grantsOf(bench).load().rules.allow).toHaveLength(8);
  expect(readdirSync(bench.tauHome).filter((name) => /tmp|lock/.test(name))).toEqual([]);
});
