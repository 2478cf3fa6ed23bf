/** `@path` in the words of a prompt, from the command line and in a dialogue: the request has what it names. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis, call, calls, converse, request, says, talkIn } from './conversation.ts';

const message = (content: string, more: object = {}) => ({ type: 'message', content, ...more });
const waiting = 'until [ -e go ]; do sleep 0.02; done';

test.each(apis)('a file that is mentioned comes with the prompt, whose words stay, over %s', async (api) => {
  const { tau, model, write } = await converse([says('ok')], { api });
  write('a.ts', 'let a = 1');
  expect(await tau(['-p', 'why is @a.ts wrong? ask @nobody'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' });
  expect(talkIn(request(model, 0))).toEqual([
    'user: why is @a.ts wrong? ask @nobody',
    'user: <file name="a.ts">\nlet a = 1\n</file>',
  ]);
});

test('each prompt brings what it mentions itself, a folder as its list', async () => {
  const { tau, model, write } = await converse([says('one'), says('two')]);
  write('src/a.ts', 'x');
  expect((await tau(['-p', 'what is in @src', 'and in @src/a.ts'])).code).toBe(0);
  expect(talkIn(request(model, 1))).toEqual([
    'user: what is in @src',
    'user: <folder name="src">\na.ts\n</folder>',
    'assistant: one',
    'user: and in @src/a.ts',
    'user: <file name="src/a.ts">\nx\n</file>',
  ]);
});

test('what may not be read, or is too large, is not attached, and that is told', async () => {
  const { tau, model, write, home } = await converse([says('ok')]);
  write(join(home, '.ssh', 'id_rsa'), 'PRIVATE');
  write('secrets/a.txt', 'HUSH');
  write('big.txt', 'B'.repeat(300_000));
  const run = await tau(['-p', 'look at @~/.ssh/id_rsa, @secrets/a.txt and @big.txt', '--deny', 'read(secrets/**)']);
  expect(run).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(run.stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^tau: ~\/\.ssh\/id_rsa cannot be attached: .*holds credentials/),
    expect.stringMatching(/^tau: secrets\/a\.txt cannot be attached: the rule read\(secrets\/\*\*\) denies it/),
    'tau: big.txt cannot be attached: it has more than 256 KB of text',
  ]);
  expect(request(model, 0).raw).not.toMatch(/PRIVATE|HUSH|BBBB/);
});

test('the same holds for @FILE as an argument: it is refused before anything is asked', async () => {
  const { tau, model, write } = await converse([says('never')]);
  write('secrets/a.txt', 'HUSH');
  const run = await tau(['-p', '@secrets/a.txt', 'look', '--deny', 'read(secrets/**)']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('read(secrets/**) denies it') });
  expect(model.requests).toHaveLength(0);
});

test('what is piped in mentions nothing, nor is a variable in it or in the prompt filled in', async () => {
  const { tau, model, write } = await converse([says('ok')]);
  write('a.ts', 'LET');
  const words = 'review $HOME and \u0024{HOME}';
  const run = await tau(['-p', words], { stdin: 'see @a.ts and $HOME\n' });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(talkIn(request(model, 0))).toEqual([`user: ${words}\n\nsee @a.ts and $HOME`]);
});

test('a message of a dialogue brings what it mentions, also one that waited for a run to end', async () => {
  const { start, model, write } = await converse([calls(call('bash', { command: waiting })), says('one'), says('two')]);
  write('a.ts', 'first');
  write('b.ts', 'second');
  const run = start(['--json', '--allow', 'bash'], { openStdin: true });
  run.send(message('go @a.ts'));
  await run.waitFor('tool_execution_start');
  run.send(message('then @b.ts'));
  run.send(message('look out for @b.ts', { deliverAs: 'steer' }));
  await run.waitFor('"steering":1');
  write('go', '');
  run.endInput();
  expect(await run.done).toMatchObject({ code: 0, stderr: '' });
  expect(talkIn(request(model, 2))).toEqual([
    'user: go @a.ts',
    'user: <file name="a.ts">\nfirst\n</file>',
    'user: look out for @b.ts',
    'assistant: one',
    'user: then @b.ts',
    'user: <file name="b.ts">\nsecond\n</file>',
  ]);
});
