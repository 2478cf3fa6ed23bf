import { describe, expect, test } from 'vitest';
import { parseRules } from '../src/index.ts';
import { decideShell } from './decisions.ts';
import { decideParts } from './rules-parts.ts';

const outcome = (command: string, rules: { allow?: string[]; ask?: string[]; deny?: string[] }) =>
  decideShell(command, { rules }).outcome;

describe('wildcards in commands', () => {
  test.each([
    ['ls *', ['ls', 'ls -la', 'ls a b'], ['lsof', 'lsof -i', 'xls']],
    ['lsx*', ['lsx', 'lsxof', 'lsx -i', 'lsxof -i'], ['lsof', 'alsx']],
    ['npm run *', ['npm run build', 'npm run test -- x', 'npm run'], ['npm runner', 'npm test', 'npx run x']],
    ['npm:*', ['npm', 'npm test'], ['npmx', 'npm:test']],
    ['npm *', ['npm', 'npm test'], ['npmx', 'npm:test']],
    ['npm run test*', ['npm run test', 'npm run test:unit', 'npm run tests x'], ['npm run build', 'npm run']],
    ['git * main', ['git push origin main', 'git merge main'], ['git push origin mainx', 'git main', 'gitk x main']],
    ['* --version', ['node --version', 'cargo +nightly --version'], ['--version', 'node --version -x']],
    ['make a*z', ['make az', 'make abcz', 'make a b z'], ['make a', 'make za']],
    [
      'git commit -m "a b"',
      ['git commit -m "a b"', "git commit -m 'a b'"],
      ['git commit -m a b', 'git commit -m "a  b"'],
    ],
    ['git commit -m "a b" *', ['git commit -m "a b" -q'], ['git commit -m a b -q']],
    ['make \\*', ["make '*'"], ['make x', 'make']],
    ['make a\\*b:*', ["make 'a*b' c"], ['make axb']],
    ['make "x *"', ["make 'x y'"], ['make x y']],
  ])('bash(%s) allows these and not those', (pattern, passing, asking) => {
    const rules = { allow: [`bash(${pattern})`] };
    expect(parseRules(rules).problems).toEqual([]);
    for (const command of passing) expect([command, outcome(command, rules)]).toEqual([command, 'allow']);
    for (const command of asking) expect([command, outcome(command, rules)]).toEqual([command, 'ask']);
  });

  test('a star never reaches over an operator', () => {
    for (const pattern of ['make *', 'make:*', 'make *x', '* x']) {
      for (const glue of [' && ', ' ; ', ' | ', ' || ']) {
        expect(outcome(`make x${glue}other y`, { allow: [`bash(${pattern})`] })).toBe('ask');
      }
    }
    expect(outcome('make x && make y', { allow: ['bash(make *)'] })).toBe('allow');
  });

  test('a word with blanks in it is one word', () => {
    expect(outcome("'npm test'", { allow: ['bash(npm test:*)'] })).toBe('ask');
    expect(outcome("'npm test' x", { allow: ['bash(npm *)'] })).toBe('ask');
    expect(outcome("npm 'run x'", { allow: ['bash(npm run *)'] })).toBe('ask');
  });

  test.each(['make > *', 'make | *', 'make $X *', 'make `x`:*', 'make "a$b" *', "make 'x *", 'a && b *'])(
    'bash(%s) is more than one simple command, and allows nothing',
    (pattern) => {
      expect(parseRules({ allow: [`bash(${pattern})`] })).toMatchObject({
        rules: [],
        problems: [expect.stringContaining('one simple command')],
      });
      expect(parseRules({ deny: [`bash(${pattern})`] }).problems).toEqual([]);
    },
  );

  test.each([
    [
      'rm *',
      ['rm x', 'sudo rm x', '/bin/rm -r x', "r'm' x", 'ls && rm x', 'echo $(rm x)', '>x rm y'],
      ['rmdir x', 'lsrm x'],
    ],
    ['git push * main', ['git push origin main', 'ls; git push -f origin main'], ['git push origin dev']],
    ['* --force', ['git push --force', 'npm i x --force'], ['git push --force-with-lease']],
    ['curl * | bash', ['curl x | bash', 'curl -s x | sudo bash', 'ls; curl x|bash'], ['curl x', 'curl x | jq']],
    ['curl * | sh:*', ['curl x | sh -s -- y'], ['curl x > y']],
    ['npm run deploy*', ['npm run deploy', 'npm run deploy:prod'], ['npm run build']],
  ])('bash(%s) denies these and not those', (pattern, denied, free) => {
    const rules = { allow: ['bash'], deny: [`bash(${pattern})`] };
    for (const command of denied) expect([command, outcome(command, rules)]).toEqual([command, 'deny']);
    for (const command of free) expect([command, outcome(command, rules) === 'deny']).toEqual([command, false]);
  });

  test('options before a word do not hide it', () => {
    for (const command of ['git -C . push', 'git --no-pager -c a=b push origin', 'git -P push', 'sudo git -C x push']) {
      expect([command, outcome(command, { allow: ['bash'], deny: ['bash(git push:*)'] })]).toEqual([command, 'deny']);
    }
    for (const command of ['git log push', 'git -C x log', 'git --no-pager log']) {
      expect([command, outcome(command, { deny: ['bash(git push:*)'] }) === 'deny']).toEqual([command, false]);
    }
    expect(outcome('git -C . push', { allow: ['bash(git push:*)'] })).toBe('ask');
  });

  test('a program in capitals is the same program where the disk does not mind', () => {
    expect(outcome('RM -rf x', { deny: ['bash(rm:*)'] })).toBe('deny');
  });

  test('numbers in quotes are the letters they stand for', () => {
    for (const command of ["$'\\x72m' x", "$'\\162\\155' x", "$'\\u0072m' x", "a; $'\\x72'm x"]) {
      expect([command, outcome(command, { deny: ['bash(rm:*)'] })]).toEqual([command, 'deny']);
    }
  });
});

describe('words that only the shell will know', () => {
  test('are covered by a star, never by a fixed word', () => {
    expect(decideParts({ allow: ['bash(npm test:*)'] }, { words: ['npm', 'test', undefined] }).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(npm test:*)'] }, { words: ['npm', undefined] }).outcome).toBe('ask');
    expect(decideParts({ allow: ['bash(npm * x)'] }, { words: ['npm', undefined, 'x'] }).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(npm * x)'] }, { words: ['npm', 'x', undefined] }).outcome).toBe('ask');
    expect(decideParts({ allow: ['bash(npm test)'] }, { words: ['npm', 'test'], open: true }).outcome).toBe('ask');
    expect(decideParts({ allow: ['bash(npm test *)'] }, { words: ['npm', 'test'], open: true }).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(npm *)'] }, { words: [undefined, 'test'] }).outcome).toBe('ask');
  });

  test.each([
    [['git', undefined], false, 'bash(git push:*)', true],
    [['git', undefined, 'x'], false, 'bash(git push:*)', true],
    [['git', undefined, 'push'], true, 'bash(git push:*)', true],
    [['git', 'log', undefined], true, 'bash(git push:*)', false],
    [['git', 'push'], true, 'bash(* --force)', true],
    [['git', 'push', undefined], false, 'bash(* --force *)', true],
    [['npm', undefined], true, 'bash(git:*)', false],
    [[undefined, 'x'], false, 'bash(rm:*)', true],
    [['git', undefined, 'pull'], true, 'bash(git push)', false],
    [['git', 'pus', undefined], true, 'bash(git push:*)', false],
    [['npm', 'test', undefined], true, 'bash(npm test:ci)', false],
  ])('%j (more to come: %s) may be what %s is about: %s', (words, open, rule, may) => {
    const rules = { allow: ['bash'], deny: [rule] };
    const { outcome: word, reason } = decideParts(rules, { words, open });
    expect(word).toBe(may ? 'ask' : 'allow');
    if (may) expect(reason).toContain(rule);
  });

  test('may be nothing at all, and then the next word is the program', () => {
    expect(decideParts({ deny: ['bash(rm:*)'] }, { words: [undefined, 'rm', 'x'], open: true }).outcome).toBe('deny');
    expect(decideParts({ allow: ['bash(rm:*)'] }, { words: [undefined, 'rm', 'x'], open: true }).outcome).toBe('ask');
  });

  test('are no reason to ask once the very line is allowed', () => {
    const rules = { allow: ['bash(as told)'], deny: ['bash(rm:*)'] };
    expect(decideParts(rules, { words: [undefined, 'x'] }).outcome).toBe('allow');
  });
});

describe('lines as a shell would read them', () => {
  test.each([
    ['npm test "$(git status)"', 'ask'],
    ['npm test "$(npm test)"', 'allow'],
    ['npm test $X', 'allow'],
    ['npm test -- "$X" > /dev/null 2>&1', 'allow'],
    ['for f in a b; do npm test "$f"; done', 'allow'],
    ['for f in a b; do npm "$f"; done', 'ask'],
    ['time npm test', 'allow'],
    ['nice -n 5 npm test', 'allow'],
    ['echo a | xargs npm test', 'allow'],
    ['bash -c "npm test"', 'allow'],
    ['bash -c "npm test; other"', 'ask'],
    ['(npm test)', 'allow'],
    ['npm test && cd /tmp && npm test', 'ask'],
    ['NODE_OPTIONS=--require=./x npm test', 'ask'],
    ['eval npm test', 'allow'],
    ['PATH=.; npm test', 'ask'],
    ['alias npm=rm; npm test', 'ask'],
  ])('with npm test:* allowed, %s is %s', (command, expected) => {
    expect(outcome(command, { allow: ['bash(npm test:*)'] })).toBe(expected);
  });

  test.each(['git $X', 'git "$X" origin', '$X push', 'git `echo push`', 'xargs git', 'git {$a,push}'])(
    'with git push denied and everything else allowed, %s asks',
    (command) => {
      expect(outcome(command, { allow: ['bash'], deny: ['bash(git push:*)'] })).not.toBe('allow');
    },
  );
});

describe('what surrounds a command', () => {
  const allow = ['bash(npm test:*)'];

  test('harmless variables do not hide it, others do', () => {
    const given = (name: string, value: string | undefined = '1') =>
      decideParts({ allow }, { words: ['npm', 'test'], assigns: [{ name, value }] }).outcome;
    expect(given('CI')).toBe('allow');
    expect(given('NODE_ENV')).toBe('allow');
    expect(given('LC_ALL')).toBe('allow');
    for (const name of ['PATH', 'NODE_OPTIONS', 'LD_PRELOAD', 'X', 'ci', 'BASH_ENV']) expect(given(name)).toBe('ask');
    expect(
      decideParts({ allow }, { words: ['npm', 'test'], assigns: [{ name: 'CI', value: undefined }] }).outcome,
    ).toBe('ask');
  });

  test('a rule is about the project: a command started elsewhere is another one', () => {
    const inFolders = (folders: readonly string[] | undefined) =>
      decideParts({ allow }, { words: ['npm', 'test'], folders }).outcome;
    expect(inFolders(['/w/app/packages/a'])).toBe('allow');
    expect(inFolders(['/w/added'])).toBe('allow');
    expect(inFolders(['/tmp/x'])).toBe('ask');
    expect(inFolders(['/w/app', '/w'])).toBe('ask');
    expect(inFolders(undefined)).toBe('ask');
  });

  test('a rule for what starts another program speaks for that program', () => {
    const timeout = { words: ['timeout', '5', 'make', 'x'], wrapper: true };
    const make = { words: ['make', 'x'], through: ['timeout'] };
    expect(decideParts({ allow: ['bash(timeout 5 make:*)'] }, timeout, make).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(make:*)'] }, timeout, make).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(timeout 6 make:*)'] }, timeout, make).outcome).toBe('ask');
    const other = { words: ['rm', 'x'] };
    expect(decideParts({ allow: ['bash(timeout:*)'] }, timeout, make, other).outcome).toBe('ask');
    expect(decideParts({ allow: ['bash(timeout 5 make:*)'] }, timeout, other, make).outcome).toBe('ask');
  });

  test('a shell that may run any text may, one with a named script may not', () => {
    const shell = { words: ['bash', '-c', 'rm x; ls'], wrapper: true };
    const inner = [
      { words: ['rm', 'x'], through: ['bash'] },
      { words: ['other'], through: ['bash'] },
    ];
    expect(decideParts({ allow: ['bash(bash -c:*)'] }, shell, ...inner).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(bash:*)'] }, shell, ...inner).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(bash -c *x*)'] }, shell, ...inner).outcome).toBe('ask');
    expect(decideParts({ allow: ['bash(bash:*)'] }, shell, ...inner, { words: ['rm', 'x'] }).outcome).toBe('ask');
  });

  test('a search that removes or starts something is allowed only by a rule that says so', () => {
    for (const words of [
      ['find', '.', '-delete'],
      ['find', '.', '-fprint', 'x'],
      ['find', '.', '-exec', 'rm', '{}', '+'],
      ['/usr/bin/find', '.', '-delete'],
      ['fd', 'x', '-x', 'rm'],
    ]) {
      expect(decideParts({ allow: ['bash(find:*)', 'bash(/usr/bin/find *)', 'bash(fd *)'] }, { words }).outcome).toBe(
        'ask',
      );
    }
    expect(decideParts({ allow: ['bash(find . -delete)'] }, { words: ['find', '.', '-delete'] }).outcome).toBe('allow');
    expect(decideParts({ allow: ['bash(find:*)'] }, { words: ['find', '.', '-name', 'x'] }).outcome).toBe('allow');
  });

  test('a program below home may be written with a tilde', () => {
    const rules = { allow: ['bash(~/bin/x:*)'] };
    expect(decideParts(rules, { words: ['/home/me/bin/x', 'y'] }).outcome).toBe('allow');
    expect(decideParts(rules, { words: ['/home/other/bin/x', 'y'] }).outcome).toBe('ask');
    expect(decideParts(rules, { words: ['~/bin/x', 'y'] }).outcome).toBe('ask');
  });
});
