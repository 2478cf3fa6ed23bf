/** What a line shows of files without naming a program that reads them: tests of paths, and what git keeps. */
import { describe, expect, test } from 'vitest';
import { decide, parseRules, type RuleSet, shellEffects } from '../src/index.ts';
import { decideShell, resolved, scope, shellIn } from './decisions.ts';
import { does, isReadOnly } from './walking.ts';

const folders: Readonly<Record<string, readonly string[]>> = {
  'src/*': ['src/app.ts'],
  'sr?': ['src'],
  'src/app.t?': ['src/app.ts'],
};
const shell = await shellIn({ tameGit: () => true, glob: (pattern) => folders[pattern] ?? [] });

function outcome(line: string, rules: RuleSet = {}): string {
  const { outcome } = decide(
    { id: 'c1', toolName: 'bash', input: {} },
    'builtin',
    resolved(shellEffects(line, shell)),
    {
      mode: 'default',
      rules: parseRules(rules).rules,
      scope,
      analyse: shell.analyse,
      contained: false,
    },
  );
  return outcome;
}

describe('a test of a path looks at it', () => {
  test.each([
    ['[[ -f /etc/x ]]', ['read /etc/x']],
    ['[ -e /etc/x ]', ['read /etc/x']],
    ['test -r /etc/x', ['read /etc/x']],
    ['[[ ! -d ~/x && ( -s a || -L b ) ]]', ['read /home/me/x', 'read a', 'read b']],
    ['[[ /etc/a -nt b ]]', ['read /etc/a', 'read b']],
    ['[ a -ot /etc/b ]', ['read a', 'read /etc/b']],
    ['[[ a -ef ../b ]]', ['read a', 'read ../b']],
    ['cd src && [[ -f ../../x ]]', ['read src/../../x']],
    ['for f in a /etc/b; do [[ -e $f ]]; done', ['read a', 'read /etc/b']],
    // Texts and patterns are no paths.
    ['[[ $OSTYPE == /etc/* ]]', []],
    ['[[ x =~ ^/etc/ ]]', []],
    ['[[ /etc/x ]]', []],
    ['[[ -n /etc/x && -z /etc/y && a < /etc/z ]]', []],
    ['[[ -o pipefail && -t 1 ]]', []],
  ])('%s', (line, expected) => {
    expect(does(line)).toEqual(expected);
    expect(isReadOnly(line)).toBe(true);
  });

  test('a path that nobody knows yet is not proved', () => {
    for (const line of ['[[ -f $1 ]]', '[[ -f "$(cat x)" ]]', 'cd "$x" && [[ -f a ]]', '[[ a -nt $X ]]']) {
      expect([line, isReadOnly(line)]).toEqual([line, false]);
    }
  });

  test('rules and modes see it like any other look', () => {
    expect(decideShell('[[ -f src/a ]]').outcome).toBe('allow');
    for (const line of ['[[ -f /etc/x ]]', '[ -f /etc/x ]', 'ls /etc/x']) expect(decideShell(line).outcome).toBe('ask');
    expect(decideShell('[[ -s .env ]]', { rules: { deny: ['read(.env)'] } }).outcome).toBe('deny');
    expect(decideShell('[[ -r ~/.ssh/id_rsa ]]', { mode: 'dangerously' }).outcome).toBe('deny');
  });
});

test.each([
  'TMPDIR=/x sort a',
  'env TMPDIR=/x sort a',
  'export TMPDIR=/x; sort a',
  'TMPDIR=/x; sort a',
  'sort -T /x a',
])('sort that may be told where to put what it has no room for is not proved: %s', (line) => {
  expect(isReadOnly(line)).toBe(false);
});

const env: RuleSet = { deny: ['read(.env)'] };
const secrets: RuleSet = { deny: ['read(secrets/**)'] };

describe('what git prints of files that may not be read', () => {
  const showing = [
    'git diff',
    'git diff HEAD~1',
    'git diff feature/x.y',
    'git diff --cached -M',
    'git diff --stat -p',
    "git diff -- ':!src'",
    "git diff -- '*.e*'",
    'git diff -- .',
    'git log -p',
    'git log -p -1',
    'git log -U3',
    'git log --cc',
    'git log -p --full-diff -- src/app.ts',
    'git show',
    'git show HEAD',
    'git show HEAD HEAD:src/app.ts',
    'git stash show -p',
    'git stash list -p',
    'git reflog -p',
    'git whatchanged -p',
    'git status -v',
    'git diff-tree -p HEAD',
    'git grep x',
    'git grep x HEAD',
    'git grep -e x --and -e y',
    'git cat-file -p 1234abcd',
    'git cat-file blob 1234abcd',
    'git cat-file --batch',
    'cd src && git diff',
    'git -C src log -p',
  ];

  test.each(showing)('%s is asked about as a search of everything is', (line) => {
    expect(outcome('grep -r x .', env)).toBe('ask');
    expect([outcome(line, env), outcome(line, secrets)]).toEqual(['ask', 'ask']);
    expect(outcome(line, { ...env, allow: ['bash'] })).toBe('ask');
  });

  test.each(showing)('%s is proved where no such rule is', (line) => {
    expect(shell.analyse(line).parts.every(({ finding }) => finding.known)).toBe(true);
    expect(outcome(line)).toBe('allow');
    expect(outcome(line, { deny: ['read(/elsewhere/**)', 'edit(.env)'] })).toBe('allow');
  });

  test.each([
    'git show HEAD:.env',
    'git show :.env',
    'git show HEAD~2:config/.env',
    'git cat-file -p HEAD:.env',
    'git diff HEAD:.env main:.env',
    'git diff -- .env',
    'git log -p -- .env',
    'git blame .env',
    'git grep x -- .env',
    'cd src && git show HEAD:.env',
    'git archive HEAD .env',
  ])('%s names the file', (line) => {
    expect(outcome(line, env)).toBe('deny');
  });

  test('from a folder below, a path is that of the repository', () => {
    expect(outcome('cd src && git show HEAD:secrets/key', { deny: ['read(/w/app/secrets/key)'] })).toBe('deny');
  });

  test.each([
    'git status',
    'git log',
    'git log --oneline --stat',
    'git log -S secret',
    'git diff --stat',
    'git diff --name-only HEAD~1',
    'git show --no-patch HEAD',
    'git show HEAD:src/app.ts',
    'git cat-file -p HEAD:src/app.ts',
    'git cat-file -t HEAD',
    'git blame src/app.ts',
    'git diff src/app.ts',
    'git diff HEAD -- src/app.ts',
    'git log -p -- src/app.ts',
    'git stash list',
    'git ls-files',
  ])('%s shows nothing of it', (line) => {
    expect(outcome(line, env)).toBe('allow');
  });

  test('a folder is asked about only when it may hold such a file', () => {
    expect(outcome('git diff -- src', env)).toBe('ask');
    expect(outcome('git diff -- src', secrets)).toBe('allow');
    expect(outcome('git grep x src', secrets)).toBe('allow');
  });

  test('calls that are not understood are asked about with every command allowed', () => {
    const rules: RuleSet = { ...env, allow: ['bash'] };
    for (const line of [
      'git archive HEAD',
      'git format-patch -1 --stdout',
      'git log -p --textconv',
      'git -c a.b=c diff',
      'git range-diff a b c',
      'git bundle create - main',
      'git difftool',
    ]) {
      expect([line, outcome(line, rules)]).toEqual([line, 'ask']);
    }
    expect(outcome('git commit -m x', rules)).toBe('allow');
  });
});
