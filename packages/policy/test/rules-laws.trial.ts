/** What holds for any rules and any command. */
import { permissionModes } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, parseRules, type RuleSet, suggestRules } from '../src/index.ts';
import { decideOn, decideShell, scope, shellFor } from './decisions.ts';

const strictness = { allow: 0, ask: 1, deny: 2 };

const word = fc.constantFrom(
  'npm',
  'git',
  'rm',
  'test',
  'push',
  'ls',
  '-rf',
  'src/a',
  '.env',
  'secrets/k',
  '"a b"',
  '$X',
  '>',
  'x',
);
const simple = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const glue = fc.constantFrom(' && ', ' ; ', ' | ', ' || ', '\n', ' & ');
const line = fc
  .tuple(simple, fc.array(fc.tuple(glue, simple), { maxLength: 2 }))
  .map(([first, rest]) => first + rest.flat().join(''));
const pattern = fc.array(fc.constantFrom('npm', 'git', 'rm', 'test', 'push', '*', 'x*', 'src/a'), {
  minLength: 1,
  maxLength: 3,
});
const rule = fc.oneof(
  fc.tuple(pattern, fc.constantFrom('', ':*', ' *')).map(([words, end]) => `bash(${words.join(' ')}${end})`),
  fc.constantFrom(
    'bash',
    'read',
    'edit',
    'read(.env)',
    'read(src/**)',
    'edit(secrets/*)',
    'edit(*)',
    'read(**/k)',
    '*',
  ),
);
const someRules = fc.array(rule, { maxLength: 3 });
const ruleSet = fc.record({ allow: someRules, ask: someRules, deny: someRules });
const mode = fc.constantFrom(...permissionModes);

const strict = (command: string, rules: RuleSet, inMode: (typeof permissionModes)[number]) =>
  strictness[decideShell(command, { rules, mode: inMode }).outcome];

describe('whatever the rules', () => {
  test('one more deny or ask never makes an outcome milder, one more allow never stricter', () => {
    fc.assert(
      fc.property(line, ruleSet, rule, mode, (command, rules, more, inMode) => {
        const before = strict(command, rules, inMode);
        expect(strict(command, { ...rules, deny: [...rules.deny, more] }, inMode)).toBeGreaterThanOrEqual(before);
        expect(strict(command, { ...rules, ask: [...rules.ask, more] }, inMode)).toBeGreaterThanOrEqual(before);
        expect(strict(command, { ...rules, allow: [...rules.allow, more] }, inMode)).toBeLessThanOrEqual(before);
      }),
      { seed: 21, numRuns: 400 },
    );
  });

  test('the same for files', () => {
    const path = fc.constantFrom('src/a', '.env', 'x/.env', 'secrets/k', '/etc/x', '~/n', 'k');
    const tool = fc.constantFrom('read' as const, 'edit' as const, 'write' as const);
    fc.assert(
      fc.property(path, tool, ruleSet, rule, mode, (at, name, rules, more, inMode) => {
        const judged = (given: RuleSet) => {
          const kind = name === 'read' ? ('read' as const) : ('write' as const);
          return strictness[decideOn(name, [{ kind, path: at }], { rules: given, mode: inMode }).outcome];
        };
        const before = judged(rules);
        expect(judged({ ...rules, deny: [...rules.deny, more] })).toBeGreaterThanOrEqual(before);
        expect(judged({ ...rules, ask: [...rules.ask, more] })).toBeGreaterThanOrEqual(before);
        expect(judged({ ...rules, allow: [...rules.allow, more] })).toBeLessThanOrEqual(before);
      }),
      { seed: 22, numRuns: 400 },
    );
  });

  test('a line is allowed only if each command of it is', () => {
    const plain = fc.array(fc.constantFrom('npm', 'git', 'rm', 'test', 'push', 'x', 'src/a'), {
      minLength: 1,
      maxLength: 4,
    });
    const allow = fc.array(
      fc.tuple(pattern, fc.constantFrom(':*', ' *')).map(([words, end]) => `bash(${words.join(' ')}${end})`),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(
        fc.array(plain, { minLength: 2, maxLength: 4 }),
        fc.constantFrom(' && ', ' ; ', ' | '),
        allow,
        (all, by, rules) => {
          const commands = all.map((words) => words.join(' '));
          const whole = strict(commands.join(by), { allow: rules }, 'default');
          const each = commands.map((command) => strict(command, { allow: rules }, 'default'));
          expect(whole).toBe(Math.max(...each));
        },
      ),
      { seed: 23, numRuns: 500 },
    );
  });

  test('what is offered allows the line, and another line only where it is a command of that', () => {
    fc.assert(
      fc.property(line, line, (command, other) => {
        fc.pre(command !== other && !command.includes('\n'));
        const call = { id: 'c', toolName: 'bash', input: {} };
        const rules = { allow: suggestRules(call, [{ kind: 'exec', command, readOnly: false }], '/w/app') };
        expect(strict(command, rules, 'default')).toBe(strictness.allow);
        const plain = /^[\w./ "-]+$/.test(command);
        if (!plain) expect(strict(other, rules, 'default')).toBe(strict(other, {}, 'default'));
      }),
      { seed: 24, numRuns: 400 },
    );
  });

  test('a line that nobody reads to its end is not offered as a rule', () => {
    const offer = (command: string) =>
      suggestRules({ id: 'c', toolName: 'bash', input: {} }, [{ kind: 'exec', command, readOnly: false }], '/w/app');
    expect(offer(`make ${'x'.repeat(295)}`)).toHaveLength(1);
    expect(offer(`make ${'x'.repeat(296)}`)).toEqual([]);
    expect(offer('make x\nmake y')).toEqual([]);
  });
});

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const wrappers: readonly ((command: string) => string)[] = [
  (command) => `sudo ${command}`,
  (command) => `sudo -u root ${command}`,
  (command) => `env A=1 ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `nohup ${command}`,
  (command) => `command ${command}`,
  (command) => `exec ${command}`,
  (command) => `xargs ${command}`,
  (command) => `A=1 ${command}`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `$( ${command} )`,
  (command) => `echo "$(${command})"`,
  (command) => `echo \`${command.replaceAll('`', '')}\``,
  (command) => `true && ${command}`,
  (command) => `ls | ${command}`,
  (command) => `${command} | cat`,
  (command) => `${command} > out`,
  (command) => `${command} &`,
  (command) => `ls\n${command}\nls`,
  (command) => `if true; then ${command}; fi`,
  (command) => `while true; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `bash -c ${quoted(command)}`,
  (command) => `sh -lc ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `bash <<E\n${command}\nE`,
];

describe('a denied command stays denied', () => {
  const spelled = fc.constantFrom(
    'rm -rf x',
    '/bin/rm -rf x',
    "r'm' -rf x",
    'r\\m -rf x',
    '"rm" -rf x',
    '\\rm x',
    "'rm' x",
    'rm',
  );
  const outcomes = (command: string) =>
    (['default', 'dangerously'] as const).map(
      (inMode) => decideShell(command, { mode: inMode, rules: { allow: ['bash'], deny: ['bash(rm:*)'] } }).outcome,
    );

  test.each(wrappers.map((wrap) => wrap('rm -rf x')))('in %j', (command) => {
    expect(outcomes(command)).toEqual(['deny', 'deny']);
  });

  test('in any of these within any other', () => {
    const wraps = fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(spelled, wraps, (command, all) => {
        const hidden = all.reduce((inner: string, wrap) => wrap(inner), command);
        expect(outcomes(hidden)).toEqual(['deny', 'deny']);
      }),
      { seed: 25, numRuns: 300 },
    );
  });

  test('behind ten thousand others, of any shape', () => {
    for (const [filler, by] of [
      ['echo x', '; '],
      ['a "$(b)"', ' && '],
      ['cat <(x)', '\n'],
    ] as const) {
      const command = `${`${filler}${by}`.repeat(10_000)}rm x`;
      expect(outcomes(command)).toEqual(['deny', 'deny']);
    }
  });

  test('when the line cannot be taken apart', () => {
    for (const command of ["rm 'x", 'ls; rm x; fi', 'rm x $(', 'case; rm x', `${'('.repeat(5_000)}rm x`]) {
      expect([command.slice(-20), ...outcomes(command)]).toEqual([command.slice(-20), 'deny', 'deny']);
    }
  });
});

test('random rules never throw and never allow what they cannot read', () => {
  const text = fc.string({ unit: fc.constantFrom(...'bash()read:*?[]{}!\\~/ .mcp_=\'"$'), maxLength: 24 });
  fc.assert(
    fc.property(text, line, (written, command) => {
      for (const outcome of ['allow', 'ask', 'deny'] as const) {
        const { rules, problems } = parseRules({ [outcome]: [written] });
        if (outcome === 'allow') expect(rules.length + problems.length).toBe(1);
        else expect(rules).toHaveLength(1);
        const policy = { mode: 'default', rules, scope, analyse: shellFor().analyse } as const;
        decide(
          { id: 'c', toolName: 'bash', input: {} },
          'builtin',
          [{ kind: 'exec', command, readOnly: false }],
          policy,
        );
        decide(
          { id: 'c', toolName: 'read', input: {} },
          'builtin',
          [{ kind: 'read', path: written, resolved: '/x' }],
          policy,
        );
      }
    }),
    { seed: 26, numRuns: 600 },
  );
});
