/** What one message may hold: a model that never stops is stopped. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import type { Transport } from '../src/transport.ts';
import { type Api, askAt, modelAt, sse } from './wire.ts';

const million = 1_000_000;
const piece = 'x'.repeat(million);

const delta = (body: object) => ({ type: 'content_block_delta', index: 0, delta: body });
const call = (body: object) => ({ choices: [{ delta: { tool_calls: [{ index: 0, ...body }] } }] });

const floods: [string, Api, (count: number) => unknown][] = [
  ['text', 'anthropic-messages', () => delta({ type: 'text_delta', text: piece })],
  ['thinking', 'openai-completions', () => ({ choices: [{ delta: { reasoning_content: piece } }] })],
  ['a call', 'openai-completions', () => call({ id: 'c', function: { name: 'f', arguments: piece } })],
  [
    'blocks without text',
    'anthropic-messages',
    (count) => ({
      type: 'content_block_start',
      index: count,
      content_block: { type: 'redacted_thinking', data: piece },
    }),
  ],
  [
    'names of calls',
    'anthropic-messages',
    (count) => ({
      type: 'content_block_start',
      index: count,
      content_block: { type: 'tool_use', id: piece, name: 'f' },
    }),
  ],
];

/** Sends pieces of a million characters, without end but for the sake of a failing test. */
function flood(payload: (count: number) => unknown) {
  const seen = { sent: 0, closed: false };
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (; seen.sent < 80; seen.sent++) yield Buffer.from(sse([payload(seen.sent)]));
    } finally {
      seen.closed = true;
    }
  }
  const transport: Transport = async () => ({ status: 200, headers: {}, body: body() });
  return { seen, transport };
}

test.each(floods)('%s without end over %s ends with the limit of output', async (_, api, payload) => {
  const { seen, transport } = flood(payload);
  const { error } = await askAt(modelAt('http://canned.invalid', api), transport);
  expect(error).toEqual({
    class: 'outputLimit',
    message: 'scripted sent more than 64 million characters in one message, so tau stopped listening',
  });
  // Names and signatures count too, so the last piece may be the one before.
  expect([63, 64]).toContain(seen.sent);
  expect(seen.closed).toBe(true);
});

test('a message at the limit is whole', async () => {
  const end = [{ type: 'message_stop' }];
  const pieces = Array.from({ length: 64 }, () => delta({ type: 'text_delta', text: piece }));
  const transport: Transport = async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      for (const payload of [...pieces, ...end]) yield Buffer.from(sse([payload]));
    })(),
  });
  const { message } = await askAt(modelAt('http://canned.invalid', 'anthropic-messages'), transport);
  expect(message.content).toMatchObject([{ type: 'text' }]);
  expect(message.content[0]).toHaveProperty('text.length', 64 * million);
});

test.each([
  [
    'a message that failed',
    'overloaded',
    'text/event-stream',
    sse([{ type: 'error', error: { type: 'api_error', message: 'no' } }]),
  ],
  ['a web page', 'badRequest', 'text/html', '<html>'],
])('%s is not listened to further: the connection is closed', async (_, failure, type, text) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type });
    response.write(text);
    response.on('close', () => closed());
  });
  let closed = () => {};
  const hungUp = new Promise<void>((resolve) => {
    closed = resolve;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  const { error } = await askAt(modelAt(`http://127.0.0.1:${port}`, 'anthropic-messages'), httpTransport());
  expect(error?.class).toBe(failure);
  await hungUp;
});
