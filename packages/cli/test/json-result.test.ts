/** `--output-format json`: one object for each prompt, whatever became of it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, says } from './conversation.ts';
import { onlySession } from './sessions.ts';

const json = ['--output-format', 'json'];

test('an answer is one object with all there is to say about it', async () => {
  const { tau, tauHome } = await converse([calls(call('bash', { command: 'pwd' })), says('All is well.\n')]);
  const run = await tau(['-p', 'look', ...json]);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout.trimEnd().split('\n')).toHaveLength(1);
  const [result] = run.events();
  expect(result).toEqual({
    type: 'result',
    answer: 'All is well.\n',
    sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    sessionPath: onlySession(tauHome),
    model: 'scripted/scripted',
    turns: 2,
    durationMs: expect.any(Number),
    usage: expect.objectContaining({ input: 20, output: 10, totalTokens: 30 }),
    cost: null,
    stopReason: 'done',
    cut: false,
    denials: [],
    exitCode: 0,
  });
});

test('where the price is known the cost is in dollars', async () => {
  const { tau, write, tauHome, model } = await converse([says('ok')]);
  const cost = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
  const provider = { baseUrl: model.url, api: 'anthropic-messages', apiKey: 'k', models: [{ id: 'scripted', cost }] };
  write(join(tauHome, 'models.json'), JSON.stringify({ providers: { scripted: provider } }));
  const [result] = (await tau(['-p', 'hi', ...json])).events();
  expect(result).toMatchObject({ cost: 10 });
});

test('what nobody could approve is listed, and the code is in the object too', async () => {
  const { tau } = await converse([calls(call('write', { path: 'a.txt', content: 'x' })), says('I could not')]);
  const run = await tau(['-p', 'go', ...json]);
  expect(run.code).toBe(3);
  expect(run.events()).toMatchObject([
    {
      answer: 'I could not',
      denials: [{ tool: 'write', input: { path: 'a.txt', content: 'x' }, reason: expect.stringContaining('a.txt') }],
      exitCode: 3,
    },
  ]);
});

test('what the sandbox refused is listed beside, prompt by prompt, and changes no exit code', async () => {
  const run = calls(call('bash', { command: 'sh out.sh' }));
  const { tau, write, home } = await converse([run, says('no'), says('fine')], {
    contained: true,
    settings: { permissionMode: 'auto' },
  });
  write('out.sh', 'echo x > "$HOME/made"; true');
  const done = await tau(['-p', 'a', 'b', ...json]);
  expect(done.code).toBe(0);
  const [first, second] = done.events();
  expect(first).toMatchObject({ denials: [], exitCode: 0 });
  expect(first?.violations).toEqual([
    { toolCallId: expect.any(String), command: 'sh out.sh', what: 'write', path: join(home, 'made') },
  ]);
  expect(second).not.toHaveProperty('violations');
});

test('a failure is an object with the error, and a line on stderr', async () => {
  const { tau } = await converse([{ status: 429 }]);
  const run = await tau(['-p', 'go', ...json]);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('429') });
  expect(run.events()).toMatchObject([
    {
      answer: '',
      stopReason: 'error',
      error: { class: 'rateLimited', message: expect.stringContaining('429') },
      exitCode: 1,
    },
  ]);
});

test('a session that cannot be written is an object with the error', async () => {
  const { tau, write, project } = await converse([says('never')]);
  write('file', '');
  const run = await tau(['-p', 'hi', ...json, '--session-dir', join(project, 'file/below')]);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be saved') });
  expect(run.events()).toMatchObject([
    { stopReason: 'error', error: { message: expect.stringContaining('could not be saved') }, exitCode: 1 },
  ]);
});

test('an interruption is an object too', async () => {
  const { start, model } = await converse([{ hang: 'beforeHeaders' }]);
  const run = start(['-p', 'go', ...json]);
  await model.arrival(0);
  run.kill('SIGINT');
  const done = await run.done;
  expect(done).toMatchObject({ code: 130, stderr: '' });
  expect(done.events()).toMatchObject([{ stopReason: 'aborted', exitCode: 130 }]);
});

test('several prompts are one line each, up to the first that fails', async () => {
  const { tau } = await converse([says('one'), says('two'), { status: 500 }, says('never')]);
  const run = await tau(['-p', 'a', 'b', 'c', 'd', ...json]);
  expect(run.code).toBe(1);
  expect(run.events().map(({ answer, exitCode }) => [answer, exitCode])).toEqual([
    ['one', 0],
    ['two', 0],
    ['', 1],
  ]);
});

test('each of several prompts lists its own denials', async () => {
  const { tau } = await converse([calls(call('write', { path: 'a.txt', content: 'x' })), says('no'), says('yes')]);
  const run = await tau(['-p', 'a', 'b', ...json]);
  expect(run.code).toBe(3);
  expect(run.events().map(({ denials, exitCode }) => [Array.isArray(denials) && denials.length, exitCode])).toEqual([
    [1, 3],
    [0, 0],
  ]);
});

test('an error of usage is on stderr alone', async () => {
  const { tau } = await converse([]);
  expect(await tau(['-p', 'hi', ...json, '--model', 'nobody/x'])).toMatchObject({ code: 2, stdout: '' });
});

test('with --no-session there is no path', async () => {
  const { tau } = await converse([says('ok')]);
  const [result] = (await tau(['-p', 'hi', ...json, '--no-session'])).events();
  expect(result).not.toHaveProperty('sessionPath');
});
