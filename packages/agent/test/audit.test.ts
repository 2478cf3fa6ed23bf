/** The log of everything decided: what is in it, how it is read, and that it never stands in the way. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Decision, GateCall } from '@tau/core';
import { makeSandbox } from '@tau/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type AuditOptions, createAudit } from '../src/audit.ts';
import { type AuditRecord, readAudit } from '../src/index.ts';
import { call, collect, says, workbench } from './workbench.ts';

const write = (path: string) => call('write', { path, content: path });

function log(options: Partial<AuditOptions> = {}) {
  const sandbox = makeSandbox();
  onTestFinished(sandbox.dispose);
  const path = join(sandbox.tauHome, 'logs/permissions.jsonl');
  const warnings: string[] = [];
  const place = { sessionId: 's1', cwd: sandbox.project, enabled: () => true, scrub: (text: string) => text };
  const audit = createAudit({ path, ...place, warn: (text) => warnings.push(text), ...options });
  onTestFinished(audit.close);
  const read = (more: { limit?: number; project?: string } = {}) => readAudit({ env: { HOME: sandbox.home }, ...more });
  return { ...sandbox, path, audit, warnings, lines: read };
}

const command = (text: string): [GateCall, Decision] => [
  { id: 'c', toolName: 'bash', input: { command: text } },
  {
    outcome: 'allow',
    reason: 'why',
    class: 'unknown',
    effects: [{ kind: 'exec', command: text, readOnly: false }],
  },
];

test('every decision is a line: by rule, by answer, with nobody there, and those that ask nothing', async () => {
  const answers = [
    { outcome: 'allow', scope: 'session' } as const,
    { outcome: 'deny', feedback: 'secret words' } as const,
  ];
  const steps = [
    call('read', { path: 'none.txt' }),
    call('bash', { command: 'make x' }),
    write('a'),
    write('b'),
    says('ok'),
  ];
  const { agent, tauHome, project, home } = await workbench(steps, {
    rules: { deny: ['bash(make x)'] },
    ask: async () => answers.shift() ?? { outcome: 'deny' },
  });
  await agent.prompt('go').outcome;
  const { records, unreadable, more } = readAudit({ env: { HOME: home } });
  expect({ unreadable, more }).toEqual({ unreadable: 0, more: false });
  expect(records).toMatchObject([
    { tool: 'read', outcome: 'allow', class: 'read-only', what: 'read none.txt' },
    { tool: 'bash', outcome: 'deny', rule: 'bash(make x)', what: 'make x' },
    { tool: 'write', outcome: 'ask', class: 'write', what: 'write a', answer: { outcome: 'allow', scope: 'session' } },
    { tool: 'write', outcome: 'ask', what: 'write b', answer: { outcome: 'deny', feedback: true } },
  ]);
  for (const record of records) {
    expect(record).toMatchObject({
      sessionId: agent.sessionId,
      cwd: project,
      timestamp: expect.stringMatching(/^\d{4}-/),
    });
  }
  const path = join(tauHome, 'logs/permissions.jsonl');
  expect(readFileSync(path, 'utf8')).not.toContain('secret words');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(tauHome, 'logs')).mode & 0o777).toBe(0o700);
});

test('a standing word and a missing user are told from an answer', async () => {
  const { agent, home } = await workbench([write('a'), says('ok'), write('b'), says('ok')]);
  agent.setApproval('all');
  await agent.prompt('go').outcome;
  agent.setApproval('ask');
  await agent.prompt('go').outcome;
  expect(readAudit({ env: { HOME: home } }).records.map(({ answer }) => answer)).toEqual([
    { outcome: 'allow', scope: 'once', standing: true },
    { outcome: 'deny', unattended: true },
  ]);
});

test('a key in a command is not in the log, and of a long command both ends are', async () => {
  const key = `sk-ant-${'a1'.repeat(20)}`;
  const long = `begin ${'x'.repeat(9000)} end`;
  const steps = [call('bash', { command: `curl -H ${key}` }), call('bash', { command: long }), says('ok')];
  const { agent, home } = await workbench(steps);
  await agent.prompt('go').outcome;
  const [secret, cut] = readAudit({ env: { HOME: home } }).records;
  expect(secret?.what).toBe('curl -H [secret]');
  expect(cut?.what.length).toBeLessThanOrEqual(2000);
  expect(cut?.what).toMatch(/^begin x+\[… \d+ characters …\].*x end$/s);
});

test('auditLog false leaves no log', async () => {
  const { agent, tauHome } = await workbench([write('a'), says('ok')], { settings: { auditLog: false } });
  await agent.prompt('go').outcome;
  expect(readdirSync(tauHome)).not.toContain('logs');
});

test('an agent that decides nothing leaves no log', async () => {
  const { agent, tauHome } = await workbench([says('ok')]);
  await agent.prompt('go').outcome;
  expect(readdirSync(tauHome)).not.toContain('logs');
});

test('a log that cannot be written is one warning, and the work goes on', async () => {
  const { agent, tauHome, read } = await workbench([write('a'), write('b'), says('ok')], {
    permissionMode: 'acceptEdits',
  });
  writeFileSync(join(tauHome, 'logs'), 'in the way');
  const events = await collect(agent.prompt('go'));
  expect([read('a'), read('b')]).toEqual(['a', 'b']);
  expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
    { level: 'warning', text: expect.stringContaining('permissions.jsonl') },
  ]);
});

test('a pipe in its place is not waited for', () => {
  const { audit, path, warnings } = log();
  mkdirSync(path, { recursive: true });
  audit.write(...command('x'));
  audit.write(...command('y'));
  expect(warnings).toEqual([expect.stringContaining('cannot be logged')]);
});

test('a log that is full makes room: one old file is kept, and reading goes on into it', () => {
  const { audit, path, lines } = log({ maxBytes: 1000 });
  for (let n = 0; n < 12; n++) audit.write(...command(`run ${n}`));
  expect(readdirSync(join(path, '..')).toSorted()).toEqual(['permissions.jsonl', 'permissions.jsonl.1']);
  expect(statSync(path).size).toBeLessThan(1300);
  const shown = lines({ limit: 6 }).records.map(({ what }) => what);
  expect(shown).toEqual([6, 7, 8, 9, 10, 11].map((n) => `run ${n}`));
});

test('a log that another process put away or removed is made anew', () => {
  const { audit, path, lines } = log();
  audit.write(...command('one'));
  rmSync(path);
  audit.write(...command('two'));
  expect(lines().records.map(({ what }) => what)).toEqual(['two']);
});

test('two who write to one log do not lose a line when it is full', () => {
  const { audit, path, project, lines } = log({ maxBytes: 2000 });
  const place = { sessionId: 's2', cwd: project, enabled: () => true, scrub: (text: string) => text, maxBytes: 2000 };
  const other = createAudit({ path, ...place, warn: () => {} });
  onTestFinished(other.close);
  for (let n = 0; n < 8; n++) (n % 2 === 0 ? audit : other).write(...command(`run ${n}`));
  expect(lines().records.map(({ what }) => what)).toEqual(Array.from({ length: 8 }, (_, n) => `run ${n}`));
});

test('reading is bounded, filters by folder, and counts what cannot be read', () => {
  const { audit, path, project, lines } = log();
  audit.write(...command('here'));
  const line: AuditRecord = { ...(lines().records[0] ?? never()), cwd: '/elsewhere', what: 'there' };
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, `${text}half a li\n{"class":"odd"}\n${JSON.stringify(line)}\n`);
  expect(lines()).toMatchObject({ unreadable: 2, records: [{ what: 'here' }, { what: 'there' }] });
  expect(lines({ project }).records.map(({ what }) => what)).toEqual(['here']);
  expect(lines({ project: join(project, '..') }).records.map(({ what }) => what)).toEqual(['here']);
  expect(lines({ limit: 1 })).toMatchObject({ more: true, records: [{ what: 'there' }] });
  expect(lines({ limit: 0 }).records).toEqual([]);
});

test('without a log there is nothing to read', () => {
  expect(log().lines()).toMatchObject({ records: [], unreadable: 0, more: false });
});

function never(): never {
  throw new Error('there must be a record');
}
