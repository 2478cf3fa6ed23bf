import { describe, expect, test } from 'vitest';
import { decide, inOurWords, parseRules } from '../src/index.ts';
import { resolved, scope, shellFor } from './decisions.ts';

describe("Claude Code's paths", () => {
  const claude = (text: string, path: string, outcome: 'allow' | 'deny', base?: string) => {
    const { rules, problems } = parseRules(
      { [outcome]: [text] },
      { dialect: 'claude', ...(base !== undefined && { base }) },
    );
    expect(problems).toEqual([]);
    return decide({ id: 'c', toolName: 'edit', input: {} }, 'builtin', resolved([{ kind: 'write', path }]), {
      mode: 'default',
      rules,
      scope,
      analyse: shellFor().analyse,
    }).outcome;
  };

  test('a slash is the folder of the settings, two are the root of the disk', () => {
    expect(claude('Edit(/src/**)', 'src/a', 'allow')).toBe('allow');
    expect(claude('Edit(/src/**)', '/src/a', 'allow')).toBe('ask');
    expect(claude('Edit(/src/**)', '/w/other/src/a', 'allow', '/w/other')).toBe('allow');
    expect(claude('Edit(/src/*.ts)', '/w/ot[h]er/src/a.ts', 'allow', '/w/ot[h]er')).toBe('allow');
    expect(claude('Edit(/src/**)', 'src/a', 'allow', '/w/other')).toBe('ask');
    expect(claude('Edit(//etc/x/**)', '/etc/x/a', 'allow')).toBe('allow');
    expect(claude('Edit(//etc/x/**)', 'etc/x/a', 'allow')).toBe('ask');
    expect(claude('Edit(~/x/*.md)', '/home/me/x/a.md', 'allow')).toBe('allow');
    expect(claude('Edit(./src/a)', 'src/a', 'allow')).toBe('allow');
  });

  test('a folder with all below it is meant at any depth by what denies, and as the one in the project by an allow', () => {
    expect(claude('Edit(src/**)', 'a/b/src/c', 'deny')).toBe('deny');
    expect(claude('Edit(src/**)', 'a/b/src/c', 'allow')).toBe('ask');
    expect(claude('Edit(./src/**)', 'a/src/c', 'deny')).toBe('ask');
    expect(claude('Edit(a/src/**)', 'b/a/src/c', 'deny')).toBe('ask');
    expect(claude('Edit(./**)', 'x/c', 'deny')).toBe('deny');
  });

  test('a list in braces is every one of them to what denies', () => {
    expect(claude('Edit(**/*.{pem,key})', 'a/x.key', 'deny')).toBe('deny');
    expect(claude('Edit(**/*.{pem,key})', 'a/x.ts', 'deny')).toBe('ask');
    expect(claude('Edit({a,b{c,d}}/x)', 'bd/x', 'deny')).toBe('deny');
    expect(claude('Edit(a{1..3})', 'a{1..3}', 'deny')).toBe('deny');
    const many = `Edit(${'{a,b}'.repeat(7)})`;
    const { rules, problems } = parseRules({ deny: [many] }, { dialect: 'claude' });
    expect([rules.map(({ pattern }) => pattern), problems.length]).toEqual([[undefined], 1]);
    expect(parseRules({ allow: ['Edit({a,b})'] }, { dialect: 'claude' }).rules).toEqual([]);
  });

  test('an exception takes nothing from what others deny, and is said to say nothing', () => {
    const set = { deny: ['Edit(*.env)', 'Edit(!a.env)'] };
    const { rules, problems } = parseRules(set, { dialect: 'claude', file: 'x.json' });
    expect(rules.map(({ text }) => text)).toEqual(['Edit(*.env)']);
    expect(problems).toEqual([expect.stringMatching(/^x\.json: The deny rule "Edit\(!a\.env\)" is left out/)]);
  });

  test.each([
    ...[
      '/src/**',
      '/a',
      '/x/*.ts',
      '//etc/x',
      '~/n/**',
      'src/**',
      './src',
      'a/b',
      '*.pem',
      '.env',
      '[a]',
      '**',
      '~',
      '.',
    ],
    ...['/a b/\\[c]', 'docs/'],
  ])('%s denies the same in our words', (source) => {
    const theirs = parseRules({ deny: [`Edit(${source})`] }, { dialect: 'claude', base: '/w/o[t]her' }).rules;
    const ours = parseRules({ deny: theirs.map(inOurWords) });
    expect(ours.problems).toEqual([]);
    const outcomes = (rules: typeof theirs) =>
      [
        ...[
          'src/a',
          'a/src/a',
          'src',
          'a',
          'a/b',
          'b/a/b/c',
          'x.pem',
          'y/x.pem',
          '.env',
          'y/.env',
          '[a]',
          'y/[a]/c',
          'docs/a',
        ],
        ...[
          '/w/o[t]her/src/a',
          '/w/o[t]her/a',
          '/w/o[t]her/x/c.ts',
          '/w/o[t]her/a b/[c]',
          '/etc/x',
          '/home/me/n/a',
          '/home/me',
        ],
      ].map((path) => [
        path,
        decide({ id: 'c', toolName: 'edit', input: {} }, 'builtin', resolved([{ kind: 'write', path }]), {
          ...{ mode: 'dangerously', rules, scope, analyse: shellFor().analyse },
        }).outcome,
      ]);
    expect(outcomes(ours.rules)).toEqual(outcomes(theirs));
    expect(JSON.stringify(outcomes(theirs))).toContain('deny');
  });

  test('a name alone is meant at any depth, and a folder with all that is in it', () => {
    expect(claude('Edit(*.md)', 'a/b/c.md', 'allow')).toBe('allow');
    expect(claude('Edit(docs)', 'a/docs/c.md', 'allow')).toBe('allow');
    expect(claude('Edit(src/docs)', 'src/docs/c.md', 'allow')).toBe('allow');
    expect(claude('Edit(src/docs)', 'a/src/docs/c.md', 'allow')).toBe('ask');
    expect(claude('Edit(.env)', 'a/.env', 'deny')).toBe('deny');
    expect(claude('Write(x/*)', 'x/a', 'deny')).toBe('deny');
  });
});
