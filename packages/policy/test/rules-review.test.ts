import { describe, expect, test } from 'vitest';
import { parseRules, type RuleSet } from '../src/index.ts';

const warnings = (set: RuleSet) => parseRules(set).warnings;

describe('what is said about rules that can be read', () => {
  test.each([
    ['Bahs(rm:*)', 'bash'],
    ['raed', 'read'],
    ['wirte(src/**)', 'write'],
    ['web_fecth', 'web_fetch'],
  ])('%s looks like %s', (rule, meant) => {
    for (const outcome of ['allow', 'deny'] as const) {
      const { problems, warnings: said } = parseRules({ [outcome]: [rule] });
      expect([...problems, ...said].join('\n')).toContain(`Did you mean ${meant}?`);
    }
  });

  test.each(['deploy', 'mcp__raed__x', 'mcp__b?sh', 'Bash', 'notebookedit'])('%s looks like nothing else', (rule) => {
    expect(warnings({ deny: [rule] })).toEqual([]);
  });

  test.each([
    [{ allow: ['bash(npm test)'], deny: ['bash'] }, 'bash(npm test)', 'bash'],
    [{ allow: ['bash(npm test:*)'], deny: ['bash(npm:*)'] }, 'bash(npm test:*)', 'bash(npm:*)'],
    [{ allow: ['bash(npm test)'], ask: ['bash(npm *)'] }, 'bash(npm test)', 'bash(npm *)'],
    [{ allow: ['edit(src/a.ts)'], deny: ['write(./src/**)'] }, 'edit(src/a.ts)', 'write(./src/**)'],
    [{ allow: ['mcp__db__query'], deny: ['mcp__*'] }, 'mcp__db__query', 'mcp__*'],
    [{ allow: ['mcp__db__query'], deny: ['mcp__db'] }, 'mcp__db__query', 'mcp__db'],
    [{ allow: ['read(~/x)'], deny: ['*'] }, 'read(~/x)', '*'],
    [{ allow: ['web_fetch(domain:a.org)'], deny: ['WebFetch(domain:a.org)'] }, 'web_fetch(domain:a.org)', 'WebFetch'],
  ])('an allow that never counts is named with what covers it: %j', (set, allow, other) => {
    const said = warnings(set);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`The allow rule ${JSON.stringify(allow)} never counts`);
    expect(said[0]).toContain(other);
  });

  test.each([
    { allow: ['bash(npm test:*)'], deny: ['bash(npm test x)'] },
    { allow: ['bash(npmx)'], deny: ['bash(npm:*)'] },
    { allow: ['edit(srcx/a)'], deny: ['edit(src/**)'] },
    { allow: ['read(src/a)'], deny: ['edit(src/**)'] },
    { allow: ['bash(npm * x)'], deny: ['bash(npm test:*)'] },
    { allow: ['edit(a)', 'write(a)', 'edit(a)'] },
    { allow: ['bash(npm test && rm x)', 'bash(npm test:*)', 'bash(npm test -x)'] },
  ])('nothing is said about %j', (set) => {
    expect(warnings(set)).toEqual([]);
  });

  test('what broader rules allow already is said once, in one line', () => {
    const narrow = Array.from({ length: 7 }, (_, at) => `bash(npm run x${at}:*)`);
    const said = warnings({ allow: ['bash(npm run:*)', ...narrow, 'edit(src/**)', 'edit(src/a)'] });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('bash(npm run x0:*)');
    expect(said[0]).toContain('and 3 more');
  });

  test.each([
    ['bash', 'every command'],
    ['bash(*)', 'every command'],
    ['bash(sudo:*)', 'any command, through sudo'],
    ['bash(python:*)', 'any command, through python'],
    ['bash(python3 -c:*)', 'any command, through python3'],
    ['bash(node *)', 'any command, through node'],
    ['bash(env:*)', 'any command, through env'],
    ['bash(xargs:*)', 'any command, through xargs'],
    ['bash(bash -c *)', 'any command, through bash'],
    ['bash(/bin/sh:*)', 'any command, through sh'],
    ['bash(rm:*)', 'rm of anything'],
    ['bash(rm -rf *)', 'rm of anything'],
    ['bash(* --version)', 'any program'],
    ['edit(/)', 'changing every file of the disk'],
    ['edit(~/)', 'changing every file of your home'],
    ['write(//**)', 'changing every file of the disk'],
    ['read(/)', 'reading every file of the disk'],
    ['read(~/**)', 'reading every file of your home'],
  ])('%s allows too much, is said to, and is obeyed', (rule, what) => {
    const { rules, problems, warnings: said } = parseRules({ allow: [rule] });
    expect(rules).toHaveLength(1);
    expect(problems).toEqual([]);
    expect(said).toEqual([expect.stringContaining(what)]);
    expect(warnings({ deny: [rule], ask: [rule] })).toEqual([]);
  });

  test.each([
    'bash(npm test)',
    'bash(npm:*)',
    'bash(python -m pytest:*)',
    'bash(python scripts/x.py *)',
    'bash(node)',
    'bash(sudo apt update:*)',
    'bash(rm tmp/x)',
    'bash(make *)',
    'bash(find:*)',
    'edit(src/**)',
    'edit(**)',
    'read(~/notes/**)',
    'read',
    'edit',
  ])('%s is nobody else’s business', (rule) => {
    expect(warnings({ allow: [rule] })).toEqual([]);
  });
});
