/** Which session a prompt goes to. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bareSandbox, converse, request, says, talkIn } from './conversation.ts';
import { textAt } from './json.ts';
import { onlySession, sessionFiles } from './sessions.ts';

const json = ['--output-format', 'json'];

/** Two sessions, `one` and then `two`; their ids. */
async function twoSessions() {
  const scene = await converse([says('1'), says('2'), says('more')]);
  const idOf = async (prompt: string) => textAt((await scene.tau(['-p', prompt, ...json])).events()[0], 'sessionId');
  return { ...scene, one: await idOf('one'), two: await idOf('two') };
}

test.each(['--session', '--resume', '-r'])('%s goes on with the session of that id', async (flag) => {
  const { tau, model, one, tauHome } = await twoSessions();
  expect(await tau(['-p', flag, one, 'go on'])).toMatchObject({ code: 0, stdout: 'more\n', stderr: '' });
  expect(talkIn(request(model, 2))).toEqual(['user: one', 'assistant: 1', 'user: go on']);
  expect(sessionFiles(tauHome)).toHaveLength(2);
});

test('--resume last is the newest, and --session takes a path', async () => {
  const { tau, model } = await twoSessions();
  expect((await tau(['-p', '--resume', 'last', 'go on'])).code).toBe(0);
  expect(talkIn(request(model, 2))[0]).toBe('user: two');
});

test('--session takes the path of a file', async () => {
  const { tau, model, tauHome } = await converse([says('1'), says('2')]);
  await tau(['-p', 'one']);
  expect((await tau(['-p', 'go on', '--session', onlySession(tauHome)])).code).toBe(0);
  expect(talkIn(request(model, 1))).toHaveLength(3);
});

test('--resume without an ID lists the newest sessions, and nothing is sent', async () => {
  const { tau, model, one, two } = await twoSessions();
  const run = await tau(['-p', 'which one do you mean', '-r']);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(new RegExp(`--resume needs.*\\n  ${two}  two\\n  ${one}  one\\n$`, 's'));
  expect(model.requests).toHaveLength(2);
});

test('--resume takes no prompt of several words for an ID', async () => {
  const { tau } = await twoSessions();
  expect((await tau(['-p', '-r', 'which one do you mean'])).stderr).toContain('--resume needs');
});

test('--resume="…" takes a name with blanks', async () => {
  const { tau } = await converse([says('1'), says('2')]);
  await tau(['-p', '--name', 'bug hunt', 'one']);
  expect(await tau(['-p', '--resume=bug hunt', 'two'])).toMatchObject({ code: 0, stdout: '2\n' });
  expect((await tau(['-p', '-r', 'bug hunt', 'two'])).stderr).toContain('--resume="…"');
});

test('--resume where there is nothing to resume says so', async () => {
  expect(await bareSandbox().tau(['-p', 'hi', '-r'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no session of'),
  });
});

test('--fork goes on with a copy and leaves the other as it was', async () => {
  const { tau, model, one, tauHome } = await twoSessions();
  const before = sessionFiles(tauHome).map((path) => readFileSync(path, 'utf8'));
  const run = await tau(['-p', 'go on', '--fork', one, ...json]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(textAt(run.events()[0], 'sessionId')).not.toBe(one);
  expect(talkIn(request(model, 2))).toEqual(['user: one', 'assistant: 1', 'user: go on']);
  const after = sessionFiles(tauHome).map((path) => readFileSync(path, 'utf8'));
  expect(after).toHaveLength(3);
  expect(before.filter((text) => !after.includes(text))).toEqual([]);
});

test('--session-id gives a new session its id, also a copy', async () => {
  const { tau, tauHome } = await converse([says('1'), says('2')]);
  const [mine, other] = ['0197a000-0000-7000-8000-000000000001', '0197a000-0000-7000-8000-000000000002'];
  const run = await tau(['-p', 'hi', '--session-id', mine, ...json]);
  expect(run.events()).toMatchObject([{ sessionId: mine }]);
  const copy = await tau(['-p', 'hi', '--fork', mine, '--session-id', other, ...json]);
  expect(copy.events()).toMatchObject([{ sessionId: other }]);
  expect(sessionFiles(tauHome)).toHaveLength(2);
  expect(await tau(['-p', 'hi', '--session-id', mine])).toMatchObject({ code: 2, stdout: '' });
});

test('-n names the session, and the name finds it', async () => {
  const { tau, model } = await converse([says('1'), says('2')]);
  expect((await tau(['-p', 'hi', '-n', 'the first'])).code).toBe(0);
  expect((await tau(['-p', 'go on', '--session', 'the first'])).code).toBe(0);
  expect(talkIn(request(model, 1))).toEqual(['user: hi', 'assistant: 1', 'user: go on']);
});
