/** What hooks can say, and what becomes of it, through the built command. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, talkIn } from './conversation.ts';
import { eventsIn, ofType, toldIn, writesDown } from './hooks.ts';
import { sessionFiles } from './sessions.ts';

const saying = (word: object) => `echo '${JSON.stringify(word)}'`;
const pre = (command: string, more: object = {}) => ({ event: 'PreToolUse', command, ...more });
const writes = calls(call('write', { path: 'made.txt', content: 'x' }));
const free = { permissionMode: 'dangerously' };

test('a hook denies a call: it is not made, in no mode, and the model hears why and from whom', async () => {
  const hooks = [pre(saying({ action: 'deny', message: 'not on a Friday' }))];
  const { tau, model, project } = await converse([writes, says('ok')], { settings: { ...free, hooks } });
  expect(await tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(existsSync(join(project, 'made.txt'))).toBe(false);
  expect(resultsIn(request(model, 1))[0]?.text).toMatch(
    /^Blocked by a hook: the PreToolUse hook of ~\/\.tau\/settings\.json .* says: not on a Friday$/,
  );
});

test('a changed input is validated and judged again: rules hold against what a hook made of a call', async () => {
  const changed = (path: string) => [pre(saying({ action: 'modify', modifiedInput: { path, content: 'y' } }))];
  const other = await converse([writes, says('ok')], { settings: { ...free, hooks: changed('other.txt') } });
  await other.tau(['-p', 'go']);
  expect(other.read('other.txt')).toBe('y');
  expect(existsSync(join(other.project, 'made.txt'))).toBe(false);

  const denied = await converse([writes, says('ok')], { settings: { ...free, hooks: changed('secret.txt') } });
  await denied.tau(['-p', 'go', '--deny', 'edit(secret.txt)']);
  expect(resultsIn(request(denied.model, 1))[0]?.text).toMatch(/rule edit\(secret\.txt\)/);

  const odd = [pre(saying({ action: 'modify', modifiedInput: { path: 7 } }))];
  const invalid = await converse([writes, says('ok')], { settings: { ...free, hooks: odd } });
  await invalid.tau(['-p', 'go']);
  expect(resultsIn(request(invalid.model, 1))[0]?.text).toMatch(/content/);
  expect(existsSync(join(invalid.project, 'made.txt'))).toBe(false);
});

test('two hooks that change the same call in two ways deny it; deny goes before all, whatever the order', async () => {
  const modify = (path: string) => pre(saying({ action: 'modify', modifiedInput: { path, content: 'y' } }));
  const allow = pre(saying({ action: 'allow' }));
  const two = await converse([writes, says('ok')], { settings: { ...free, hooks: [modify('a'), modify('b')] } });
  await two.tau(['-p', 'go']);
  expect(resultsIn(request(two.model, 1))[0]?.text).toMatch(/changed the same thing in two ways/);
  const no = pre('exit 1');
  const all = await converse([writes, says('ok')], { settings: { ...free, hooks: [allow, modify('a'), no] } });
  await all.tau(['-p', 'go']);
  expect(resultsIn(request(all.model, 1))[0]?.text).toMatch(/^Blocked by a hook/);
  for (const { project } of [two, all])
    for (const name of ['a', 'b', 'made.txt']) expect(existsSync(join(project, name))).toBe(false);
});

test('an allow answers the usual question, and nothing more: not a rule, a danger, a protected path or a silent hook', async () => {
  const steps = [
    calls(
      call('write', { path: 'made.txt', content: 'x' }),
      call('write', { path: 'asked.txt', content: 'x' }),
      call('write', { path: '.git/hooks/x', content: 'x' }),
      call('bash', { command: 'rm -rf ../home' }),
      call('write', { path: 'denied.txt', content: 'x' }),
    ),
    says('ok'),
  ];
  const rules = ['--ask', 'edit(asked.txt)', '--deny', 'edit(denied.txt)'];
  const yes = await converse(steps, { settings: { hooks: [pre(saying({ action: 'allow' }))] } });
  expect((await yes.tau(['-p', 'go', ...rules])).code).toBe(3);
  expect(resultsIn(request(yes.model, 1)).map(({ text }) => /needs approval/.test(text))).toEqual([
    ...[false, true, true, true, false],
  ]);
  expect(existsSync(join(yes.project, 'made.txt'))).toBe(true);
  for (const name of ['asked.txt', '.git/hooks/x', 'denied.txt']) {
    expect(existsSync(join(yes.project, name))).toBe(false);
  }
  expect(existsSync(yes.home)).toBe(true);

  const silent = await converse([writes, says('ok')], { settings: { hooks: [pre('exit 0')] } });
  expect((await silent.tau(['-p', 'go'])).code).toBe(3);
});

test('an ask has a person asked about what the mode would allow, and is a denial where nobody is asked', async () => {
  const hooks = [pre(saying({ action: 'ask', message: 'look twice' }))];
  const { tau, model, project } = await converse([writes, says('1'), writes, says('2')], { settings: { hooks } });
  const asked = await tau(['-p', 'go', '--permission-mode', 'acceptEdits', '--approve', 'all']);
  expect(asked.code).toBe(3);
  expect((await tau(['-p', 'go', '--permission-mode', 'dontAsk', '--allow', 'write'])).code).toBe(0);
  expect(resultsIn(request(model, 3)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/dontAsk mode does not ask, and .* says: look twice/),
  ]);
  expect(existsSync(join(project, 'made.txt'))).toBe(false);
});

test('match, if and tools choose the calls, by what happens and not by who does it', async () => {
  const hooks = [
    pre('echo pushing >&2; exit 1', { match: 'bash(git push:*)' }),
    pre('echo sources >&2; exit 1', { if: 'edit(src/**)' }),
    pre('echo looking >&2; exit 1', { tools: ['gr*'] }),
    pre('echo never >&2; exit 1', { tools: ['bash'], match: 'edit(src/**)', if: 'bash(nothing)' }),
  ];
  const { tau, model } = await converse(
    [
      calls(
        call('bash', { command: 'true && git push origin main' }),
        call('bash', { command: 'echo x > src/a' }),
        call('edit', { path: 'src/b', old_string: 'a', new_string: 'b' }),
        call('grep', { pattern: 'x' }),
        call('read', { path: 'src/b' }),
      ),
      says('ok'),
    ],
    { settings: { ...free, hooks } },
  );
  await tau(['-p', 'go']);
  const texts = resultsIn(request(model, 1)).map(({ text }) => /says: (\w+)/.exec(text)?.[1]);
  expect(texts).toEqual(['pushing', 'sources', 'sources', 'looking', undefined]);
});

test('a hook withholds a result, replaces it, or adds to it', async () => {
  const post = (word: object) => [{ event: 'PostToolUse', command: saying(word) }];
  const seen = async (word: object) => {
    const { tau, model, write } = await converse([calls(call('read', { path: 'a.txt' })), says('ok')], {
      settings: { hooks: post(word) },
    });
    write('a.txt', 'the password');
    await tau(['-p', 'go']);
    return request(model, 1).raw;
  };
  const withheld = await seen({ action: 'deny', message: 'a secret' });
  expect(withheld).toMatch(/its result is withheld: .*a secret/);
  expect(withheld).not.toContain('the password');
  const replaced = await seen({ action: 'modify', text: 'masked' });
  expect(replaced).toContain('masked');
  expect(replaced).not.toContain('the password');
  const added = await seen({ context: 'see also b.txt' });
  expect(added).toContain('the password');
  expect(added).toContain('see also b.txt');
});

test('a prompt that a hook blocks is never sent or recorded; context comes behind one that is not', async () => {
  const guard = { event: 'UserPromptSubmit', command: 'grep -q SECRET && { echo no secrets >&2; exit 1; }; exit 0' };
  const context = { event: 'UserPromptSubmit', command: saying({ context: 'branch: main' }) };
  const { tau, model, tauHome } = await converse([says('ok')], { settings: { hooks: [guard, context] } });
  const blocked = await tau(['-p', 'the SECRET plan']);
  expect(blocked).toMatchObject({ code: 1, stdout: '' });
  expect(blocked.stderr).toMatch(/The prompt was not sent: the UserPromptSubmit hook of .* says: no secrets/);
  expect(model.requests).toEqual([]);
  for (const file of sessionFiles(tauHome)) expect(readFileSync(file, 'utf8')).not.toContain('SECRET');
  expect((await tau(['-p', 'the plan'])).code).toBe(0);
  expect(talkIn(request(model, 0))).toEqual(['user: the plan', 'user: branch: main']);
});

test('PostSampling rewrites what is kept, shown and told again, and keeps calls from running early or at all', async () => {
  const rewrite = [{ event: 'PostSampling', command: saying({ action: 'modify', text: 'polished' }) }];
  const { tau, model } = await converse([says('rough'), says('rough')], { settings: { hooks: rewrite } });
  const first = await tau(['-p', 'go', '--output-format', 'stream-json']);
  expect(first.stdout).not.toContain('rough');
  expect(first.stdout).toContain('polished');
  expect(await tau(['-p', '-c', 'again'])).toMatchObject({ stdout: 'polished\n' });
  expect(talkIn(request(model, 1))).toEqual(['user: go', 'assistant: polished', 'user: again']);

  const block = [
    { event: 'PostSampling', command: 'exit 1' },
    { event: 'PreToolUse', command: writesDown },
  ];
  const denied = await converse([calls({ text: 'rough' }, call('read', { path: 'a' }))], {
    settings: { hooks: block },
  });
  const run = await denied.tau(['-p', 'go', '--output-format', 'stream-json']);
  expect(run.code).toBe(1);
  expect(run.stdout).not.toContain('rough');
  expect(ofType(run.events(), 'error')).toMatchObject([
    { message: expect.stringContaining('The answer was withheld') },
  ]);
  expect(ofType(run.events(), 'tool_execution_start')).toEqual([]);
  expect(eventsIn(denied)).toEqual([]);
});

test('Stop: retry goes on a bounded number of times and says that it does, deny ends the run as a failure', async () => {
  const retry = { event: 'Stop', command: saying({ action: 'retry', message: 'run the tests' }) };
  const on = await converse([says('1'), says('2'), says('3'), says('4')], {
    settings: { hooks: [retry, { event: 'Stop', command: writesDown }], limits: { recoveries: 2 } },
  });
  expect(await on.tau(['-p', 'go'])).toMatchObject({ code: 0, stdout: '3\n' });
  expect(toldIn(on).map((told) => told.stop_hook_active)).toEqual([false, true, true]);
  expect(talkIn(request(on.model, 1))).toEqual(['user: go', 'assistant: 1', 'user: run the tests']);

  const no = await converse([says('1')], {
    settings: { hooks: [retry, { event: 'Stop', command: 'echo red >&2; exit 1' }] },
  });
  const run = await no.tau(['-p', 'go']);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/the Stop hook of .* says: red/) });
});

test('a change of the settings counts from the next prompt, and one that cannot be read leaves the guard in place', async () => {
  const sandbox = await converse([writes, says('1'), writes, says('2'), writes, says('3')], {
    settings: { ...free, hooks: [pre('exit 1')] },
  });
  const path = join(sandbox.tauHome, 'settings.json');
  const settings = JSON.parse(sandbox.read(path));
  const run = sandbox.start(['--json'], { openStdin: true });
  const ask = async (number: number) => {
    run.send({ type: 'message', content: 'go' });
    await run.waitFor(new RegExp(`(agent_end[^]*){${number}}`));
    return existsSync(join(sandbox.project, 'made.txt'));
  };
  expect(await ask(1)).toBe(false);
  sandbox.write(path, JSON.stringify({ ...settings, hooks: [{ event: 'PreToolUze', command: 'exit 0' }] }));
  expect(await ask(2)).toBe(false);
  expect(run.soFar('stdout')).toContain('did you mean PreToolUse?');
  sandbox.write(path, JSON.stringify({ ...settings, hooks: [] }));
  expect(await ask(3)).toBe(true);
  run.endInput();
  expect((await run.done).code).toBe(0);
});
