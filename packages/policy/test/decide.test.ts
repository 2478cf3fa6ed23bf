import type { Effect, Outcome, PermissionMode } from '@tau/core';
import { permissionModes } from '@tau/core';
import { describe, expect, test } from 'vitest';
import { decide } from '../src/index.ts';
import { decideEdit, decideOn, decideShell, scope, shellFor } from './decisions.ts';

const effects = {
  'read inside': { kind: 'read', path: 'src/a.ts' },
  'read in temp': { kind: 'read', path: '/tmp/x' },
  'read in toolchain': { kind: 'read', path: '/usr/lib/node/x.js' },
  'read outside': { kind: 'read', path: '/etc/hosts' },
  'read credentials': { kind: 'read', path: '/home/me/.ssh/id_ed25519' },
  'write inside': { kind: 'write', path: 'src/a.ts' },
  'write in temp': { kind: 'write', path: '/tmp/x' },
  'write in toolchain': { kind: 'write', path: '/usr/lib/node/x.js' },
  'write outside': { kind: 'write', path: '/etc/hosts' },
  'write protected': { kind: 'write', path: '.git/hooks/pre-commit' },
  'write credentials': { kind: 'write', path: '/home/me/.netrc' },
  'proved command': { kind: 'exec', command: 'ls', readOnly: true },
  'unproved command': { kind: 'exec', command: 'make', readOnly: false },
  net: { kind: 'net', host: 'example.org' },
  spawn: { kind: 'spawn', agent: 'reviewer' },
  mcp: { kind: 'mcp', server: 's', tool: 't' },
  config: { kind: 'config', key: 'model' },
  other: { kind: 'other', what: 'it rings a bell' },
} satisfies Record<string, Effect>;
type EffectName = keyof typeof effects;

/** One letter per mode, in the order of the columns: a(llow), ? (ask), d(eny). */
const columns: readonly PermissionMode[] = [
  'default',
  'acceptEdits',
  'trustProject',
  'auto',
  'plan',
  'dontAsk',
  'dangerously',
];
const matrix: Record<EffectName, string> = {
  'read inside': 'aaaaaaa',
  'read in temp': 'aaaaaaa',
  'read in toolchain': 'aaaaaaa',
  'read outside': '????dda',
  'read credentials': 'ddddddd',
  'write inside': '?aaadda',
  'write in temp': '?aaadda',
  'write in toolchain': '????dda',
  'write outside': '????dda',
  'write protected': '????dda',
  'write credentials': 'ddddddd',
  'proved command': 'aaaaaaa',
  'unproved command': '??a?dda',
  net: '????dda',
  spawn: '?aa?dda',
  mcp: '????dda',
  config: '????dda',
  other: '????dda',
};
const letters: Record<string, Outcome> = { a: 'allow', '?': 'ask', d: 'deny' };

describe.each(columns)('in %s mode', (mode) => {
  const column = columns.indexOf(mode);
  test.each(Object.entries(effects))('%s', (name, effect) => {
    const expected = Object.entries(matrix).find(([row]) => row === name)?.[1][column];
    const decision = decideOn('thing', [effect], { mode });
    expect(decision.outcome).toBe(letters[expected ?? '']);
    expect(decision.reason).not.toBe('');
    expect(decision.effects).toMatchObject([effect]);
  });
});

test('the matrix covers every mode', () => {
  expect([...columns].sort()).toEqual([...permissionModes].sort());
});

describe('the order', () => {
  test('deny beats everything, in every mode', () => {
    for (const mode of permissionModes) {
      const rules = { allow: ['edit', 'edit(a)'], ask: ['edit'], deny: ['edit(a)'] };
      expect(decideEdit('a', { mode, rules })).toMatchObject({ outcome: 'deny', rule: 'edit(a)' });
      expect(decideEdit('a', { mode, rules: { deny: ['*'] } })).toMatchObject({ outcome: 'deny', rule: '*' });
    }
  });

  test('ask beats allow', () => {
    expect(decideEdit('a', { rules: { allow: ['edit(a)'], ask: ['edit'] } })).toMatchObject({
      outcome: 'ask',
      rule: 'edit',
    });
    expect(decideOn('read', [{ kind: 'read', path: 'a' }], { rules: { ask: ['*'] } }).outcome).toBe('ask');
  });

  test('dangerously passes over asks', () => {
    expect(decideEdit('a', { mode: 'dangerously', rules: { ask: ['*'] } }).outcome).toBe('allow');
  });

  test('an allow rule beats the mode', () => {
    expect(decideEdit('/etc/hosts', { rules: { allow: ['edit(/etc/hosts)'] } })).toMatchObject({
      outcome: 'allow',
      rule: 'edit(/etc/hosts)',
    });
    expect(decideShell('make', { mode: 'dontAsk', rules: { allow: ['bash(make)'] } }).outcome).toBe('allow');
  });

  test('plan mode only reads, whatever the rules allow or ask', () => {
    for (const rules of [{ allow: ['bash', 'edit'] }, { ask: ['bash', 'edit'] }]) {
      expect(decideShell('make', { mode: 'plan', rules })).toMatchObject({
        outcome: 'deny',
        reason: 'plan mode only reads',
      });
      expect(decideEdit('a', { mode: 'plan', rules })).toMatchObject({
        outcome: 'deny',
        reason: 'plan mode only reads',
      });
    }
  });

  test('plan mode does not ask either, and says what it would have asked', () => {
    expect(decideOn('read', [{ kind: 'read', path: '/etc/hosts' }], { mode: 'plan' })).toMatchObject({
      outcome: 'deny',
      reason: 'plan mode does not ask: it reads /etc/hosts, outside the project',
    });
    expect(decideShell('ls', { mode: 'plan', rules: { ask: ['bash(ls)'] } })).toMatchObject({
      outcome: 'deny',
      reason: 'plan mode does not ask: the rule bash(ls) asks first',
      rule: 'bash(ls)',
    });
  });

  test('dontAsk says what would have been asked', () => {
    expect(decideShell('make', { mode: 'dontAsk' }).reason).toBe(
      'dontAsk mode denies what would ask: the command is not proved to be read-only: it runs code that nobody has looked at',
    );
  });

  test('the strictest effect wins', () => {
    expect(decideShell('cat a.txt').outcome).toBe('allow');
    expect(decideShell('cat a.txt /etc/hosts').outcome).toBe('ask');
    expect(decideShell('cat /etc/hosts /home/me/.aws/credentials a.txt').outcome).toBe('deny');
  });

  test('a built-in tool without effects is allowed', () => {
    for (const mode of permissionModes) expect(decideOn('todo', [], { mode }).outcome).toBe('allow');
  });
});

describe('tools that are not ours', () => {
  const reading: Effect[] = [{ kind: 'read', path: 'a' }];
  test.each(['extension', 'mcp'] as const)('an %s tool is not believed', (source) => {
    for (const mode of permissionModes) {
      const expected = mode === 'dangerously' ? 'allow' : mode === 'plan' || mode === 'dontAsk' ? 'deny' : 'ask';
      expect(decideOn('lint', reading, { source, mode }).outcome).toBe(expected);
      expect(decideOn('lint', [], { source, mode }).outcome).toBe(expected);
    }
  });

  test('a rule that names the tool lets it through, a pattern does not', () => {
    expect(decideOn('lint', reading, { source: 'extension', rules: { allow: ['lint'] } }).outcome).toBe('allow');
    expect(decideOn('read', reading, { source: 'extension', rules: { allow: ['read(a)'] } }).outcome).toBe('ask');
    const named = { allow: ['edit', 'edit(.git/config)'] };
    expect(decideEdit('.git/config', { source: 'extension', rules: named }).outcome).toBe('ask');
  });

  const lookalikes: [tool: string, ours: string][] = [
    ['write_file', 'write'],
    ['BASH', 'bash'],
    ['Shell', 'bash'],
    ['MultiEdit', 'edit'],
    ['READ', 'read'],
  ];
  test.each(lookalikes)(
    '%s of an extension is not allowed by a rule for our %s, but by one of its own name',
    (tool, ours) => {
      for (const source of ['extension', 'mcp'] as const) {
        expect(decideOn(tool, reading, { source, rules: { allow: [ours] } }).outcome).toBe('ask');
        expect(decideOn(tool, [], { source, rules: { allow: [ours] } }).outcome).toBe('ask');
        expect(decideOn(tool, reading, { source, rules: { allow: [tool] } }).outcome).toBe('allow');
      }
    },
  );

  test('a name in another case is another tool to an allow rule', () => {
    expect(decideOn('myLint', [], { source: 'mcp', rules: { allow: ['myLint'] } }).outcome).toBe('allow');
    expect(decideOn('myLint', [], { source: 'mcp', rules: { allow: ['mylint'] } }).outcome).toBe('ask');
    expect(decideOn('mylint', [], { source: 'mcp', rules: { allow: ['myLint'] } }).outcome).toBe('ask');
  });

  test.each(lookalikes)('%s of an extension is denied and asked for by its own name and as our %s', (tool, ours) => {
    for (const name of [tool, ours]) {
      const deny = { allow: [tool], deny: [name] };
      const ask = { allow: [tool], ask: [name] };
      expect(decideOn(tool, [], { source: 'extension', mode: 'dangerously', rules: deny }).outcome).toBe('deny');
      expect(decideOn(tool, [], { source: 'extension', rules: ask }).outcome).toBe('ask');
    }
  });

  test('a path rule restricts a lookalike in everything it does', () => {
    const write = [{ kind: 'write', path: 'a' }] as const;
    const rules = { allow: ['READ'], deny: ['read(a)'] };
    expect(decideOn('READ', write, { source: 'extension', rules }).outcome).toBe('deny');
  });
});

describe('paths', () => {
  test.each(['/w/app-evil/x', '../app-evil/x', 'src/../../x', '/w/app/../x', '..', '/'])('%s is outside', (path) => {
    expect(decideOn('read', [{ kind: 'read', path }]).outcome).toBe('ask');
    expect(decideOn('write', [{ kind: 'write', path }], { mode: 'acceptEdits' }).outcome).toBe('ask');
  });

  test.each(['..x', 'a/../b', '.', '/w/app', '/w/added/y'])('%s is inside', (path) => {
    expect(decideOn('write', [{ kind: 'write', path }], { mode: 'acceptEdits' }).outcome).toBe('allow');
  });

  test('a NUL byte is denied', () => {
    expect(decideOn('read', [{ kind: 'read', path: 'a\0b' }], { mode: 'dangerously' }).outcome).toBe('deny');
  });

  test('a symlink that leads outside is outside, and the reason shows where', () => {
    const decision = decideOn('read', [{ kind: 'read', path: 'passwd' }], { links: { passwd: '/etc/passwd' } });
    expect(decision).toMatchObject({ outcome: 'ask', reason: 'it reads passwd (/etc/passwd), outside the project' });
  });

  test('a path nobody followed is not inside', () => {
    const policy = { mode: 'acceptEdits', rules: [], scope, analyse: shellFor().analyse } as const;
    const call = { id: 'c', toolName: 'write', input: {} };
    expect(decide(call, 'builtin', [{ kind: 'write', path: 'a' }], policy).outcome).toBe('ask');
  });

  test.each([
    '/home/me/.ssh/id_rsa',
    '/home/me/.ssh',
    '/home/me/.SSH/id_rsa',
    '/home/me/.s\u200dsh/id_rsa',
    '/home/me/.ſsh/id_rsa',
    '/home/me/x/../.gnupg/ring',
    '/home/me/.aws/credentials',
    '/home/me/.azure/x',
    '/home/me/.config/gcloud/x',
    '/home/me/.config/gh/hosts.yml',
    '/home/me/.kube/config',
    '/home/me/.docker/config.json',
    '/home/me/.netrc',
    '/home/me/.npmrc',
    '/home/me/.pypirc',
    '/home/me/.git-credentials',
    '/home/me/.tau/auth.json',
    '/home/me/.tau/auth.json.0b1c2d3e.tmp',
    '/home/me/.tau/models.json',
    '/etc/shadow',
    '/etc/gshadow',
  ])('%s holds credentials, even for dangerously and an allow rule', (path) => {
    const setting = { mode: 'dangerously', rules: { allow: ['read', `read(${path})`] } } as const;
    expect(decideOn('read', [{ kind: 'read', path }], setting).outcome).toBe('deny');
    expect(decideOn('read', [{ kind: 'read', path: 'link' }], { ...setting, links: { link: path } }).outcome).toBe(
      'deny',
    );
    expect(decideOn('read', [{ kind: 'read', path }], { ...setting, links: { [path]: '/w/app/x' } }).outcome).toBe(
      'deny',
    );
  });

  test('a tilde is home, in case a tool takes it so', () => {
    expect(decideOn('read', [{ kind: 'read', path: '~/.ssh/id_rsa' }], { mode: 'dangerously' }).outcome).toBe('deny');
  });

  test.each(['.env', '.env.local', '/home/me/.sshd', '/home/me/.config/other', '/w/app/.npmrc'])(
    '%s does not',
    (path) => {
      expect(decideOn('read', [{ kind: 'read', path }], { mode: 'dangerously' }).outcome).toBe('allow');
    },
  );

  const guarded = [
    '.git/config',
    '.GIT/hooks/x',
    'sub/.git/config',
    '.tau/prompts/x.md',
    '.claude/settings.json',
    '.codex/config.toml',
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.g\u200cit/config',
    '/home/me/.bashrc',
    '/home/me/.bash_profile',
    '/home/me/.profile',
    '/home/me/.zshrc',
    '/home/me/.zshenv',
    '/home/me/.zprofile',
  ];
  test.each(guarded)('writing %s always asks unless a rule names that file', (path) => {
    for (const mode of ['default', 'acceptEdits', 'trustProject', 'auto'] as const) {
      for (const allow of [[], ['edit'], ['edit(/:*)'], ['write'], ['write(/:*)'], [`read(${path})`]]) {
        expect(decideEdit(path, { mode, rules: { allow } }).outcome).toBe('ask');
      }
      for (const allow of [[`edit(${path})`], [`write(${path})`]]) {
        expect(decideEdit(path, { mode, rules: { allow } }).outcome).toBe('allow');
      }
      expect(
        decideEdit('link', { mode, links: { link: path.startsWith('/') ? path : `/w/app/${path}` } }).outcome,
      ).toBe('ask');
    }
  });

  test.each(['.gitignore', '.github/workflows/x.yml', 'git/x', '/w/app/bashrc'])('%s is an ordinary file', (path) => {
    expect(decideEdit(path, { mode: 'acceptEdits' }).outcome).toBe('allow');
  });
});

describe('a read of a whole tree', () => {
  const deny = ['read(secrets/**)'];
  test.each(['grep -rn key .', 'rg key', 'cp -r . /tmp/copy', 'tar czf /tmp/a.tgz .'])(
    '%s asks when a rule keeps something in it',
    (command) => {
      const decision = decideShell(command, { rules: { allow: ['bash'], deny }, mode: 'acceptEdits' });
      expect(decision).toMatchObject({ outcome: 'ask', everyTime: true });
      expect(decision.reason).toContain('read(secrets/**)');
    },
  );

  test('one beside what the rule keeps does not', () => {
    expect(decideShell('grep -rn key src', { rules: { deny } }).outcome).toBe('allow');
    expect(decideShell('ls', { rules: { deny } }).outcome).toBe('allow');
    expect(decideShell('grep -rn key src', { rules: { deny: ['read(**/*.pem)'] } }).outcome).toBe('ask');
  });

  test('one that holds credentials is denied', () => {
    expect(decideShell('grep -r key ~').outcome).toBe('deny');
    expect(decideShell('grep -r key /home').outcome).toBe('deny');
  });
});

describe('trustProject runs what stays in the project', () => {
  test.each(['make', 'npm test', 'NODE_ENV=test npm test', 'python3 tools/x.py src', './run.sh -o=build/x'])(
    '%s is allowed',
    (command) => {
      expect(decideShell(command, { mode: 'trustProject' }).outcome).toBe('allow');
    },
  );
  test.each([
    'make -C /srv',
    'python3 ../x.py',
    'python3 x.py ~/notes',
    'python3 x.py $HIDDEN',
    'PATH=. make',
    'node x.js .git/hooks/pre-commit',
    'node x.js --out=.tau/settings.json',
    'curl https://example.org',
    'npm install left-pad',
    'kill 4711',
    'git push --force',
    'cd .. && make',
  ])('%s is asked about', (command) => {
    expect(decideShell(command, { mode: 'trustProject' }).outcome).toBe('ask');
  });
});

test('what is removed in the temp folder is no loss, unless the project is there', () => {
  const removes = (path: string, roots: readonly string[]) =>
    decide(
      { id: 'c', toolName: 'bash', input: {} },
      'builtin',
      [{ kind: 'write', path, removes: 'tree', resolved: path }],
      { mode: 'acceptEdits', rules: [], scope: { ...scope, roots }, analyse: shellFor().analyse },
    );
  expect(removes('/tmp/build', ['/w/app'])).toMatchObject({ outcome: 'allow', class: 'write' });
  expect(removes('/tmp/app/src', ['/tmp/app'])).toMatchObject({ outcome: 'ask', class: 'dangerous' });
  expect(removes('/tmp', ['/w/app'])).toMatchObject({ outcome: 'ask', class: 'dangerous' });
});
