import type { Effect } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deniesBelow, parseRules, type RuleSet, shellEffects, suggestRules } from '../src/index.ts';
import { decideEdit, decideOn, decideShell, resolved, scope, shellFor } from './decisions.ts';

describe('reading rules', () => {
  test('a rule is a tool, a tool with exact text, or a tool with a prefix', () => {
    expect(parseRules({ allow: ['bash', 'Bash(npm test)', 'edit(src:*)'] })).toMatchObject({
      rules: [
        { outcome: 'allow', text: 'bash', tool: 'bash', written: 'bash' },
        {
          outcome: 'allow',
          text: 'Bash(npm test)',
          tool: 'bash',
          written: 'Bash',
          pattern: { kind: 'exact', value: 'npm test' },
        },
        {
          outcome: 'allow',
          text: 'edit(src:*)',
          tool: 'edit',
          written: 'edit',
          pattern: { kind: 'prefix', value: 'src' },
        },
      ],
      problems: [],
    });
  });

  test.each([
    ['Bash', 'bash'],
    ['Shell', 'bash'],
    ['run_shell', 'bash'],
    ['Read', 'read'],
    ['read_file', 'read'],
    ['write_file', 'write'],
    ['MultiEdit', 'edit'],
    ['Glob', 'glob'],
    ['Grep', 'grep'],
    ['LS', 'ls'],
    ['WebFetch', 'web_fetch'],
    ['TodoWrite', 'todo'],
    ['AskUserQuestion', 'ask_user'],
    ['ExitPlanMode', 'plan_exit'],
    ['EnterPlanMode', 'plan_enter'],
    ['BashOutput', 'jobs'],
    ['KillShell', 'jobs'],
    ['NotebookRead', 'read'],
    ['ToolSearch', 'tool_search'],
    ['exec_command', 'bash'],
    ['local_shell', 'bash'],
    ['apply_patch', 'apply_patch'],
    ['update_plan', 'todo'],
    ['find', 'glob'],
    ['fetch_url', 'web_fetch'],
    ['run_shell_command', 'bash'],
    ['replace', 'edit'],
    ['search_file_content', 'grep'],
    ['list_directory', 'ls'],
    ['list', 'ls'],
    ['webfetch', 'web_fetch'],
    ['todowrite', 'todo'],
    ['mcp__github__create_issue', 'mcp__github__create_issue'],
  ])('%s is our %s', (written, tool) => {
    expect(parseRules({ deny: [written] }).rules[0]?.tool).toBe(tool);
  });

  const unreadable = [
    'edit(src/{a,b})',
    'edit(!src)',
    'edit(a:*/b)',
    'read([ab)',
    'read(:*)',
    'read( )',
    'bash()',
    'bash( )',
    'bash(:*)',
    'bash( *)x',
    'bash(npm:*:*)',
    'bash(npm:* test)',
    'bash(npm test',
    'bash npm)',
    'bash(x) y',
    'web_fetch(example.org)',
    'web_fetch(domain:)',
    'web_fetch(domain:*)',
    'web_fetch(domain:*.)',
    'web_fetch(domain:a.*.org)',
    'web_fetch(domain:example.org:8080)',
    'web_fetch(domain:example.org/path)',
    'web_fetch(domain:me@example.org)',
    'web_fetch(domain:two words)',
  ];
  test.each(unreadable)('%s is reported, allows nothing, and denies or asks for the whole tool', (text) => {
    expect(parseRules({ allow: [text] }).rules).toEqual([]);
    for (const outcome of ['ask', 'deny'] as const) {
      const { rules, problems } = parseRules({ [outcome]: [text] });
      expect(rules).toMatchObject([{ outcome, text, tool: expect.stringMatching(/^(bash|edit|read|web_fetch|\*)$/) }]);
      expect(rules[0]).not.toHaveProperty('pattern');
      expect(problems).toEqual([expect.stringContaining(JSON.stringify(text))]);
    }
  });

  test.each(['', '(x)', 'my tool', 'a/b(x)', 'mcp[', '-x'])(
    '%j has no readable tool and restricts every tool',
    (text) => {
      expect(parseRules({ deny: [text] }).rules).toMatchObject([{ outcome: 'deny', text, tool: '*' }]);
      expect(parseRules({ allow: [text] })).toMatchObject({
        rules: [],
        problems: [expect.stringContaining('cannot be read')],
      });
    },
  );

  test('every tool can be asked or denied, never allowed', () => {
    expect(parseRules({ ask: ['*'], deny: ['*'] }).problems).toEqual([]);
    expect(parseRules({ allow: ['*'] })).toMatchObject({
      rules: [],
      problems: [expect.stringContaining('name its tool')],
    });
  });

  test('a prefix that is more than one plain command allows nothing', () => {
    expect(parseRules({ allow: ['bash(npm test && x:*)', 'bash(echo $X:*)'] })).toMatchObject({
      rules: [],
      problems: [{}, {}],
    });
    expect(parseRules({ deny: ['bash(curl x | sh:*)'] }).problems).toEqual([]);
  });
});

describe('allowing commands', () => {
  const allow = ['bash(npm test:*)', 'bash(git status)', 'bash(make > log)'];
  test.each([
    'npm test',
    'npm  test',
    'npm test -- x',
    'npm "test"',
    'npm test && git status',
    'npm test | tail -n 20',
    'echo start; npm test',
    'make > log',
    'cat link && npm test',
    'env npm test',
    'CI=1 npm test',
    'timeout 60 npm test -- x',
    'if npm test; then git status; fi',
    'cd packages/a && npm test',
  ])('%s passes', (command) => {
    expect(decideShell(command, { rules: { allow } })).toMatchObject({ outcome: 'allow', rule: expect.any(String) });
  });

  test.each([
    'npm testx',
    'npm',
    "'npm test'",
    'git status -s',
    'npm test && rm x',
    'npm test; git push',
    'npm test & rm x',
    'npm test > /etc/motd',
    'npm test $(rm x)',
    'npm test\nrm x',
    'X=1 npm test',
    'PATH=. npm test',
    'env X=1 npm test',
    'env -C /tmp npm test',
    'sudo npm test',
    'cd /tmp && npm test',
    'npm() { rm x; }; npm test',
    '$X npm test',
    'npm test "$(rm x)"',
    'npm test <(rm x)',
    'npm $X',
    'make > log2',
    'make  > log',
  ])('%j still asks', (command) => {
    expect(decideShell(command, { rules: { allow } }).outcome).toBe('ask');
  });

  test('a program that no rule names passes beside an allowed one only when the PATH is trusted', () => {
    for (const command of ['npm test | tail -n 20', 'sleep 1; npm test', 'npm test | cat']) {
      expect(decideShell(command, { rules: { allow } }).outcome).toBe('allow');
      expect(decideShell(command, { trustedPath: false, rules: { allow } }).outcome).toBe('ask');
    }
    expect(decideShell('echo start; npm test', { trustedPath: false, rules: { allow } }).outcome).toBe('allow');
  });

  test('a bare rule allows every command that can be taken apart', () => {
    expect(decideShell('make x && npm test', { rules: { allow: ['bash'] } })).toMatchObject({
      outcome: 'allow',
      rule: 'bash',
    });
    expect(decideShell('a $(b', { rules: { allow: ['bash'] } }).outcome).toBe('ask');
    expect(parseRules({ allow: ['bash(*)'] }).rules[0]).not.toHaveProperty('pattern');
  });
});

describe('denying and asking for commands', () => {
  const deny = ['bash(rm:*)', 'bash(git push)', 'bash(curl x | sh)'];
  test.each([
    'rm',
    'rm -rf x',
    'ls && rm x',
    'ls;rm x',
    'ls &rm x',
    'ls\nrm x',
    '(rm x)',
    '{ rm x; }',
    'echo $(rm x)',
    'echo "$(rm x)"',
    'echo `rm x`',
    'A=1 rm x',
    'A=1 B=$C rm x',
    'sudo rm x',
    'sudo -u root rm x',
    'env -i A=1 rm x',
    'command rm x',
    'nohup time rm x',
    'timeout 5 rm x',
    'timeout -s KILL 5 rm x',
    'exec rm x',
    'builtin rm',
    'bash -c "rm x"',
    'if true; then rm x; fi',
    '! rm x',
    'r"m" x',
    'r\\m x',
    "$'rm' x",
    'r\\\nm x',
    'rm$IFS-rf',
    'rm>x',
    '>x rm y',
    '2>/dev/null rm y',
    '/bin/rm x',
    '\trm\tx',
    'git push',
    'sudo git push',
    'git push > log',
    'curl x | sh',
  ])('%j is denied, in every mode', (command) => {
    for (const mode of ['default', 'dangerously'] as const) {
      expect(decideShell(command, { mode, rules: { allow: ['bash'], deny } })).toMatchObject({
        outcome: 'deny',
        rule: expect.stringMatching(/^bash\(/),
      });
    }
    expect(decideShell(command, { rules: { allow: ['bash'], ask: deny } }).outcome).toBe('ask');
  });

  test.each(['rmdir x', 'git push origin', 'npm rm', 'echo x'])('%s is none of those', (command) => {
    expect(decideShell(command, { rules: { allow: ['bash'], deny } }).outcome).toBe('allow');
  });

  test('a denied command is found behind ten thousand others', () => {
    const command = `${'echo x; '.repeat(10_000)}rm x`;
    expect(decideShell(command, { mode: 'dangerously', rules: { deny } }).outcome).toBe('deny');
  });

  test.each([
    'sudo '.repeat(200_000),
    'A=1 '.repeat(250_000),
    '\\'.repeat(1 << 20),
    '1'.repeat(1 << 20),
    '${IFS'.repeat(200_000),
  ])('a megabyte is searched to its end (%#)', (start) => {
    expect(decideShell(`${start} ; rm x`, { mode: 'dangerously', rules: { deny } }).outcome).toBe('deny');
  });
});

describe('path rules', () => {
  test.each(['src', './src', '/w/app/src', 'src/'])('edit(%s:*) allows that folder and what is below', (folder) => {
    const rules = { allow: [`edit(${folder}:*)`] };
    expect(decideEdit('src/x.ts', { rules }).outcome).toBe('allow');
    expect(decideEdit('/w/app/src/deep/x.ts', { rules }).outcome).toBe('allow');
    expect(decideEdit('src-evil/x.ts', { rules }).outcome).toBe('ask');
    expect(decideEdit('src/../x.ts', { rules }).outcome).toBe('ask');
  });

  test('a home path is written with a tilde', () => {
    const read = (path: string) =>
      decideOn('read', [{ kind: 'read', path }], { rules: { allow: ['read(~/notes:*)'] } });
    expect(read('/home/me/notes/a').outcome).toBe('allow');
    expect(read('/home/me/other').outcome).toBe('ask');
  });

  test('an allow needs both forms of the path, a deny either', () => {
    const links = { 'src/link': '/w/app/other/x' };
    expect(decideEdit('src/link', { links, rules: { allow: ['edit(src:*)'] } }).outcome).toBe('ask');
    expect(decideEdit('src/link', { links, rules: { allow: ['edit'], deny: ['edit(src:*)'] } }).outcome).toBe('deny');
    expect(decideEdit('src/link', { links, rules: { allow: ['edit'], deny: ['edit(other:*)'] } }).outcome).toBe('deny');
  });

  test('a deny does not care about case, invisible characters or trailing dots', () => {
    for (const path of ['SECRETS/key', 'se\u200dcrets/key', 'secrets./key', '/w/app/../app/secrets/key']) {
      expect(decideEdit(path, { mode: 'dangerously', rules: { deny: ['edit(secrets:*)'] } }).outcome).toBe('deny');
    }
  });

  test('a deny follows the deed, whichever tool does it', () => {
    expect(decideShell('cat secrets/key', { rules: { deny: ['read(secrets:*)'] } }).outcome).toBe('deny');
    const write = [{ kind: 'write', path: 'a' }] as const;
    expect(decideOn('write', write, { rules: { deny: ['edit(a)'] } }).outcome).toBe('deny');
    expect(decideOn('write', write, { mode: 'acceptEdits', rules: { deny: ['read(a)'] } }).outcome).toBe('allow');
  });

  test('a patch needs every file it touches allowed, and one denied file denies it', () => {
    const patch: Effect[] = ['src/a', 'other/b'].flatMap((path) => [
      { kind: 'read', path },
      { kind: 'write', path },
    ]);
    const outcome = (rules: RuleSet) => decideOn('apply_patch', patch, { rules }).outcome;
    expect(outcome({ allow: ['edit(src:*)'] })).toBe('ask');
    expect(outcome({ allow: ['edit(src:*)', 'write(other:*)'] })).toBe('allow');
    expect(outcome({ allow: ['apply_patch(src:*)', 'apply_patch(other/b)'] })).toBe('allow');
    for (const tool of ['edit', 'write', 'apply_patch', 'applypatch']) expect(outcome({ allow: [tool] })).toBe('allow');
    expect(outcome({ allow: ['edit'], deny: ['write(other/b)'] })).toBe('deny');
    expect(outcome({ allow: ['edit'], deny: ['apply_patch'] })).toBe('deny');
    expect(decideEdit('src/a', { rules: { allow: ['edit'], deny: ['apply_patch(src:*)'] } }).outcome).toBe('deny');
    expect(decideOn('apply_patch', patch, { mode: 'plan' }).outcome).toBe('deny');
    expect(decideOn('apply_patch', patch, { mode: 'acceptEdits' }).outcome).toBe('allow');
  });

  test('each form may be allowed by a rule of its own', () => {
    const links = { 'src/link': '/w/app/other/x' };
    const outcome = (...allow: string[]) => decideEdit('src/link', { links, rules: { allow } }).outcome;
    expect(outcome('edit(src:*)', 'edit(other/x)')).toBe('allow');
    expect(outcome('edit(other:*)', 'edit(src/link)')).toBe('allow');
    expect(outcome('edit(src:*)', 'edit(src/link)')).toBe('ask');
    expect(outcome('edit(other:*)', 'edit(other/x)')).toBe('ask');
    expect(outcome('edit(src:*)', 'read(other:*)')).toBe('ask');
  });

  test('a link to a protected file needs both forms named exactly', () => {
    const links = { link: '/w/app/.git/config' };
    const outcome = (...allow: string[]) => decideEdit('link', { links, rules: { allow } }).outcome;
    expect(outcome('edit(link)', 'edit(.git/config)')).toBe('allow');
    expect(outcome('edit(link)', 'edit(.git:*)')).toBe('ask');
    expect(outcome('edit(.git/config)')).toBe('ask');
  });

  test('edit and write of a path are one permission, reading it is another', () => {
    const write = [{ kind: 'write', path: '/etc/a' }] as const;
    const read = [{ kind: 'read', path: '/etc/a' }] as const;
    for (const rule of ['edit(/etc/a)', 'write(/etc/a)', 'edit(/etc:*)', 'write(/etc:*)']) {
      const rules = { allow: [rule] };
      expect(decideOn('write', write, { rules })).toMatchObject({ outcome: 'allow', rule });
      expect(decideEdit('/etc/a', { rules })).toMatchObject({ outcome: 'allow', rule });
      expect(decideOn('read', read, { rules }).outcome).toBe('ask');
    }
    expect(decideOn('write', write, { rules: { allow: ['read(/etc/a)'] } }).outcome).toBe('ask');
    expect(decideEdit('/etc/a', { rules: { allow: ['read(/etc/a)'] } }).outcome).toBe('ask');
  });

  test.each(['allow', 'ask', 'deny'] as const)(
    'a bare %s of edit or write is for both, and for no other tool',
    (outcome) => {
      const mode = outcome === 'allow' ? 'default' : 'acceptEdits';
      const writing = [{ kind: 'write' as const, path: 'a' }];
      expect(decideOn('write', writing, { mode, rules: { [outcome]: ['edit'] } }).outcome).toBe(outcome);
      expect(decideEdit('a', { mode, rules: { [outcome]: ['write'] } }).outcome).toBe(outcome);
      const outside = [{ kind: 'read' as const, path: '/elsewhere' }];
      expect(decideOn('read', outside, { mode, rules: { [outcome]: ['edit'] } }).outcome).toBe('ask');
    },
  );
});

describe('the suggested rules', () => {
  const suggest = (toolName: string, effects: readonly Effect[], links?: Readonly<Record<string, string>>) =>
    suggestRules({ id: 'c', toolName, input: {} }, resolved(effects, links), '/w/app');
  const editing = (path: string): Effect[] => [
    { kind: 'read', path },
    { kind: 'write', path },
  ];

  test('are narrow and readable', () => {
    expect(suggest('bash', [{ kind: 'exec', command: 'npm test', readOnly: false }])).toEqual(['bash(npm test)']);
    expect(suggest('bash', shellEffects('cat /etc/a', shellFor()))).toEqual(['bash(cat /etc/a)']);
    expect(suggest('edit', editing('src/x.ts'))).toEqual(['edit(src/x.ts)']);
    expect(suggest('edit', editing('/w/app/./src/'))).toEqual(['edit(/w/app/./src)']);
    expect(suggest('web_fetch', [{ kind: 'net', host: 'x' }])).toEqual(['web_fetch(domain:x)']);
    expect(suggest('mcp__Hub__get', [])).toEqual(['mcp__Hub__get']);
  });

  test('are two when the path leads elsewhere', () => {
    expect(suggest('edit', editing('link'), { link: '/w/app/.git/config' })).toEqual([
      'edit(link)',
      'edit(/w/app/.git/config)',
    ]);
    const store = '/w/app/node_modules/.store/node_modules/x';
    expect(suggest('read', [{ kind: 'read', path: 'node_modules/x' }], { 'node_modules/x': store })).toEqual([
      'read(node_modules/x)',
      `read(${store})`,
    ]);
  });

  test("are none for an extension's tool whose name would also allow one of ours", () => {
    const effects: Effect[] = [{ kind: 'exec', command: 'make', readOnly: false }, ...editing('a')];
    for (const name of ['BASH', 'write_file', 'Shell', 'Read']) expect(suggest(name, effects)).toEqual([]);
  });

  test('are none where a pattern has nothing to name', () => {
    expect(suggest('bash', [])).toEqual([]);
    expect(suggest('edit', [])).toEqual([]);
  });

  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom(...'a b*?[]\\():;&|$\'"\n'.split('')), minLength: 1 }),
  );

  test('allow exactly the command they were made for', () => {
    fc.assert(
      fc.property(text, text, (command, other) => {
        fc.pre(command.trim() !== '' && !command.includes('\n'));
        const [rule = '', ...more] = suggest('bash', [{ kind: 'exec', command, readOnly: false }]);
        expect(more).toEqual([]);
        const { rules, problems } = parseRules({ allow: [rule] });
        expect(problems).toEqual([]);
        expect(rules[0]?.pattern).toEqual({ kind: 'exact', value: command });
        expect(decideShell(command, { rules: { allow: [rule] } }).outcome).toBe('allow');
        fc.pre(
          decideShell(other).outcome === 'ask' &&
            !/^[\w\s'"]*$/.test(other) &&
            other !== command &&
            !other.includes(command),
        );
        expect(decideShell(other, { rules: { allow: [rule] } }).outcome).toBe('ask');
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  test('allow the file they were made for, wherever it leads', () => {
    const piece = fc.oneof(
      fc.constantFrom('~', '..', '.', '.git', 'a', 'b:*', '*', '\\', '[x]', ' ', '('),
      fc.string({ minLength: 1 }).filter((name) => !/[/\0]/.test(name)),
    );
    const path = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('/'));
    const target = fc.option(
      path.map((rest) => `/z/${rest}`),
      { nil: undefined },
    );
    fc.assert(
      fc.property(
        fc.constantFrom('edit' as const, 'write' as const, 'read' as const),
        path,
        fc.boolean(),
        target,
        (tool, rest, rooted, to) => {
          // The root of the disk is never offered: as a rule it would be everything on it.
          fc.pre(rest.trim() !== '' && (to === undefined || !/^\/z(\/\.)*\/\.\.(\/\.{1,2})*$/.test(to)));
          const written = rooted ? `/x/${rest}` : rest;
          const links = to === undefined ? {} : { [written]: to };
          const effects: Effect[] = tool === 'edit' ? editing(written) : [{ kind: tool, path: written }];
          const allow = suggest(tool, effects, links);
          expect(decideOn(tool, effects, { links, rules: { allow } }).outcome).toBe('allow');
        },
      ),
      { seed: 5, numRuns: 2000 },
    );
  });
});

describe('folders', () => {
  test('a folder with /** is the folder with :*', () => {
    const [others, ours] = ['edit(./src/**)', 'edit(./src:*)'].map((text) => parseRules({ allow: [text] }).rules[0]);
    expect(others?.pattern).toEqual(ours?.pattern);
    expect(
      decideOn('read', [{ kind: 'read', path: 'secrets/a/b' }], { rules: { deny: ['read(./secrets/**)'] } }).outcome,
    ).toBe('deny');
    expect(
      decideOn('read', [{ kind: 'read', path: 'secretsX' }], { rules: { deny: ['read(./secrets/**)'] } }).outcome,
    ).toBe('allow');
  });

  test.each([
    ['a folder without rules or credentials', '/w/app', {}, false],
    ['a folder below which a rule denies', '/w/app', { deny: ['read(./secrets:*)'] }, true],
    ['a folder when every tool is denied', '/w/app', { deny: ['*'] }, true],
    ['home', '/home/me', {}, true],
    ['a folder above home', '/', {}, true],
    ['a folder of keys', '/home/me/.ssh/old', {}, true],
    ['a folder beside it', '/home/me/work', {}, false],
  ])('can anything be denied below %s?', (_, folder, rules, expected) => {
    expect(deniesBelow(folder, parseRules(rules).rules, scope)).toBe(expected);
  });
});
