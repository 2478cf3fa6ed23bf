/** An Anthropic server written out by hand, for what a script cannot say: when exactly which bytes come. */
import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

type Payload = { type: string; [field: string]: unknown };

const wire = (payloads: Payload[]) =>
  payloads.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');

/** A message that calls bash, up to the end of the call. */
export function callEvents(command: string): string {
  const partial_json = JSON.stringify({ command });
  return wire([
    { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'bash', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } },
    { type: 'content_block_stop', index: 0 },
  ]);
}

/** A message that says something, up to the end of the words. */
export function wordEvents(text: string): string {
  return wire([
    { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
  ]);
}

export function endEvents(stop_reason: 'tool_use' | 'end_turn'): string {
  return wire([
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]);
}

/** Its address. `answer` gets the open stream of each request, numbered from 0. */
export async function handWrittenServer(answer: (stream: ServerResponse, number: number) => void): Promise<string> {
  let requests = 0;
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer(response, requests++);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
