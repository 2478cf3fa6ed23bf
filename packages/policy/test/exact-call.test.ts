import { expect, test } from 'vitest';
import { exactCall } from '../src/index.ts';

test.each([
  ['bash(npm test)', 'bash', { command: 'npm test' }],
  ['Bash(npm test && ls)', 'bash', { command: 'npm test && ls' }],
  ['bash(ls \\*)', 'bash', { command: 'ls *' }],
  ['edit(src/a.ts)', 'edit', { path: 'src/a.ts' }],
  ['Write(/x/a b)', 'write', { path: '/x/a b' }],
  ['read(a.ts)', 'read', { path: 'a.ts' }],
])('%s is one call', (rule, toolName, input) => {
  expect(exactCall(rule)).toEqual({ toolName, input });
});

test.each([
  'bash',
  'bash(*)',
  'bash(npm:*)',
  'bash(npm *)',
  'bash(* x)',
  'bash()',
  'bash(x',
  'edit',
  'edit(src/)',
  'edit(src/**)',
  'edit(*.ts)',
  'read(~/**)',
  'glob(src)',
  'web_fetch(domain:example.org)',
  'mcp__x__y',
  'Task(x)',
  '',
  '(x)',
])('%j is none, or more than one', (rule) => {
  expect(exactCall(rule)).toBeUndefined();
});
