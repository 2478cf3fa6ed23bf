/** Hooks as they are fired: who is meant, what they are told, and the words of several as one. */
import type { HookInput, HookMoment, HookWord } from '@tau/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CommandEnd, type CommandRequest, fire, type Hook, type HookPorts, readHooks } from '../src/index.ts';

const base = { session_id: 's', transcript_path: '', cwd: '/p', permission_mode: 'default' };
function moment(given: Partial<HookInput> = {}): HookMoment {
  const call = { tool_name: 'bash', tool_input: { command: 'ls' } };
  return { input: { ...base, hook_event_name: 'PreToolUse', ...call, ...given }, effects: [] };
}

/** Ports whose commands end as the command itself says, as JSON. */
function portsOf(seen: CommandRequest[] = []): HookPorts {
  return {
    root: '/p',
    refusal: () => undefined,
    async run(request) {
      seen.push(request);
      const end: Partial<CommandEnd> = JSON.parse(request.command);
      return { exitCode: 0, stdout: '', stderr: '', ...end };
    },
    post: () => Promise.reject(new Error('nobody answers')),
    variable: () => undefined,
  };
}

const { signal } = new AbortController();
const hooksOf = (value: unknown): Hook[] =>
  readHooks(value, { source: { layer: 'user', file: 'x.json' }, ruleProblem: () => undefined }).hooks;
const ending = (end: Partial<CommandEnd>, event = 'PreToolUse') => ({ event, command: JSON.stringify(end) });
const says = (word: object, event?: string) => ending({ stdout: JSON.stringify(word) }, event);
const fired = (value: unknown, input?: Partial<HookInput>, seen?: CommandRequest[]) =>
  fire(hooksOf(value), moment(input), () => true, { ports: portsOf(seen), signal });

test.each<[string, Partial<CommandEnd>, RegExp]>([
  ['a code above zero, with its words', { exitCode: 3, stderr: 'because' }, /says: because$/],
  ['a code above zero, without any', { exitCode: 3 }, /it ended with code 3/],
  ['a signal', { exitCode: null, signal: 'SIGBUS' }, /ended by SIGBUS/],
  ['a signal as a shell tells it', { exitCode: 139 }, /ended by signal 11/],
  ['a timeout', { exitCode: null, killedBy: 'timeout' }, /longer than 10 s/],
  ['a flood', { exitCode: null, killedBy: 'flood' }, /more than 1 MB/],
  ['no program', { exitCode: 127, stderr: 'not found' }, /cannot be run: not found/],
  ['a text that is no JSON', { stdout: 'fine' }, /JSON object/],
  ['a list', { stdout: '[]' }, /JSON object/],
  ['a misspelt word', { stdout: '{"acton":"deny"}' }, /"acton"/],
  ['an action that there is not', { stdout: '{"action":"maybe"}' }, /"maybe"/],
  ['a change of nothing', { stdout: '{"action":"modify"}' }, /modifiedInput/],
  ['a change without the word for it', { stdout: '{"modifiedInput":{"command":"true"}}' }, /"modify"/],
  ['a change beside another word', { stdout: '{"action":"allow","text":"x"}' }, /"modify"/],
  ['another text for a call that has none yet', { stdout: '{"action":"modify","text":"x"}' }, /changed the text/],
  ['a retry of a call', { stdout: '{"action":"retry"}' }, /only a Stop hook/],
])("in tau's format %s denies", async (_, end, why) => {
  const verdict = await fired([ending(end)]);
  expect(verdict.deny).toMatch(/^the PreToolUse hook of x\.json/);
  expect(verdict.deny).toMatch(why);
});

test('a change that cannot be made is a failure, which denies where a hook can', async () => {
  const text = { action: 'modify', text: 'without the secret' };
  const input = { action: 'modify', modifiedInput: { command: 'true' } };
  const prompt = await fired([says(text, 'UserPromptSubmit')], { hook_event_name: 'UserPromptSubmit' });
  expect(prompt.deny).toMatch(/changed the text, which only/);
  for (const event of ['PostToolUse', 'PostSampling', 'Stop'] as const) {
    const verdict = await fired([says(input, event)], { hook_event_name: event });
    expect(verdict.deny).toMatch(/changed the input, which only/);
    expect(verdict).not.toHaveProperty('input');
  }
  const told = await fired([says(text, 'Notification')], { hook_event_name: 'Notification' });
  expect(told).toMatchObject({ warnings: [expect.stringMatching(/changed the text/)] });
});

test('an address that nobody answers at denies in both formats', async () => {
  const url = 'http://127.0.0.1:1/';
  for (const value of [[{ event: 'PreToolUse', url }], { PreToolUse: [{ hooks: [{ type: 'http', url }] }] }]) {
    expect((await fired(value)).deny).toMatch(/nobody answers/);
  }
});

test('a function that throws denies, and one that says nothing has no objection', async () => {
  const functions = [() => Promise.reject(new Error('broken')), () => undefined];
  const verdicts = functions.map((run) => {
    const hooks = hooksOf([ending({})]).map((hook): Hook => ({ ...hook, handler: { type: 'function', run } }));
    return fire(hooks, moment(), () => true, { ports: portsOf(), signal });
  });
  const [thrown, silent] = await Promise.all(verdicts);
  expect(thrown?.deny).toMatch(/broken/);
  expect(silent).toEqual({ context: [], notices: [], warnings: [] });
});

test('nothing that the model wrote stands in a command line, and names that could hurt there are refused', async () => {
  const seen: CommandRequest[] = [];
  const command = JSON.stringify({ stdout: '{"context":"{{event}} {{tool_name}}"}' });
  const verdict = await fired([{ event: 'PreToolUse', command }], { tool_input: { command: '$(reboot)' } }, seen);
  expect(verdict.context).toEqual(['PreToolUse bash']);
  expect(seen[0]?.command).not.toContain('reboot');
  expect(JSON.parse(seen[0]?.stdin ?? '')).toMatchObject({ tool_input: { command: '$(reboot)' } });
  expect(seen[0]?.env).toMatchObject({ TAU_TOOL_INPUT: '{"command":"$(reboot)"}', TAU_HOOK_EVENT: 'PreToolUse' });
  expect((await fired([{ event: 'PreToolUse', command }], { tool_name: 'x"; reboot' })).deny).toMatch(/characters/);
  const input = { event: 'PreToolUse', command: 'check {{input}}' };
  expect((await fired([input])).deny).toMatch(/\{\{input\}\} cannot stand in a command/);
});

test('an input that is too long for a variable is not there, and who would look only there is refused', async () => {
  const seen: CommandRequest[] = [];
  const long = { tool_input: { command: 'x'.repeat(70_000) } };
  await fired([ending({})], long, seen);
  expect(seen[0]?.env).not.toHaveProperty('TAU_TOOL_INPUT');
  expect(seen[0]?.env).toMatchObject({ TAU_TOOL_INPUT_OMITTED: '1' });
  expect(seen[0]?.stdin.length).toBeGreaterThan(70_000);
  const looks = [{ event: 'PreToolUse', command: '{"stdout":"$TAU_TOOL_INPUT"}' }];
  expect((await fired(looks, long)).deny).toMatch(/too long/);
});

test('an allow for what was asked first does not count for what another hook made of it', async () => {
  const modify = says({ action: 'modify', modifiedInput: { command: 'rm' } });
  expect(await fired([says({ action: 'allow' }), modify])).toMatchObject({ input: { command: 'rm' } });
  expect((await fired([says({ action: 'allow' }), modify])).allow).toBeUndefined();
  expect((await fired([says({ action: 'allow' })])).allow).toMatch(/allows it/);
});

test('words are bounded, and what was left out is counted', async () => {
  const { context } = await fired([says({ context: 'x'.repeat(20_000) })]);
  expect(context[0]?.length).toBeLessThan(10_100);
  expect(context[0]).toContain('10000 more characters are left out');
});

test('a matcher of names is about whole names, any other is a pattern, and both know ours too', async () => {
  const meant = async (matcher: string, tool: string) => {
    const seen: CommandRequest[] = [];
    await fired({ PreToolUse: [{ matcher, hooks: [{ command: '{}' }] }] }, { tool_name: tool }, seen);
    return seen.length === 1;
  };
  const cases: [string, string, boolean][] = [
    ['Bash', 'bash', true],
    ['bash', 'bash', true],
    ['Ba', 'bash', false],
    ['Edit|Write', 'write', true],
    ['Edit, Write', 'write', true],
    ['mcp__.*', 'mcp__a__b', true],
    ['^Read$', 'read', true],
    ['Write', 'edit', false],
    ['Edit', 'apply_patch', true],
    ['*', 'anything', true],
    ['', 'anything', true],
  ];
  for (const [matcher, tool, expected] of cases) {
    expect(`${matcher} ${tool} ${await meant(matcher, tool)}`).toBe(`${matcher} ${tool} ${expected}`);
  }
});

test('deny goes before everything, whatever the others say and in whatever order', async () => {
  const words: HookWord[] = [{ action: 'allow' }, { action: 'ask' }, { context: 'x' }, {}];
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...words, { action: 'deny', reason: 'no' } as const]), async (order) => {
      const list = order.map(({ reason, ...word }) => says({ ...word, ...(reason && { message: reason }) }));
      const verdict = await fired(list);
      expect(verdict.deny !== undefined).toBe(order.some(({ action }) => action === 'deny'));
      expect(verdict.ask !== undefined).toBe(order.some(({ action }) => action === 'ask'));
    }),
    { seed: 6, numRuns: 100 },
  );
});

test('whatever a hook writes and however it ends, there is a verdict; and a guard that is not understood has said no', async () => {
  const end = fc.record({
    exitCode: fc.integer({ min: 0, max: 255 }),
    stdout: fc.oneof(fc.string(), fc.json()),
    stderr: fc.string(),
  });
  await fc.assert(
    fc.asyncProperty(end, async (how) => {
      const verdict = await fired([ending(how)]);
      const silent = how.exitCode === 0 && (how.stdout.trim() === '' || isEmptyObject(how.stdout));
      if (!silent) expect(verdict.deny).toMatch(/\w/);
      const theirs = await fired({ PreToolUse: [{ hooks: [{ command: JSON.stringify(how) }] }] });
      const { exitCode: code } = how;
      const closed = code === 2 || code === 126 || code === 127 || (code > 128 && code <= 192);
      if (code !== 0) expect(`${code} ${theirs.deny !== undefined}`).toBe(`${code} ${closed}`);
    }),
    { seed: 6, numRuns: 300 },
  );
});

function isEmptyObject(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === '{}';
  } catch {
    return false;
  }
}
