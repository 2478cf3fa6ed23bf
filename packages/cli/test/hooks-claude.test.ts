/** Hooks that were written for Claude Code: its matchers, names, exit codes and words, through the built command. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, talkIn } from './conversation.ts';
import { toldIn, writesDown } from './hooks.ts';
import { keys, startTyping } from './repl-terminal.ts';

const free = { permissionMode: 'dangerously' };
const writes = calls(call('write', { path: 'made.txt', content: 'x' }));
const group = (command: string, matcher?: string) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [{ type: 'command', command }],
});
const specific = (word: object) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...word } })}'`;

test('tools have the names and inputs of Claude Code, and CLAUDE_PROJECT_DIR is the project', async () => {
  const there = 'test "$CLAUDE_PROJECT_DIR" = "$TAU_PROJECT_DIR" && test "$PWD" = "$CLAUDE_PROJECT_DIR"';
  const hooks = {
    PreToolUse: [group(`${there} && ${writesDown}`, 'Write|Bash')],
    PostToolUse: [group(writesDown, 'Wri.*')],
    PostToolUseFailure: [group(writesDown)],
  };
  const sandbox = await converse(
    [
      calls(
        call('write', { path: 'made.txt', content: 'x' }),
        call('read', { path: 'none' }),
        call('bash', { command: 'pwd' }),
      ),
      says('ok'),
    ],
    { settings: { ...free, hooks } },
  );
  expect(await sandbox.tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  const told = toldIn(sandbox).map(({ hook_event_name: event, tool_name: tool }) => `${event} ${tool}`);
  expect(told.toSorted()).toEqual([
    'PostToolUse Write',
    'PostToolUseFailure Read',
    'PreToolUse Bash',
    'PreToolUse Write',
  ]);
  const [written] = toldIn(sandbox).filter(({ tool_name: tool }) => tool === 'Write');
  expect(written?.tool_input).toEqual({ file_path: join(sandbox.project, 'made.txt'), content: 'x' });
});

test('code 2 blocks with what it wrote as the reason, another code warns and lets the call happen', async () => {
  const two = await converse([writes, says('ok')], {
    settings: { ...free, hooks: { PreToolUse: [group('echo never >&2; exit 2', 'Edit|Write')] } },
  });
  await two.tau(['-p', 'go']);
  expect(resultsIn(request(two.model, 1))[0]?.text).toMatch(/says: never$/);
  const one = await converse([writes, says('ok')], {
    settings: { ...free, hooks: { PreToolUse: [group('echo odd >&2; exit 1')] } },
  });
  expect((await one.tau(['-p', 'go'])).stderr).toMatch(/PreToolUse hook of .* failed: it ended with code 1: odd/);
  expect(existsSync(join(one.project, 'made.txt'))).toBe(true);
});

test('a matcher for edits guards a patch too', async () => {
  const patch = ['*** Begin Patch', '*** Add File: made.txt', '+x', '*** End Patch'].join('\n');
  const { tau, project } = await converse([calls(call('apply_patch', { input: patch })), says('ok')], {
    settings: { ...free, hooks: { PreToolUse: [group('exit 2', 'Edit|Write')] } },
  });
  await tau(['-p', 'go', '--tools', 'apply_patch']);
  expect(existsSync(join(project, 'made.txt'))).toBe(false);
});

test('its words: deny, ask, allow with another input, block, context, a message for the user, and an end of it all', async () => {
  const outcome = async (command: string, settings: object = {}) => {
    const sandbox = await converse([writes, says('ok')], {
      settings: { ...settings, hooks: { PreToolUse: [group(command)] } },
    });
    const { code, stderr } = await sandbox.tau(['-p', 'go']);
    const [result] = sandbox.model.requests.length > 1 ? resultsIn(request(sandbox.model, 1)) : [];
    return { code, stderr, text: result?.text ?? '', ...sandbox };
  };
  const deny = await outcome(specific({ permissionDecision: 'deny', permissionDecisionReason: 'no way' }), free);
  expect(deny.text).toMatch(/says: no way/);
  const block = await outcome(`echo '{"decision":"block","reason":"old way"}'`, free);
  expect(block.text).toMatch(/says: old way/);
  const ask = await outcome(specific({ permissionDecision: 'ask' }), { permissionMode: 'acceptEdits' });
  expect(ask).toMatchObject({ code: 3, text: expect.stringContaining('needs approval') });
  const input = { file_path: 'other.txt', content: 'y' };
  const allow = await outcome(specific({ permissionDecision: 'allow', updatedInput: input }));
  expect(allow).toMatchObject({ code: 0 });
  expect(allow.read('other.txt')).toBe('y');
  const words = await outcome(
    `echo '{"systemMessage":"for you","hookSpecificOutput":{"additionalContext":"for it"}}'`,
    free,
  );
  expect(words.stderr).toContain('for you');
  expect(request(words.model, 1).raw).toContain('for it');
  const unknown = await outcome(specific({ permissionDecision: 'denied' }), free);
  expect(unknown.text).toMatch(/it decided "denied", which there is not/);
  const end = await outcome(`echo '{"continue":false,"stopReason":"enough"}'`, free);
  expect(end).toMatchObject({ code: 1, stderr: expect.stringMatching(/The run was stopped: .*enough/) });
  expect(existsSync(join(end.project, 'made.txt'))).toBe(false);
});

test('plain output of UserPromptSubmit and SessionStart is for the model; a blocked Stop goes on', async () => {
  const once = 'test -e "$HOME/once" && exit 0; touch "$HOME/once"; echo and the tests >&2; exit 2';
  const sandbox = await converse([says('one'), says('two')], {
    settings: {
      hooks: { SessionStart: [group('echo started')], UserPromptSubmit: [group('echo it rains')], Stop: [group(once)] },
    },
  });
  expect(await sandbox.tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'two\n' });
  expect(talkIn(request(sandbox.model, 1))).toEqual([
    'user: started',
    'user: go',
    'user: it rains',
    'assistant: one',
    'user: and the tests',
  ]);
});

test("its own files count where the user wants them, a project's only when it is trusted, and change without a restart", async () => {
  const sandbox = await converse([writes, says('1'), writes, says('2'), writes, says('3')], {
    settings: { ...free, claudeHooks: true },
    git: true,
  });
  const file = (hooks: object) => JSON.stringify({ permissions: { allow: ['Bash'] }, hooks });
  const path = join(sandbox.home, '.claude/settings.json');
  sandbox.write(path, file({ SubagentStop: [group('true')], PreToolUse: [group('echo user >&2; exit 2')] }));
  sandbox.write('.claude/settings.json', file({ PreToolUse: [group('echo project >&2; exit 2', 'Write')] }));
  const first = await sandbox.tau(['-p', 'go']);
  expect(first.stderr).toContain('~/.claude/settings.json: left out: tau has no event SubagentStop');
  expect(resultsIn(request(sandbox.model, 1))[0]?.text).toMatch(/hook of ~\/\.claude\/settings\.json .* says: user$/);

  expect((await sandbox.tau(['trust', 'yes', '--yes'])).code).toBe(0);
  const run = sandbox.start(['--json'], { openStdin: true });
  run.send({ type: 'message', content: 'go' });
  await run.waitFor('agent_end');
  sandbox.write(path, file({}));
  run.send({ type: 'message', content: 'go' });
  await run.waitFor(/agent_end.*agent_end/s);
  run.endInput();
  expect((await run.done).code).toBe(0);
  expect(resultsIn(request(sandbox.model, 5)).map(({ text }) => /says: (\w+)$/.exec(text)?.[1])).toEqual([
    'user',
    'project',
  ]);
});

test('/hooks lists what runs at which event, for what, and where it is declared', async () => {
  const hooks = [{ event: 'PreToolUse', command: '~/bin/may-push', match: 'bash(git push:*)' }];
  const sandbox = await converse([], { settings: { hooks } });
  const tau = startTyping(sandbox);
  await tau.shows('> ');
  tau.type(`/hooks${keys.enter}`);
  await tau.shows('PreToolUse        ~/bin/may-push  for bash(git push:*)  (~/.tau/settings.json)');
  tau.type(`/quit${keys.enter}`);
  expect(await tau.done).toMatchObject({ code: 0 });
});

test('the file-access log has a line for each file that a tool read or wrote, private to the user', async () => {
  const sandbox = await converse(
    [calls(call('write', { path: 'made.txt', content: 'x' }), call('bash', { command: 'cat made.txt' })), says('ok')],
    { settings: { ...free, fileAccessLog: true } },
  );
  expect(await sandbox.tau(['-p', 'go'])).toMatchObject({ code: 0, stderr: '' });
  const path = join(sandbox.tauHome, 'logs/files.jsonl');
  const lines = sandbox
    .read(path)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const made = join(sandbox.project, 'made.txt');
  expect(lines).toMatchObject([
    { tool: 'write', access: 'write', path: made },
    { tool: 'bash', access: 'read', path: made },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
