/** Hooks as they are written: both formats, and what is wrong with those that mean nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHooks } from '../src/index.ts';

const source = { layer: 'user' as const, file: '~/.tau/settings.json' };
const ruleProblem = (rule: string) => (rule.includes('(') === rule.includes(')') ? undefined : 'it is not whole');
const read = (value: unknown) => readHooks(value, { source, ruleProblem });

test('an entry of a list is a hook, with a timeout of ten seconds and in either spelling', () => {
  const { hooks, problems } = read([
    { event: 'Stop', command: 'true' },
    {
      trigger: 'PreToolUse',
      command: 'true',
      timeout_secs: 2,
      tool_filter: ['bash'],
      match: 'bash(git *)',
      if: 'edit',
    },
  ]);
  expect(problems).toEqual([]);
  expect(hooks).toMatchObject([
    { event: 'Stop', dialect: 'tau', timeoutMs: 10_000, tools: [], rules: [] },
    { event: 'PreToolUse', timeoutMs: 2000, tools: ['bash'], rules: ['bash(git *)', 'edit'] },
  ]);
});

test.each([
  ['it has no event', { command: 'x' }, 'hook 1: it must have an "event"'],
  ['its event is misspelt', { event: 'Stopp', command: 'x' }, 'did you mean Stop?'],
  ['it has nothing to run', { event: 'Stop' }, 'a "command" or a "url"'],
  ['it has two things to run', { event: 'Stop', command: 'x', url: 'http://x.org' }, 'and not both'],
  ['its command is empty', { event: 'Stop', command: ' ' }, '"command" must be a text'],
  ['its address has a password in it', { event: 'Stop', url: 'https://me:pw@x.org/' }, 'no user name or password'],
  ['its address is no address', { event: 'Stop', url: 'file:///etc/passwd' }, 'http://'],
  ['its timeout is none', { event: 'Stop', command: 'x', timeoutSecs: 0 }, 'timeout'],
  ['its rule is not whole', { event: 'PreToolUse', command: 'x', if: 'bash(' }, '"if": it is not whole'],
  ['it chooses calls where there are none', { event: 'Stop', command: 'x', tools: ['bash'] }, 'Stop is not'],
  [
    'a header names a variable that is not listed',
    { event: 'Stop', url: 'http://x.org', headers: { a: 'Bearer $KEY' } },
    '$KEY',
  ],
  ['it is no object', 'x', 'it must be an object'],
])('a hook is refused when %s', (_, hook, why) => {
  const { hooks, problems } = read([hook]);
  expect(hooks).toEqual([]);
  expect(problems).toEqual([expect.stringContaining(why)]);
});

test("Claude Code's shape is read by event, group and handler; what tau does not have is named", () => {
  const { hooks, problems, unknown } = read({
    PreToolUse: [{ matcher: 'Bash|Edit', hooks: [{ type: 'command', command: 'a', timeout: 5 }, { type: 'prompt' }] }],
    PostCompact: [{ hooks: [{ command: 'prog', args: ["it's", 'b c'] }] }],
    SubagentStop: [],
  });
  expect(problems).toEqual([]);
  expect(unknown).toEqual([expect.stringContaining('"prompt"'), 'tau has no event SubagentStop']);
  expect(hooks).toMatchObject([
    { event: 'PreToolUse', dialect: 'claude', matcher: 'Bash|Edit', timeoutMs: 5000 },
    { event: 'Compact', handler: { command: `'prog' 'it'\\''s' 'b c'` }, timeoutMs: 60_000 },
  ]);
});

test.each([
  [{ PreToolUse: {} }, 'must be a list'],
  [{ PreToolUse: [{ hooks: 'x' }] }, 'a list "hooks"'],
  [{ PreToolUse: [{ matcher: '(', hooks: [] }] }, 'is no pattern'],
  [{ PreToolUse: [{ hooks: [{ type: 'command' }] }] }, 'a "command"'],
  [7, 'a list of hooks'],
])('%j is refused', (value, why) => {
  expect(read(value).problems).toEqual([expect.stringContaining(why)]);
});

test('more than a thousand hooks are none, and that is said', () => {
  const many = Array.from({ length: 1001 }, () => ({ event: 'Stop', command: 'true' }));
  expect(read(many)).toMatchObject({ hooks: [], problems: [expect.stringContaining('1001')] });
  expect(read(many.slice(1)).hooks).toHaveLength(1000);
});

test('whatever stands in a file, each entry is a hook or a problem, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (list) => {
      const { hooks, problems } = read(list);
      expect(hooks.length + problems.length).toBe(list.length);
    }),
    { seed: 6, numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(() => read(value)).not.toThrow();
    }),
    { seed: 6, numRuns: 300 },
  );
});
