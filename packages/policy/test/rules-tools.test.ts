import type { ToolInput, ToolSource } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { decide, parseRules, type RuleSet } from '../src/index.ts';
import { decideEdit, decideOn, scope, shellFor } from './decisions.ts';

interface Call {
  input?: ToolInput;
  source?: ToolSource;
  server?: string;
}

function calling(toolName: string, rules: RuleSet, { input = {}, source = 'mcp', server }: Call = {}) {
  const effects = source === 'mcp' ? [{ kind: 'mcp', server: server ?? 'db', tool: 'x' } as const] : [];
  const parsed = parseRules(rules);
  expect(parsed.problems).toEqual([]);
  const policy = { mode: 'default', rules: parsed.rules, scope, analyse: shellFor().analyse } as const;
  return decide({ id: 'c', toolName, input }, source, effects, policy).outcome;
}

describe('names of tools', () => {
  test.each([
    ['mcp__*', 'mcp__db__query'],
    ['mcp__db__*', 'mcp__db__query'],
    ['mcp__db', 'mcp__db__query'],
    ['MCP__DB__*', 'mcp__db__query'],
    ['mcp__db__q?ery', 'mcp__db__query'],
    ['*query', 'mcp__db__query'],
    ['mcp__[a-e]*', 'mcp__db__query'],
  ])('a deny of %s stops %s', (rule, tool) => {
    expect(calling(tool, { allow: [tool], deny: [rule] })).toBe('deny');
    expect(calling(tool, { allow: [tool], ask: [rule] })).toBe('ask');
    expect(calling('other', { allow: ['other'], deny: [rule] }, { source: 'extension' })).toBe('allow');
  });

  test('a pattern of names reaches our own tools, by any of their names', () => {
    for (const rule of ['ba?h', 'ba*', '[abc]ash', 'B*H', '*']) {
      expect(decideOn('bash', [], { mode: 'dangerously', rules: { deny: [rule] } }).outcome).toBe('deny');
    }
    for (const rule of ['wri*', 'appl*', 'ed??'])
      expect(decideEdit('a', { rules: { deny: [rule] } }).outcome).toBe('deny');
    expect(decideOn('read', [], { rules: { deny: ['ba?h', 'wri*'] } }).outcome).toBe('allow');
  });

  test('the tools of one server can be allowed together, and only those', () => {
    for (const allow of [['mcp__db'], ['mcp__db__*'], ['mcp__db__que*']]) {
      expect(calling('mcp__db__query', { allow })).toBe('allow');
      expect(calling('mcp__other__query', { allow }, { server: 'other' })).toBe('ask');
      expect(calling('mcp__dbx__query', { allow }, { server: 'dbx' })).toBe('ask');
      expect(calling('MCP__DB__query', { allow })).toBe('ask');
      // The server of the call is another one, whose name goes on after two underscores.
      expect(calling('mcp__db__query', { allow }, { server: 'db__query' })).toBe('ask');
      expect(calling('mcp__db__query', { allow }, { source: 'extension' })).toBe('ask');
    }
    expect(calling('mcp__db__drop', { allow: ['mcp__db__que*'] })).toBe('ask');
  });

  test.each(['*', 'mcp__*', 'mcp__*__query', '*query', 'ba?h', 'mcp__d?__*'])('%s allows nothing', (rule) => {
    expect(parseRules({ allow: [rule] })).toMatchObject({
      rules: [],
      problems: [expect.stringContaining('must name its tool')],
    });
  });

  test.each([
    ['Agent(Explore)', 'Agent'],
    ['Task', 'Task'],
    ['WebSearch', 'WebSearch'],
    ['Skill(deploy *)', 'Skill'],
  ])('%s is known to be another agent’s', (rule, tool) => {
    for (const outcome of ['allow', 'ask', 'deny'] as const) {
      const { problems, warnings } = parseRules({ [outcome]: [rule] });
      expect(problems).toEqual([]);
      expect(warnings).toEqual([expect.stringContaining(`no tool ${tool}`)]);
    }
  });

  test('what another agent calls a change of a file is one', () => {
    for (const name of ['Write', 'MultiEdit', 'NotebookEdit', 'Edit']) {
      expect(decideEdit('src/a', { rules: { deny: [`${name}(src/**)`] } }).outcome).toBe('deny');
      expect(decideEdit('src/a', { rules: { allow: [`${name}(src/**)`] } }).outcome).toBe('allow');
    }
  });
});

describe('parameters of calls', () => {
  const query = (sql: unknown, rules: RuleSet, source: ToolSource = 'mcp') =>
    calling('mcp__db__query', rules, { input: { sql }, source });

  test.each([
    ['sql=select 1', 'select 1', 'select 2'],
    ['sql:select *', 'select x', 'drop x'],
    ['sql:[ab]?', 'ax', 'cx'],
    ['sql~/^select /', 'select x', 'xselect x'],
    ['sql~/^SELECT\\s+\\w+$/i', 'select  x', 'select x; drop y'],
    ['sql~/a[*+]b/', 'a*b', 'aab'],
  ])('mcp__db__query(%s) allows %j, not %j', (pattern, yes, no) => {
    const allow = [`mcp__db__query(${pattern})`];
    expect(query(yes, { allow })).toBe('allow');
    expect(query(no, { allow })).toBe('ask');
    expect(query([yes], { allow })).toBe('ask');
    expect(query(undefined, { allow })).toBe('ask');
    const deny = [`mcp__db__query(${pattern})`];
    expect(query(yes, { allow: ['mcp__db__query'], deny })).toBe('deny');
    expect(query([{ deep: yes }], { allow: ['mcp__db__query'], deny })).toBe('deny');
    expect(query(no, { allow: ['mcp__db__query'], deny })).toBe('allow');
  });

  test('a restriction does not mind case, and holds for names by a pattern', () => {
    expect(query('DROP x', { allow: ['mcp__db__query'], deny: ['mcp__*(sql:drop*)'] })).toBe('deny');
    expect(query('DROP x', { allow: ['mcp__db__query'], deny: ['mcp__db(sql=drop x)'] })).toBe('deny');
    expect(query(5, { allow: ['mcp__db__query'], deny: ['mcp__db(sql=5)'] })).toBe('deny');
  });

  test('a text too long to be compared is not allowed, and is restricted', () => {
    const long = `select ${'x'.repeat(200_000)}`;
    expect(query(long, { allow: ['mcp__db__query(sql:select *)'] })).toBe('ask');
    expect(query(long, { allow: ['mcp__db__query'], deny: ['mcp__db__query(sql:nothing)'] })).toBe('deny');
    const many = Array.from({ length: 5_000 }, () => 'x');
    expect(query(many, { allow: ['mcp__db__query'], deny: ['mcp__db__query(sql=y)'] })).toBe('deny');
  });

  test.each([
    '(a+)+',
    '(a|b)*',
    '(a*b)+',
    '((a|b)c)+',
    '(a?){30}',
    '(a)\\1',
    '(?=a)b',
    '(?<!a)b',
    '(?<n>a)\\k<n>',
    'a*b*c*d',
    'a{1,99}b{1,99}c{1,99}',
    'a?a?a?a?a?a?a?a?a?a?a?',
    '(',
    'x'.repeat(201),
  ])('the expression %s is refused', (expression) => {
    const text = `mcp__db__query(sql~/${expression}/)`;
    expect(parseRules({ allow: [text] })).toMatchObject({ rules: [], problems: [{}] });
    expect(parseRules({ deny: [text] }).rules[0]).not.toHaveProperty('pattern');
  });

  test.each([
    'mcp__db__query(sql)',
    'mcp__db__query(sql~x)',
    'mcp__db__query(sql~/x/g)',
    'mcp__db__query(sql:[x)',
    '*(a=b)',
    'ba*(rm:*)',
    're?d(key=x)',
  ])('%s cannot be read, and fails closed', (text) => {
    expect(parseRules({ allow: [text] }).rules).toEqual([]);
    expect(parseRules({ deny: [text] })).toMatchObject({ rules: [{ outcome: 'deny' }], problems: [{}] });
  });

  test('our own tools are not allowed by one parameter, but may be restricted by it', () => {
    expect(parseRules({ allow: ['grep(path=src)'] })).toMatchObject({ rules: [], problems: [{}] });
    expect(calling('grep', { deny: ['grep(path:src*)'] }, { input: { path: 'src/a' }, source: 'builtin' })).toBe(
      'deny',
    );
    expect(calling('grep', { deny: ['grep(path:src*)'] }, { input: { path: 'lib' }, source: 'builtin' })).toBe('allow');
  });
});
