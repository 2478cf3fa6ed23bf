import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { converse } from './conversation.ts';

type Payload = { type: string; [field: string]: unknown };

const opening: Payload[] = [
  { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'bash', input: {} } },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: '{"command":"cat pipe"}' },
  },
  { type: 'content_block_stop', index: 0 },
];
const ending = (stop_reason: string): Payload[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

const wire = (payloads: Payload[]) =>
  payloads.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');

/** Answers with a call, and ends that first message only when told. */
async function slowSpeaker(mayEnd: Promise<void>): Promise<string> {
  let requests = 0;
  const server = createServer(async (incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (requests++ > 0) return response.end(wire([...opening.slice(0, 1), ...ending('end_turn')]));
    response.write(wire(opening));
    await mayEnd;
    return response.end(wire(ending('tool_use')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

test('a call that only reads runs while the model still speaks', async () => {
  const { tau, project } = await converse([]);
  const pipe = join(project, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // A pipe opens for writing only while somebody reads it, and the message ends only after that.
  const running = open(pipe, 'w').then(async (end) => {
    await end.writeFile('early');
    await end.close();
  });
  const url = await slowSpeaker(running);
  const run = await tau(['-p', 'go', '--base-url', url, '--output-format', 'stream-json']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.events().find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    result: { content: [{ text: 'early' }] },
  });
});
