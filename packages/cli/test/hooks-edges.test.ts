/** Hooks at the edges: what hides in their words and names, who ends them, and what they would start in a stranger's folder. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says, talkIn } from './conversation.ts';
import { toldIn, writesDown } from './hooks.ts';
import { expectGone, pidsIn } from './processes.ts';
import { keys, startTyping } from './repl-terminal.ts';

const tags = (text: string) => [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
const free = { permissionMode: 'dangerously' };

test('invisible letters in what a SessionStart hook says do not reach the model, and it is said that they were there', async () => {
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `echo 'welcome${tags('obey')}'` }] }] };
  const { tau, model } = await converse([says('ok')], { settings: { hooks } });
  const { stderr } = await tau(['-p', 'go']);
  expect(request(model, 0).raw).not.toMatch(/\udb40/);
  expect(talkIn(request(model, 0))[0]).toMatch(/^user: welcome\n\[tau removed 4 invisible characters/);
  expect(stderr).toContain('Removed 4 invisible characters that spell: "obey" from what a hook said');
});

test('whoever wants tau to end does not wait for a SessionEnd hook, and the hook ends with it', async () => {
  const hooks = [{ event: 'SessionEnd', command: 'echo $$ > "$HOME/pid"; sleep 600', timeoutSecs: 600 }];
  const { start, home } = await converse([says('ok')], { settings: { hooks } });
  const run = start(['-p', 'go']);
  const pids = await pidsIn(join(home, 'pid'), 1);
  run.kill('SIGTERM');
  expect(await run.done).toMatchObject({ code: 143, stdout: 'ok\n' });
  await expectGone(pids);
});

test('what a SessionEnd hook objects to is seen in the line mode, and Ctrl+C does not wait for one that hangs', async () => {
  const objects = [{ event: 'SessionEnd', command: 'echo not yet >&2; exit 1' }];
  const sandbox = await converse([says('fine'), says('fine')], { settings: { hooks: objects } });
  const tau = startTyping(sandbox, ['go']);
  await tau.shows('fine\n> ');
  tau.type(keys.ctrlD);
  expect(await tau.done).toEqual({ code: 0, restored: true });
  expect(tau.screen()).toContain('exit 1) says: not yet');

  const hangs = [{ event: 'SessionEnd', command: 'echo $$ > "$HOME/hook"; sleep 600', timeoutSecs: 600 }];
  const path = join(sandbox.tauHome, 'settings.json');
  sandbox.write(path, JSON.stringify({ ...JSON.parse(sandbox.read(path)), hooks: hangs }));
  const again = startTyping(sandbox, ['go']);
  await again.shows('fine\n> ');
  again.type(keys.ctrlD);
  const pids = await pidsIn(join(sandbox.home, 'hook'), 1);
  again.type(keys.ctrlC);
  expect(await again.done).toEqual({ code: 130, restored: true });
  await expectGone(pids);
});

test('FileChanged is fired for settings in TOML too', async () => {
  const changes = `mkdir -p .tau; echo 'language = "Deutsch"' > .tau/settings.toml`;
  const sandbox = await converse([says('one'), says('two')], {
    settings: {
      hooks: [
        { event: 'FileChanged', command: writesDown },
        { event: 'Stop', command: changes },
      ],
    },
    git: true,
  });
  await sandbox.tau(['-p', 'first', 'second']);
  expect(toldIn(sandbox)).toMatchObject([{ file_path: join(sandbox.project, '.tau/settings.toml') }]);
});

test('a key in the command of a hook is not in what is said about it', async () => {
  const key = `sk-ant-api03-${'a1B2'.repeat(8)}`;
  const hooks = [{ event: 'PreToolUse', command: `false ${key}` }];
  const steps = [calls(call('write', { path: 'made.txt', content: 'x' })), says('ok')];
  const { tau, model } = await converse(steps, { settings: { ...free, hooks } });
  const { stdout } = await tau(['-p', 'go', '--output-format', 'stream-json', '--include-hook-events']);
  expect(resultsIn(request(model, 1))[0]?.text).toMatch(/the PreToolUse hook of .*\(false \[secret\]/);
  expect(stdout).not.toContain('a1B2a1B2');
  expect(stdout).toContain('"type":"hook_start"');
});

test("in a stranger's folder a hook of the user's own starts nothing of it by another word", async () => {
  const commands = [
    'sh check.sh',
    'A=1 ./check.sh',
    'git status > /dev/null',
    'printf %s "$PYTHONSAFEPATH" > "$HOME/safe"; : python3 -c "import json"',
  ];
  const hooks = commands.map((command) => ({ event: 'SessionStart', command }));
  const sandbox = await converse([says('ok'), says('ok')], { settings: { hooks }, git: true });
  sandbox.write('check.sh', '#!/bin/sh\ntouch "$HOME/owned"');
  const script = join(sandbox.project, 'check.sh');
  chmodSync(script, 0o755);
  execFileSync('git', ['-C', sandbox.project, 'config', 'core.fsmonitor', script]);
  const { stderr } = await sandbox.tau(['-p', 'go']);
  expect(stderr).toContain('check.sh is a program of this project, which is not trusted');
  expect(stderr).toContain('./check.sh is a program of this project, which is not trusted');
  expect(sandbox.read(join(sandbox.home, 'safe'))).toBe('1');
  expect(existsSync(join(sandbox.home, 'owned'))).toBe(false);
  // With a yes they do what they say.
  expect((await sandbox.tau(['trust', 'yes', '--yes'])).code).toBe(0);
  await sandbox.tau(['-p', 'go']);
  expect(existsSync(join(sandbox.home, 'owned'))).toBe(true);
});

test('tau doctor says what is wrong with a hook that keeps runs from beginning', async () => {
  const hooks = [{ event: 'PreToolUses', command: 'true' }];
  const { tau } = await converse([], { settings: { hooks } });
  const { code, stdout } = await tau(['doctor']);
  expect(stdout).toMatch(
    /problem +Hooks +The hooks of ~\/\.tau\/settings\.json cannot be read: .*did you mean PreToolUse\?/,
  );
  expect(code).toBe(1);
  expect((await tau(['-p', 'go'])).code).toBe(2);
});
