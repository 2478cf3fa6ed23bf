import type { Outcome } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { checkExamples, exampleLines, parseRules } from '../src/index.ts';
import { scope, shellFor } from './decisions.ts';

function check(outcome: Outcome, rule: string, examples: { match?: string[]; notMatch?: string[] }) {
  const parsed = parseRules({ [outcome]: [{ rule, ...examples }] });
  expect(parsed.problems).toEqual([]);
  return checkExamples(parsed.rules, { scope, analyse: shellFor().analyse });
}

describe('examples beside a rule', () => {
  test.each([
    [
      'allow',
      'bash(npm run test:*)',
      ['npm run test -- x', 'npm run test && npm run test y'],
      ['npm run tests', 'npm x'],
    ],
    ['allow', 'bash(npm test && ls)', ['npm test && ls'], ['npm test']],
    ['deny', 'bash(rm:*)', ['rm x', 'sudo rm x', 'ls; rm y', 'echo "$(rm x)"'], ['rmdir x', 'echo x']],
    ['ask', 'bash(git push * main)', ['git push origin main'], ['git push origin dev']],
    ['allow', 'edit(src/**)', ['src/a.ts', '/w/app/src/b'], ['a.ts', '~/src/a']],
    ['deny', 'read(.env)', ['.env', 'a/.env'], ['.env.example']],
    ['allow', 'web_fetch(domain:*.a.org)', ['x.a.org', 'https://y.a.org/z'], ['a.org', 'evil.org']],
    ['deny', 'mcp__db__*', ['mcp__db__query'], ['mcp__x__query']],
    ['allow', 'mcp__db__*', ['mcp__db__query'], ['mcp__x__query']],
    ['allow', 'mcp__db__query(sql~/^select /i)', ['SELECT x'], ['drop x']],
    ['deny', 'bash', ['anything'], []],
  ] as const)('%s %s holds what it promises', (outcome, rule, match, notMatch) => {
    expect(check(outcome, rule, { match: [...match], notMatch: [...notMatch] })).toMatchObject({
      rules: [{ text: rule }],
      problems: [],
    });
    // And each of them would be noticed the other way round.
    const turned = check(outcome, rule, { match: [...notMatch], notMatch: [...match] });
    expect(turned.problems).toHaveLength(match.length + notMatch.length);
  });

  test('an allow whose example fails is left out, a restriction stays, and both are named with the example', () => {
    const allow = check('allow', 'bash(npm run test:*)', { match: ['npm run tests'] });
    expect(allow).toEqual({ rules: [], problems: [expect.stringContaining('"bash(npm run test:*)"')] });
    expect(allow.problems[0]).toContain('"npm run tests"');
    const deny = check('deny', 'bash(rm:*)', { notMatch: ['rm x'] });
    expect(deny.rules).toHaveLength(1);
    expect(deny.problems).toEqual([expect.stringMatching(/"bash\(rm:\*\)" covers "rm x".*still holds/)]);
  });

  test('a line that cannot be taken apart is no match for an allow', () => {
    expect(check('allow', 'bash(npm:*)', { match: ['npm $(x'] }).rules).toEqual([]);
  });

  test('rules without examples pass, and only command lines have to be made ready', () => {
    const { rules } = parseRules({
      allow: ['bash(a)', { rule: 'bash(b:*)', match: ['b $(c)'] }, { rule: 'edit(x)', match: ['x'] }],
      deny: [{ rule: 'bash(d)', notMatch: ['e'] }, { rule: 'bash(f)' }],
    });
    expect(exampleLines(rules).sort()).toEqual(['b $(c)', 'e']);
    expect(rules.map(({ text }) => text)).toContain('bash(f)');
  });
});
