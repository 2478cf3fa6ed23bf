import { expect, test } from 'vitest';
import { apis, bareSandbox, converse, request, says, talkIn } from './conversation.ts';

test.each(apis)('an answer over %s is alone on stdout, with a newline', async (api) => {
  const { tau, model } = await converse([says('Hello')], { api });
  const run = await tau(['-p', 'hi']);
  expect(run).toMatchObject({ code: 0, stdout: 'Hello\n', stderr: '' });
  expect(talkIn(request(model, 0))).toEqual(['user: hi']);
  expect(model.requests).toHaveLength(1);
});

test.each(apis)('an answer over %s is byte for byte what the model said, in whatever pieces it came', async (api) => {
  const text = '# Grüße 👩‍👩‍👧 漢字\n\n\ttab, "quotes", \\ and \u0007 bell\n';
  const { tau } = await converse([{ blocks: [{ text }], chunk: 1 }], { api });
  expect((await tau(['-p', 'hi'])).stdout).toBe(`${text}\n`);
});

test.each(apis)('thinking over %s is not part of the answer', async (api) => {
  const { tau } = await converse([{ blocks: [{ thinking: 'hmm, let me see' }, { text: 'Done' }] }], { api });
  expect(await tau(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'Done\n', stderr: '' });
});

test('only the last message of a run is the answer', async () => {
  const { tau } = await converse([
    { blocks: [{ text: 'I will look first.' }, { call: 'bash', input: { command: 'pwd' } }] },
    says('All is well.'),
  ]);
  expect(await tau(['-p', 'look'])).toMatchObject({ code: 0, stdout: 'All is well.\n', stderr: '' });
});

test('a prompt without -p prints too, when stdout is no terminal', async () => {
  const { tau } = await converse([says('Hello')]);
  expect(await tau(['hi'])).toMatchObject({ code: 0, stdout: 'Hello\n' });
});

test('several prompts are answered in order, in one conversation', async () => {
  const { tau, model } = await converse([says('one'), says('two'), says('three')]);
  expect(await tau(['-p', 'first', 'second', 'third'])).toMatchObject({ code: 0, stdout: 'one\ntwo\nthree\n' });
  expect(talkIn(request(model, 2))).toEqual([
    'user: first',
    'assistant: one',
    'user: second',
    'assistant: two',
    'user: third',
  ]);
});

test('after a prompt that failed the next one is not sent', async () => {
  const { tau, model } = await converse([{ status: 500 }, says('never')]);
  expect(await tau(['-p', 'first', 'second'])).toMatchObject({ code: 1, stdout: '' });
  expect(model.requests).toHaveLength(1);
});

test('what is piped in alone is the prompt', async () => {
  const { tau, model } = await converse([says('ok')]);
  expect(await tau(['-p'], { stdin: 'what is this?\n' })).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(talkIn(request(model, 0))).toEqual(['user: what is this?']);
});

test('what is piped in comes after the first prompt, with it', async () => {
  const { tau, model } = await converse([says('ok'), says('ok')]);
  await tau(['-p', 'explain', 'and shorter'], { stdin: 'line 1\nline 2\n' });
  expect(talkIn(request(model, 1))).toEqual(['user: explain\n\nline 1\nline 2', 'assistant: ok', 'user: and shorter']);
});

test('a megabyte of several-byte characters comes through a pipe whole', async () => {
  const { tau, model } = await converse([says('ok')]);
  const stdin = 'ä漢👍'.repeat(120_000);
  expect((await tau(['-p'], { stdin })).code).toBe(0);
  expect(talkIn(request(model, 0))).toEqual([`user: ${stdin}`]);
});

test('more than 10 MB piped in is refused before anything is sent', async () => {
  const { tau, model } = await converse([says('never')]);
  const run = await tau(['-p', 'sum up'], { stdin: 'x'.repeat(11 * 1024 * 1024) });
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('10 MB') });
  expect(model.requests).toHaveLength(0);
});

test('an empty pipe adds nothing to the prompt', async () => {
  const { tau, model } = await converse([says('ok')]);
  await tau(['-p', 'hi'], { stdin: '' });
  expect(talkIn(request(model, 0))).toEqual(['user: hi']);
});

test.each([[['-p']], [['-p', '  ']], [[]]])('without any prompt %j is a usage error', async (args) => {
  expect(await bareSandbox().tau(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('no prompt') });
});
