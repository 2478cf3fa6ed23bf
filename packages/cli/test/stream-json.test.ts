import type { TauRun } from '@tau/testkit';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, keptId, says } from './conversation.ts';
import { at, list, textAt } from './json.ts';

const json = ['--output-format', 'stream-json'];

/** The types of the events, deltas left out, with the role where there is one. */
function outline(run: TauRun): string[] {
  return run
    .events()
    .filter(({ type }) => type !== 'message_update' && type !== 'tool_execution_update')
    .map((event) => [event.type, at(event, 'role') ?? at(event, 'message', 'role')].filter(Boolean).join(' '));
}

function deltas(run: TauRun, kind: string): string {
  const found = run.events().filter((event) => at(event, 'delta', 'kind') === kind);
  return found.map((event) => textAt(event, 'delta', 'text')).join('');
}

const answerEvents = ['turn_start', 'message_start assistant', 'message_end assistant'];

test.each(apis)('a plain answer over %s is a known order of events', async (api) => {
  const { tau, project } = await converse([says('Hello, you there')], { api });
  const run = await tau(['-p', 'hi', ...json]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(outline(run)).toEqual([
    'agent_start',
    'message_start user',
    'message_end user',
    ...answerEvents,
    'turn_end assistant',
    'agent_end',
  ]);
  expect(run.events()[0]).toMatchObject({
    cwd: project,
    model: 'scripted/scripted',
    permissionMode: 'default',
    tools: expect.arrayContaining(['read', 'write', 'edit', 'bash']),
  });
  expect(deltas(run, 'text')).toBe('Hello, you there');
  expect(run.events().at(-1)).toMatchObject({ reason: 'done', turns: 1, usage: { input: 10, output: 5 } });
});

test('every line is an object with a type and a timestamp, and time does not run backwards', async () => {
  const { tau } = await converse([calls(call('bash', { command: 'pwd' })), says('ok')]);
  const run = await tau(['-p', 'hi', ...json]);
  expect(run.stdout.endsWith('\n')).toBe(true);
  const times = run.events().map((event) => {
    expect(event.type).toMatch(/^[a-z_]+$/);
    const time = textAt(event, 'timestamp');
    expect(new Date(time).toISOString()).toBe(time);
    return time;
  });
  expect(times.length).toBe(run.stdout.trimEnd().split('\n').length);
  expect([...times].sort()).toEqual(times);
});

test.each(apis)('a tool turn over %s shows the call, its output and its result', async (api) => {
  // One that changes something: what only reads may start before the message has ended.
  const command = 'echo out; echo err >&2; mkdir made';
  const { tau } = await converse([calls({ thinking: 'hmm' }, call('bash', { command }, 'c1')), says('ok')], { api });
  const run = await tau(['-p', 'go', ...json, '--permission-mode', 'dangerously']);
  expect(outline(run)).toEqual([
    'agent_start',
    'message_start user',
    'message_end user',
    ...answerEvents,
    'tool_execution_start',
    'tool_execution_end',
    'message_start toolResult',
    'message_end toolResult',
    'turn_end assistant',
    ...answerEvents,
    'turn_end assistant',
    'agent_end',
  ]);
  expect(deltas(run, 'thinking')).toBe('hmm');
  expect(JSON.parse(deltas(run, 'toolCallArguments'))).toEqual({ command });
  const updates = run.events().filter(({ type }) => type === 'tool_execution_update');
  expect(updates.map(({ delta }) => delta).join('')).toBe('out\nerr\n');
  expect(run.events().find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    toolCallId: keptId(api, 'c1', 1),
    toolName: 'bash',
    result: { content: [{ type: 'text', text: 'out\nerr' }], details: { exitCode: 0 } },
    summary: 'bash echo out; echo err >&2; mkdir made: exit 0',
  });
  expect(run.events().at(-1)).toMatchObject({ turns: 2, usage: { input: 20, output: 10, totalTokens: 30 } });
});

test('what nobody could approve is seen as a request, a response and a failed call', async () => {
  const { tau } = await converse([calls(call('write', { path: 'a.txt', content: 'x' }, 'w1')), says('ok')]);
  const run = await tau(['-p', 'go', ...json]);
  expect(run.code).toBe(3);
  const events = run.events();
  const places = ['permission_request', 'permission_response', 'tool_execution_start', 'tool_execution_end'].map(
    (type) => events.findIndex((event) => event.type === type),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(events[places[0] ?? -1]).toMatchObject({
    toolName: 'write',
    toolCallId: 'w1',
    input: { path: 'a.txt', content: 'x' },
    decision: { outcome: 'ask', reason: expect.stringContaining('a.txt') },
  });
  expect(events[places[1] ?? -1]).toMatchObject({ outcome: 'deny', unattended: true });
  expect(events[places[3] ?? -1]).toMatchObject({ toolCallId: 'w1', result: { isError: true } });
});

test('what a rule denied is seen as a failed call, without a question', async () => {
  const { tau } = await converse([calls(call('bash', { command: 'pwd' }, 'b1')), says('ok')]);
  const run = await tau(['-p', 'go', ...json, '--deny', 'bash']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(outline(run).filter((line) => line.startsWith('permission'))).toEqual([]);
  const end = run.events().find(({ type }) => type === 'tool_execution_end');
  expect(at(end, 'result')).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('rule bash') }] });
});

test('a failed provider is an error event before the end', async () => {
  const { tau } = await converse([{ status: 429 }]);
  const run = await tau(['-p', 'go', ...json]);
  expect(run.code).toBe(1);
  const events = run.events();
  expect(events.find(({ type }) => type === 'error')).toMatchObject({ class: 'rateLimited' });
  expect(events.at(-1)).toMatchObject({ type: 'agent_end', reason: 'error', turns: 1 });
});

test('each of several prompts is a run of its own in the stream', async () => {
  const { tau } = await converse([says('one'), says('two')]);
  const types = (await tau(['-p', 'a', 'b', ...json])).events().map(({ type }) => type);
  expect(types.filter((type) => type === 'agent_start' || type === 'agent_end')).toEqual([
    'agent_start',
    'agent_end',
    'agent_start',
    'agent_end',
  ]);
});

test('a stream of many large events is whole, and nothing else is said', async () => {
  // Each batch another one, or the run would stop because the model repeats itself.
  const reads = Array.from({ length: 8 }, (_, at) => call('read', { path: 'big.txt', limit: 100 + at }));
  const turns = Array.from({ length: 12 }, (_, at) => calls(...reads, call('bash', { command: `echo ${at}` })));
  const { tau, write } = await converse([...turns, says('ok')]);
  write('big.txt', 'x'.repeat(48 * 1024));
  const run = await tau(['-p', 'go', ...json]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const ends = run.events().filter(({ type }) => type === 'turn_end');
  const sizes = ends.map((event) =>
    list(at(event, 'toolResults'))
      .slice(0, 8)
      .map((result) => textAt(result, 'content', 0, 'text').length),
  );
  expect(sizes).toEqual([...turns.map(() => reads.map(() => 48 * 1024 + '1\t'.length)), []]);
});
