/** The line mode: a yes for longer, words beforehand, and the rules of a session. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, says } from './conversation.ts';
import { at } from './json.ts';
import { keys, startTyping, type Typing } from './repl-terminal.ts';

const touch = (name: string) => call('bash', { command: `touch ${name}` });
const enter = (tau: Typing, line: string) => tau.type(`${line}${keys.enter}`);

async function leave(tau: Typing): Promise<void> {
  await tau.shows('> ');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
}

test('a keeps the rule for this folder, and /permissions says where each rule comes from', async () => {
  const sandbox = await converse([calls(touch('a')), calls(touch('a')), says('ok')]);
  const tau = startTyping(sandbox, ['go', '--deny', 'bash(make:*)', '--allow', 'read(x)']);
  await tau.shows('  a: the same, in every session in this folder\n');
  await tau.shows('Allow? (y/n/s/a) ');
  enter(tau, 'a');
  await tau.shows('ok\n');
  enter(tau, '/allow bash(make test)');
  await tau.shows('Allowed for this session: bash(make test)\n');
  enter(tau, '/permissions');
  await tau.shows('  deny   bash(make:*)  (flag)\n');
  await tau.shows('  allow  bash(touch a)  (always)\n');
  await tau.shows('  allow  read(x)  (flag)\n');
  await tau.shows('  allow  bash(make test)  (session)\n');
  await leave(tau);
  const saved: unknown = JSON.parse(readFileSync(join(sandbox.tauHome, 'permissions.json'), 'utf8'));
  expect(at(saved, 'projects', sandbox.project, 'allow')).toEqual(['bash(touch a)']);
});

test('/approve all at an open question answers it, and what comes after', async () => {
  const sandbox = await converse([calls(touch('a')), calls(touch('b')), says('ok')]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('Allow? (y/n/s/a) ');
  enter(tau, '/approve soon');
  await tau.shows('Use ask, all, none');
  await tau.shows('Allow? (y/n/s/a) ');
  enter(tau, '/approve 10m');
  await tau.shows('approve: all: yes to everything for 10 min more');
  await tau.shows('ok\n');
  enter(tau, '/mode');
  await tau.shows(')\napprove: all: yes to everything for');
  enter(tau, '/approve ask');
  await tau.shows('approve: ask: you are asked\n');
  await leave(tau);
  expect(['a', 'b'].map((name) => existsSync(join(sandbox.project, name)))).toEqual([true, true]);
  expect(tau.screen().split('needs your approval')).toHaveLength(2);
});

test('/approve none denies at once, and /deny beats every yes', async () => {
  const sandbox = await converse([calls(touch('a')), says('one'), calls(touch('b')), says('two')]);
  const tau = startTyping(sandbox, []);
  await tau.shows('> ');
  enter(tau, '/approve none');
  await tau.shows('approve: none');
  enter(tau, 'go');
  await tau.shows('✗ bash The user said no: the user has switched approvals off');
  await tau.shows('one\n');
  enter(tau, '/deny bash(touch:*)');
  await tau.shows('Denied for this session: bash(touch:*)\n');
  enter(tau, '/approve all');
  await tau.shows('approve: all');
  enter(tau, 'go');
  await tau.shows('✗ bash Not allowed');
  await tau.shows('two\n');
  await leave(tau);
  expect(existsSync(join(sandbox.project, 'b'))).toBe(false);
});

test('a command that is no answer leaves the question open, and other words are an answer', async () => {
  const sandbox = await converse([calls(touch('a')), says('ok')]);
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('Allow? (y/n/s/a) ');
  enter(tau, '/permissions');
  await tau.shows('There are no rules.\n');
  await tau.shows('Allow? (y/n/s/a) ');
  enter(tau, '/etc/hosts is better');
  await tau.shows('✗ bash The user said no: /etc/hosts is better');
  await tau.shows('ok\n');
  await leave(tau);
});

test('a rule that means nothing is refused with the reason', async () => {
  const sandbox = await converse([]);
  const tau = startTyping(sandbox, []);
  await tau.shows('> ');
  enter(tau, '/allow bash(');
  await tau.shows('parentheses do not match');
  enter(tau, '/deny');
  await tau.shows('Which rule?');
  await leave(tau);
});
