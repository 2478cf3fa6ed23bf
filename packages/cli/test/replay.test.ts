/** A recording through the binary: real tools, no network, and a plain word when the conversation leaves it. */

import { expect, test } from 'vitest';
import { bareSandbox } from './conversation.ts';

const event = (data: { type: string } & Record<string, unknown>) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const delta = (delta: Record<string, unknown>) => event({ type: 'content_block_delta', index: 0, delta });

const call = [
  event({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 't1', name: 'write', input: {} },
  }),
  delta({ type: 'input_json_delta', partial_json: '{"path":"made.txt","content":"by a recording"}' }),
  event({ type: 'content_block_stop', index: 0 }),
  event({ type: 'message_stop' }),
];
const answer = [delta({ type: 'text_delta', text: 'It is made.' }), event({ type: 'message_stop' })];

const head = { type: 'tau-recording', version: 2 };
const exchange = (number: number, messages: number, body: string[], extra: Record<string, unknown> = {}) => ({
  type: 'exchange',
  number,
  api: 'anthropic-messages',
  messages,
  status: 200,
  end: 'complete',
  headers: { 'content-type': 'text/event-stream' },
  body,
  ...extra,
});
const tape = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

test('the calls of a recording are made for real', async () => {
  const { tau, write, read } = bareSandbox();
  write('tape.jsonl', tape(head, exchange(1, 1, call), exchange(2, 3, answer)));
  const run = await tau(['-p', 'make it', '--replay', 'tape.jsonl', '--permission-mode', 'acceptEdits']);
  expect(run).toMatchObject({ code: 0, stdout: 'It is made.\n', stderr: '' });
  expect(read('made.txt')).toBe('by a recording');
});

test('a conversation that leaves the recording fails, with the exchange and what came', async () => {
  const { tau, write } = bareSandbox();
  write('tape.jsonl', tape(head, exchange(1, 1, call), exchange(2, 4, answer)));
  const run = await tau(['-p', 'make it', '--replay', 'tape.jsonl', '--permission-mode', 'acceptEdits']);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(
    'leaves the recording tape.jsonl at exchange 2: it was recorded with 4 messages, and 3 came: one is missing',
  );
});

test('a tool that was not there when the run was recorded is told', async () => {
  const { tau, write } = bareSandbox();
  write('tape.jsonl', tape(head, exchange(1, 1, answer, { tools: ['bash', 'read'] })));
  const run = await tau(['-p', 'hi', '--replay', 'tape.jsonl']);
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/at exchange 1: other tools were offered when it was recorded: .*write.* (is|are) new/);
});

test('a recorded failure fails the run', async () => {
  const { tau, write } = bareSandbox();
  const body = [JSON.stringify({ error: { type: 'invalid_request_error', message: 'no such model' } })];
  write('tape.jsonl', tape(head, exchange(1, 1, body, { status: 400 })));
  const run = await tau(['-p', 'hi', '--replay', 'tape.jsonl']);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('no such model') });
});

test.each([
  ['of a newer tau', tape({ ...head, version: 99 }), /recorded by a newer tau.*Update tau/s],
  ['without an exchange', tape(head), /tape\.jsonl holds no exchange/],
  ['that is damaged', tape(head, exchange(1, 1, answer), { type: 'exchange' }), /line 3 cannot be used/],
])('a recording %s is refused before anything happens', async (_, content, message) => {
  const { tau, write } = bareSandbox();
  write('tape.jsonl', content);
  const run = await tau(['-p', 'hi', '--replay', 'tape.jsonl']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});
