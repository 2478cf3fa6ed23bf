import { describe, expect, test } from 'vitest';
import { parseRules, suggestRules, toolName } from '../src/index.ts';
import { decideOn } from './decisions.ts';

const fetching = (host: string, rules: { allow?: string[]; ask?: string[]; deny?: string[] }, tool = 'web_fetch') =>
  decideOn(tool, [{ kind: 'net', host }], { rules });

describe('domains in rules', () => {
  test.each([
    ['domain:example.org', 'example.org'],
    ['domain:EXAMPLE.org', 'example.org'],
    ['domain:example.org.', 'example.org'],
    ['domain:*.example.org', 'a.example.org'],
    ['domain:*.example.org', 'a.b.example.org'],
    ['domain:bücher.example', 'xn--bcher-kva.example'],
    ['domain:127.0.0.1', '127.0.0.1'],
    ['domain:0x7f.1', '127.0.0.1'],
    ['domain:::1', '::1'],
    ['domain:[::1]', '::1'],
  ])('%s allows %s', (pattern, host) => {
    const rule = `web_fetch(${pattern})`;
    expect(parseRules({ allow: [rule] }).problems).toEqual([]);
    expect(fetching(host, { allow: [rule] })).toMatchObject({ outcome: 'allow', rule });
    expect(fetching(host, { deny: [rule] })).toMatchObject({ outcome: 'deny', rule });
    expect(fetching(host, { allow: ['web_fetch'], ask: [rule] })).toMatchObject({ outcome: 'ask', rule });
  });

  test.each([
    ['domain:example.org', 'a.example.org'],
    ['domain:example.org', 'example.org.evil.test'],
    ['domain:example.org', 'notexample.org'],
    ['domain:*.example.org', 'notexample.org'],
    ['domain:*.example.org', 'example.org.evil.test'],
  ])('%s says nothing about %s', (pattern, host) => {
    expect(fetching(host, { allow: [`web_fetch(${pattern})`] }).outcome).toBe('ask');
    expect(fetching(host, { allow: ['web_fetch'], deny: [`web_fetch(${pattern})`] }).outcome).toBe('allow');
  });

  test('what restricts everything below a name restricts the name, what allows it does not', () => {
    expect(fetching('example.org', { allow: ['web_fetch(domain:*.example.org)'] }).outcome).toBe('ask');
    expect(fetching('example.org', { deny: ['web_fetch(domain:*.example.org)'] }).outcome).toBe('deny');
  });

  test('another agent’s spelling of the tool means ours', () => {
    expect(fetching('example.org', { allow: ['WebFetch(domain:example.org)'] }).outcome).toBe('allow');
  });

  test('a restriction binds whatever tool connects, a permission only the tool it names', () => {
    const rule = 'web_fetch(domain:example.org)';
    expect(fetching('example.org', { allow: ['web_search'], deny: [rule] }, 'web_search').outcome).toBe('deny');
    expect(fetching('example.org', { allow: [rule] }, 'web_search').outcome).toBe('ask');
  });

  test('a tool of somebody else is not believed about where it connects', () => {
    const rules = { allow: ['web_fetch(domain:example.org)'] };
    const effects = [{ kind: 'net', host: 'example.org' }] as const;
    expect(decideOn('web_fetch', effects, { rules, source: 'extension' }).outcome).toBe('ask');
  });

  test('the rule that is suggested allows the call it was made for', () => {
    for (const host of ['example.org', '127.0.0.1', '::1', 'xn--bcher-kva.example']) {
      const allow = suggestRules({ id: 'c', toolName: 'web_fetch', input: {} }, [{ kind: 'net', host }], '/w/app');
      expect(allow).toEqual([`web_fetch(domain:${host})`]);
      expect(fetching(host, { allow }).outcome).toBe('allow');
    }
  });
});

describe('leaving plan mode', () => {
  const leaving = [{ kind: 'config', key: 'permissionMode' }] as const;

  test('is the one thing plan mode asks about', () => {
    expect(decideOn('plan_exit', leaving, { mode: 'plan' })).toMatchObject({
      outcome: 'ask',
      reason: expect.stringContaining('give the plan as your answer'),
    });
    expect(decideOn('plan_exit', leaving, { mode: 'plan', rules: { allow: ['plan_exit'] } }).outcome).toBe('ask');
    expect(decideOn('plan_exit', leaving, { mode: 'plan', rules: { deny: ['ExitPlanMode'] } }).outcome).toBe('deny');
  });

  test('is not open to other tools, other settings, or more than that', () => {
    expect(decideOn('other', leaving, { mode: 'plan' }).outcome).toBe('deny');
    expect(decideOn('plan_exit', [{ kind: 'config', key: 'model' }], { mode: 'plan' }).outcome).toBe('deny');
    const more = [...leaving, { kind: 'write', path: 'a' }] as const;
    expect(decideOn('plan_exit', more, { mode: 'plan' }).outcome).toBe('deny');
    for (const source of ['extension', 'mcp'] as const) {
      expect(decideOn('plan_exit', leaving, { mode: 'plan', source }).outcome).toBe('deny');
    }
  });
});

test('a name that is nobody’s spelling stays, in lower case', () => {
  expect(toolName('My_Tool')).toBe('my_tool');
});
