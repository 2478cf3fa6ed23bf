/** Every event of a session reaches its hooks, through the built command, with what it is about. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, talkIn } from './conversation.ts';
import { eventsIn, ofType, toldIn, writesDown } from './hooks.ts';

const hook = (event: string, more: object = {}) => ({ event, command: writesDown, ...more });
const reads = calls(call('read', { path: 'a.txt' }));

test('a run with a call fires its events in order, each with what it is about', async () => {
  const events = [
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostSampling',
    'Stop',
    'SessionEnd',
  ];
  const sandbox = await converse([reads, says('done')], { settings: { hooks: events.map((event) => hook(event)) } });
  sandbox.write('a.txt', 'some text');
  expect(await sandbox.tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
  expect(eventsIn(sandbox)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PostSampling',
    'PreToolUse',
    'PostToolUse',
    'PostSampling',
    'Stop',
    'SessionEnd',
  ]);
  const [start, prompt, , pre, post, sampled, stop, end] = toldIn(sandbox);
  expect(start).toMatchObject({ source: 'startup', cwd: sandbox.project, permission_mode: 'default' });
  expect(prompt).toMatchObject({ prompt: 'go' });
  expect(pre).toMatchObject({ tool_name: 'read', tool_input: { path: 'a.txt' } });
  expect(post).toMatchObject({ tool_name: 'read', tool_response: { is_error: false } });
  expect(post?.tool_response).toMatchObject({ text: expect.stringContaining('some text') });
  expect(sampled).toMatchObject({ text: 'done' });
  expect(stop).toMatchObject({ text: 'done', stop_hook_active: false });
  expect(end).toMatchObject({ reason: 'done' });
  expect(sandbox.read(String(start?.transcript_path))).toContain(String(start?.session_id));
});

test('a session that goes on says so to SessionStart, and what hooks have for the model is told before the prompt', async () => {
  const word = { event: 'SessionStart', command: `echo '{"context":"the build is red"}'` };
  const sandbox = await converse([says('one'), says('two')], { settings: { hooks: [hook('SessionStart'), word] } });
  await sandbox.tau(['-p', 'first']);
  await sandbox.tau(['-p', '-c', 'second']);
  expect(toldIn(sandbox).map(({ source }) => source)).toEqual(['startup', 'resume']);
  expect(talkIn(request(sandbox.model, 0))).toEqual(['user: the build is red', 'user: first']);
});

test('Notification is fired for a question of permission and for a warning, and a failing one does not fire itself', async () => {
  const hooks = [hook('Notification'), { event: 'Notification', command: 'exit 3' }];
  const sandbox = await converse([calls(call('write', { path: 'a', content: '' })), says('ok')], {
    settings: { hooks, nonsense: 1 },
  });
  const run = await sandbox.tau(['-p', 'go']);
  expect(run.code).toBe(3);
  expect(toldIn(sandbox)).toMatchObject([
    { notification_type: 'warning', message: expect.stringContaining('nonsense') },
    { notification_type: 'permission_prompt', message: expect.stringContaining('write') },
  ]);
  expect(run.stderr).toContain('the Notification hook of ~/.tau/settings.json (exit 3) says');
});

test('Setup runs once in a project, and not before the project is trusted', async () => {
  const sandbox = await converse([says('1'), says('2'), says('3')], { git: true });
  sandbox.write('.tau/settings.json', JSON.stringify({ hooks: [hook('Setup')] }));
  const untrusted = await sandbox.tau(['-p', 'go']);
  expect(untrusted.stderr).toContain('hooks');
  expect(eventsIn(sandbox)).toEqual([]);
  expect((await sandbox.tau(['trust', 'yes', '--yes'])).code).toBe(0);
  await sandbox.tau(['-p', 'go']);
  await sandbox.tau(['-p', 'go']);
  expect(eventsIn(sandbox)).toEqual(['Setup']);
});

test('FileChanged is fired before the next prompt when settings or a skill changed', async () => {
  const changes =
    'mkdir -p "$HOME/.tau/skills/x" && date > "$HOME/.tau/skills/x/SKILL.md" && touch "$HOME/.tau/settings.json"';
  const sandbox = await converse([says('one'), says('two')], {
    settings: { hooks: [hook('FileChanged'), { event: 'Stop', command: changes }] },
  });
  await sandbox.tau(['-p', 'first', 'second']);
  const paths = toldIn(sandbox).map((told) => told.file_path);
  expect(paths.toSorted()).toEqual([
    join(sandbox.tauHome, 'settings.json'),
    join(sandbox.tauHome, 'skills/x/SKILL.md'),
  ]);
});

test('Compact is fired after the conversation was made shorter', async () => {
  const sandbox = await converse([says('one'), says('two'), { status: 413 }, says('three')], {
    settings: { hooks: [hook('Compact')] },
  });
  const run = await sandbox.tau(['-p', 'first', 'second', 'third', '--output-format', 'stream-json']);
  expect(ofType(run.events(), 'recovery')).toMatchObject([{ problem: 'contextOverflow' }]);
  expect(toldIn(sandbox)).toMatchObject([{ hook_event_name: 'Compact', trigger: 'auto' }]);
});

test('a call that was refused was not made, so PostToolUse is not fired', async () => {
  const sandbox = await converse([calls(call('write', { path: 'a', content: '' })), says('ok')], {
    settings: { hooks: [hook('PreToolUse'), hook('PostToolUse')] },
  });
  await sandbox.tau(['-p', 'go', '--deny', 'write']);
  expect(eventsIn(sandbox)).toEqual(['PreToolUse']);
  expect(resultsIn(request(sandbox.model, 1))).toMatchObject([{ text: expect.stringContaining('rule write') }]);
});

test('--no-hooks and --include-hook-events: none runs, or each is told of in stream-json', async () => {
  const sandbox = await converse([says('one'), says('two'), says('three')], { settings: { hooks: [hook('Stop')] } });
  await sandbox.tau(['-p', 'go', '--no-hooks']);
  expect(eventsIn(sandbox)).toEqual([]);
  const plain = await sandbox.tau(['-p', 'go', '--output-format', 'stream-json']);
  expect(ofType(plain.events(), 'hook_start')).toEqual([]);
  const told = await sandbox.tau(['-p', 'go', '--output-format', 'stream-json', '--include-hook-events']);
  expect(ofType(told.events(), 'hook_start')).toMatchObject([{ event: 'Stop', source: '~/.tau/settings.json' }]);
  expect(ofType(told.events(), 'hook_end')).toMatchObject([{ event: 'Stop', outcome: 'ok' }]);
});
