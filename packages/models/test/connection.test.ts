/** What a conversation costs in connections. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Model } from '@tau/core';
import { expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { createStream } from './flat.ts';

const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

async function startServer(answer: (response: ServerResponse) => unknown) {
  const seen = { connections: 0, closed: 0 };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'text/event-stream');
      answer(response);
    });
  }).on('connection', (socket) => {
    seen.connections += 1;
    socket.on('close', () => {
      seen.closed += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const model: Model = { provider: 'p', id: 'm', api: 'anthropic-messages', baseUrl: `http://127.0.0.1:${port}` };
  return { seen, request: { model, system: '', messages: [], tools: [] } };
}

const stream = createStream({ transport: httpTransport(), key: undefined });

test('the turns of a conversation share one connection', async () => {
  const { seen, request } = await startServer((response) => {
    response.write(event({ type: 'message_stop' }));
    // The body ends a moment after the message does, as it does with real servers.
    setImmediate(() => response.end());
  });
  const ends: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    for await (const { type } of stream(request, new AbortController().signal)) {
      ends.push(type);
      // Nobody listens beyond the end, and that must not cost the connection.
      if (type === 'end') break;
    }
    // A turn of real work lies between two requests.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(ends.filter((type) => type === 'end')).toHaveLength(4);
  expect(seen.connections).toBe(1);
});

test('an abort after the end is no longer about that message', async () => {
  const { seen, request } = await startServer((response) => {
    response.write(event({ type: 'message_stop' }));
    setImmediate(() => response.end());
  });
  for (let turn = 0; turn < 3; turn++) {
    const abort = new AbortController();
    for await (const { type } of stream(request, abort.signal)) if (type === 'end') break;
    abort.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(seen).toEqual({ connections: 1, closed: 0 });
});

test('a kept connection that the server closed meanwhile is replaced, not told as an error', async () => {
  const types: string[] = [];
  let answers = 0;
  const { seen, request } = await startServer((response) => {
    answers += 1;
    // The second request meets a connection that dies under it, before a byte of an answer.
    if (answers === 2) return response.socket?.resetAndDestroy();
    return response.end(event({ type: 'message_stop' }));
  });
  for (let turn = 0; turn < 2; turn++) {
    for await (const { type } of stream(request, new AbortController().signal)) types.push(type);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(types.filter((type) => type === 'end' || type === 'error')).toEqual(['end', 'end']);
  expect({ answers, connections: seen.connections }).toEqual({ answers: 3, connections: 2 });
});

test('a new connection that dies is an error', async () => {
  const types: string[] = [];
  const { seen, request } = await startServer((response) => response.socket?.resetAndDestroy());
  for await (const { type } of stream(request, new AbortController().signal)) types.push(type);
  expect(types.at(-1)).toBe('error');
  expect(seen.connections).toBe(1);
});
