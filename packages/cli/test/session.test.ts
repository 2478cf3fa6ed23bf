import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, callsIn, converse, keptId, request, resultsIn, says, talkIn } from './conversation.ts';
import { at, list, textAt } from './json.ts';
import { linesOf, onlySession, outlineOf, sessionFiles } from './sessions.ts';

const free = ['--permission-mode', 'dangerously'];
const wrote = calls(call('bash', { command: 'echo hi > out.txt' }, 'c1'));

test('a session is private: 0700 for its folders, 0600 for its file', async () => {
  const { tau, tauHome } = await converse([says('ok')]);
  await tau(['-p', 'hi']);
  const path = onlySession(tauHome);
  const mode = (of: string) => (statSync(of).mode & 0o777).toString(8);
  expect([path, dirname(path), join(tauHome, 'sessions')].map(mode)).toEqual(['600', '700', '700']);
});

test('a run that never reached the model leaves no session behind', async () => {
  const { tau, tauHome } = await converse([]);
  await tau(['-p', 'hi', '--model', 'nobody/nothing']);
  expect(sessionFiles(tauHome)).toEqual([]);
});

test.each(apis)('the file is a v3 session, line by line, over %s', async (api) => {
  const { tau, tauHome, project } = await converse([wrote, says('Done')], { api });
  await tau(['-p', 'go', ...free]);
  const path = onlySession(tauHome);
  expect(outlineOf(path)).toEqual([
    'session',
    'model_change',
    'message user',
    'message assistant',
    'custom tau.intent',
    'message toolResult',
    'message assistant',
  ]);
  const [header, modelChange, user, called, intent, result, answer] = linesOf(path);
  expect(header).toEqual({
    type: 'session',
    version: 3,
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    cwd: project,
  });
  expect(path.endsWith(`_${textAt(header, 'id')}.jsonl`)).toBe(true);
  expect(modelChange).toMatchObject({ provider: 'scripted', modelId: 'scripted' });
  expect(at(user, 'message')).toEqual({ role: 'user', content: 'go', timestamp: expect.any(Number) });
  const usage = {
    ...{ input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const speaker = { role: 'assistant', api, provider: 'scripted', model: 'scripted', usage };
  const received = { responseId: expect.any(String), timestamp: expect.any(Number) };
  const c1 = keptId(api, 'c1', 0);
  expect(at(called, 'message')).toEqual({
    ...speaker,
    ...received,
    content: [
      {
        ...{ type: 'toolCall', id: c1, name: 'bash', arguments: { command: 'echo hi > out.txt' } },
        ...(api === 'google-generative-ai' && { thoughtSignature: expect.any(String) }),
      },
    ],
    stopReason: 'toolUse',
  });
  expect(at(intent, 'data')).toMatchObject({ toolCallId: c1, toolName: 'bash' });
  expect(at(intent, 'data', 'effects', '0')).toMatchObject({ kind: 'exec' });
  expect(at(result, 'message')).toMatchObject({
    role: 'toolResult',
    toolCallId: c1,
    toolName: 'bash',
    content: [{ type: 'text', text: '(no output)' }],
    isError: false,
    timestamp: expect.any(Number),
  });
  expect(at(answer, 'message')).toEqual({
    ...speaker,
    ...received,
    content: [
      {
        type: 'text',
        text: 'Done',
        ...(api === 'openai-responses' && { textSignature: '{"v":1,"id":"msg_scripted_1_0"}' }),
      },
    ],
    stopReason: 'stop',
  });
});

test('every entry has its own id and hangs on the one before it', async () => {
  const { tau, tauHome } = await converse([wrote, says('Done'), says('More')]);
  await tau(['-p', 'go', 'and on', ...free]);
  await tau(['-p', '-c', 'again'], {});
  const [, ...entries] = linesOf(onlySession(tauHome));
  const ids = entries.map((entry) => textAt(entry, 'id'));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(entries.map((entry) => at(entry, 'parentId'))).toEqual([null, ...ids.slice(0, -1)]);
});

test("the user's entry is on disk before the first byte of the request", async () => {
  const seen: string[][] = [];
  let look = () => {};
  const { tau, tauHome } = await converse([
    () => {
      look();
      return wrote;
    },
    () => {
      look();
      return says('ok');
    },
  ]);
  look = () => void seen.push(outlineOf(onlySession(tauHome)));
  expect((await tau(['-p', 'go', ...free])).code).toBe(0);
  const first = ['session', 'model_change', 'message user'];
  expect(seen).toEqual([first, [...first, 'message assistant', 'custom tau.intent', 'message toolResult']]);
});

test('the intent of an effect, and the message that wants it, are on disk before the effect', async () => {
  const command = 'cat "$HOME"/.tau/sessions/*/*.jsonl > copy.jsonl';
  const { tau, project } = await converse([calls(call('bash', { command }, 'c1')), says('ok')]);
  expect((await tau(['-p', 'go', ...free])).code).toBe(0);
  const copy = linesOf(join(project, 'copy.jsonl'));
  expect(at(copy.at(-1), 'data')).toMatchObject({ toolCallId: 'c1' });
  expect(at(copy.at(-1), 'data', 'effects', '0')).toMatchObject({ kind: 'exec', command });
  expect(at(copy.at(-2), 'message', 'role')).toBe('assistant');
});

test('a call that only reads, or was refused, has no intent', async () => {
  const { tau, tauHome } = await converse([
    calls(call('bash', { command: 'ls' }), call('write', { path: 'a', content: 'b' })),
    says('ok'),
  ]);
  expect((await tau(['-p', 'go'])).code).toBe(3);
  expect(outlineOf(onlySession(tauHome))).not.toContain('custom tau.intent');
});

test.each(apis)('-c goes on with the whole history in the same file, over %s', async (api) => {
  const { tau, model, tauHome } = await converse([wrote, says('Done'), says('Yes'), says('Sure')], { api });
  await tau(['-p', 'go', ...free]);
  const path = onlySession(tauHome);
  const before = readFileSync(path, 'utf8');
  expect(await tau(['-p', '-c', 'really?'])).toMatchObject({ code: 0, stdout: 'Yes\n', stderr: '' });
  expect(await tau(['--continue', '-p', 'sure?'])).toMatchObject({ code: 0, stdout: 'Sure\n' });
  expect(onlySession(tauHome)).toBe(path);
  expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true);
  const last = request(model, 3);
  expect(talkIn(last)).toEqual(['user: go', 'assistant: Done', 'user: really?', 'assistant: Yes', 'user: sure?']);
  expect([callsIn(last), resultsIn(last).map(({ id }) => id)]).toEqual([['c1'], ['c1']]);
  expect(outlineOf(path).filter((line) => line === 'model_change')).toHaveLength(1);
});

test('the bytes of what was said do not change when a session is continued', async () => {
  const { tau, model } = await converse([
    { blocks: [{ thinking: 'hm' }, call('bash', { command: 'pwd' })] },
    says('a'),
    says('b'),
  ]);
  await tau(['-p', 'go']);
  await tau(['-p', '-c', 'on']);
  const earlier = request(model, 1).raw.replace(/\]\}$/, '');
  expect(request(model, 2).raw.startsWith(earlier)).toBe(true);
});

test('-c takes the newest session of this folder and of no other', async () => {
  const { tau, model, project } = await converse([says('1'), says('2'), says('3'), says('4')]);
  await tau(['-p', 'old']);
  await tau(['-p', 'new']);
  await tau(['-p', 'elsewhere'], { cwd: dirname(project) });
  await tau(['-p', '-c', 'which?']);
  expect(talkIn(request(model, 3))).toEqual(['user: new', 'assistant: 2', 'user: which?']);
});

test('-c with nothing to continue says so', async () => {
  const { tau, model, project } = await converse([]);
  expect(await tau(['-p', '-c', 'hi'])).toMatchObject({ code: 2, stderr: expect.stringContaining(project) });
  expect(model.requests).toHaveLength(0);
});

test('a line that was damaged is a warning, and the rest goes on', async () => {
  const { tau, model, tauHome, write, read } = await converse([says('one'), says('two')]);
  await tau(['-p', 'first']);
  const path = onlySession(tauHome);
  write(path, `${read(path)}{"type":"message","id":"dead`);
  const run = await tau(['-p', '-c', 'second']);
  expect(run).toMatchObject({ code: 0, stdout: 'two\n', stderr: expect.stringMatching(/^tau: warning: .*line 5/) });
  expect(talkIn(request(model, 1))).toEqual(['user: first', 'assistant: one', 'user: second']);
  expect(list(read(path).split('\n')).filter((line) => line === '{"type":"message","id":"dead')).toHaveLength(1);
});

test('after a provider that failed -c repeats what was asked', async () => {
  const { tau, model } = await converse([{ status: 500 }, says('better now')]);
  expect((await tau(['-p', 'first'])).code).toBe(1);
  expect(await tau(['-p', '-c', 'try again'])).toMatchObject({ code: 0, stdout: 'better now\n' });
  expect(talkIn(request(model, 1))).toEqual(['user: first', 'user: try again']);
});
