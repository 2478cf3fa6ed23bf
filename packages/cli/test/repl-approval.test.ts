/** What a person is shown before a call is allowed, and what a typed line means. */
import type { Ask, Question } from '@tau/agent';
import { expect, test } from 'vitest';
import { readCommand } from '../src/commands/command.ts';
import { createStyle } from '../src/render/style.ts';
import { approvalLines, readApproval } from '../src/repl/approval.ts';
import { readReply } from '../src/repl/question.ts';

const plain = createStyle({}, {});
const decision = { outcome: 'ask' as const, reason: 'why not', class: 'unknown' as const, effects: [] };
const ask = (toolName: string, input: Ask['input'], more: Partial<Ask['decision']> = {}): Ask => {
  return { id: 'ask-1', toolCallId: 'c1', toolName, input, decision: { ...decision, ...more } };
};
const shown = (one: Ask) => approvalLines(one, { cwd: '/work', style: plain });

test('a command is shown whole, each of its lines, and nothing in it can hide', () => {
  const lines = shown(ask('bash', { command: `echo ${'x'.repeat(5000)}\n\u001b[1A\u202erm -rf /` }));
  expect(lines).toContain(`    echo ${'x'.repeat(5000)}`);
  expect(lines).toContain('    ^[[1A<U+202E>rm -rf /');
});

test('of a command beyond all measure both ends are shown, and how much is not', () => {
  const text = shown(ask('bash', { command: `begin${'x'.repeat(50_000)}end` })).join('\n');
  expect(text).toContain('    begin');
  expect(text).toContain('xend\n');
  expect(text).toContain('[… 30008 characters are not shown …]');
});

test('every edit of a call is shown as what goes and what comes', () => {
  const edits = [
    { old_string: 'a\nb', new_string: 'c' },
    { old_string: 'd', new_string: '' },
  ];
  const lines = shown(ask('edit', { path: 'x.ts', edits }));
  expect(lines.slice(1, 6)).toEqual(['  x.ts', '    -a', '    -b', '    +c', '    -d']);
});

test('a tool that nobody knows shows all it was given', () => {
  const text = shown(ask('deploy', { where: 'production', times: 3, path: '/srv' })).join('\n');
  expect(text).toContain('  /srv');
  expect(text).toContain('    where: production');
  expect(text).toContain('    times: 3');
});

test('effects say where a path really leads, and the rule that asks is named', () => {
  const effects = [
    { kind: 'write' as const, path: 'link/a', resolved: '/etc/a' },
    { kind: 'write' as const, path: 'x.txt', resolved: '/work/x.txt' },
    { kind: 'net' as const, host: 'example.org' },
  ];
  const lines = shown(ask('bash', { command: 'x', path: 'x.txt' }, { effects, rule: 'bash(x)' }));
  expect(lines[0]).toBe('bash needs your approval [unknown]: why not (rule bash(x))');
  expect(lines).toContain('  · writes link/a (/etc/a)');
  expect(lines.filter((line) => line.includes('x.txt'))).toEqual(['  x.txt']);
  expect(lines).toContain('  · connects to example.org');
});

test('the class of a call stands beside its reason, and each rule that a longer yes would add is named', () => {
  const lines = shown(ask('bash', { command: 'npm test' }, { class: 'package-manager', offer: ['bash(npm test)'] }));
  expect(lines[0]).toBe('bash needs your approval [package-manager]: why not');
  expect(lines).toContain('  s: yes, and for this session allow bash(npm test)');
  expect(lines).toContain('  a: the same, in every session in this folder');
  expect(shown(ask('bash', { command: 'npm test' })).filter((line) => /^ {2}[sa]:/.test(line))).toEqual([]);
});

test.each([
  ['y', { answer: { outcome: 'allow' } }],
  [' YES ', { answer: { outcome: 'allow' } }],
  ['s', { answer: { outcome: 'allow', scope: 'session' } }],
  ['A', { answer: { outcome: 'allow', scope: 'always' } }],
  ['', { answer: { outcome: 'deny' } }],
  ['N', { answer: { outcome: 'deny' } }],
  ['yes, but later', { answer: { outcome: 'deny', feedback: 'yes, but later' } }],
])('the line %j answers an ask', (line, approval) => {
  expect(readApproval(line, ask('bash', { command: 'x' }, { offer: ['bash(x)'] }))).toEqual(approval);
});

test.each(['s', 'a'])('%j is no answer where nothing is offered', (line) => {
  expect(readApproval(line, ask('bash', { command: 'x' }))).toEqual({ again: 'This is asked every time: y or n.' });
});

test.each([
  ['', { declined: true }],
  ['2', { answers: ['b'] }],
  ['1 2', { again: 'One of them only.' }],
  ['0', { again: 'A number from 1 to 2.' }],
  ['2 of them', { answers: ['2 of them'] }],
])('the line %j answers a question', (line, reply) => {
  const question: Question = { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: false };
  expect(readReply(line, question)).toEqual(reply);
});

test('where several may be chosen, each counts once; without options a number is a word', () => {
  const options = [{ label: 'a' }, { label: 'b' }];
  expect(readReply('2,1, 2', { question: '', options, multiSelect: true })).toEqual({ answers: ['b', 'a'] });
  expect(readReply('3', { question: '', options: [], multiSelect: false })).toEqual({ answers: ['3'] });
});

test.each([
  ['/model a/b', { name: 'model', argument: 'a/b' }],
  ['/clear-queue', { name: 'clear-queue', argument: '' }],
  ['/etc/hosts', undefined],
  ['/', undefined],
  ['a /help', undefined],
])('%j as a command', (line, command) => {
  expect(readCommand(line)).toEqual(command);
});
