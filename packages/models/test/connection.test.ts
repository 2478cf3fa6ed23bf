/** What a conversation costs in connections. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Model } from '@tau/core';
import { expect, test } from 'vitest';
import { createStream, httpTransport } from '../src/index.ts';

const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

test('the turns of a conversation share one connection', async () => {
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ type: 'message_stop' }));
      // The body ends a moment after the message does, as it does with real servers.
      setImmediate(() => response.end());
    });
  }).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const model: Model = { provider: 'p', id: 'm', api: 'anthropic-messages', baseUrl: `http://127.0.0.1:${port}` };
  const stream = createStream({ transport: httpTransport(), key: undefined });
  const ends: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const request = { model, system: '', messages: [], tools: [] };
    for await (const { type } of stream(request, new AbortController().signal)) ends.push(type);
    // A turn of real work lies between two requests.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(ends.filter((type) => type === 'end')).toHaveLength(4);
  expect(connections).toBe(1);
});
