/** One exchange over real HTTP: what is sent, what is followed, what is decoded, and when it is given up. */
import { createServer, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { createStream } from './flat.ts';
import { askAt, collect, modelAt, requestTo, startModel } from './wire.ts';

const api = 'anthropic-messages';
const hello = { blocks: [{ text: 'hello' }] };

async function startServer(answer: (response: ServerResponse, number: number) => unknown) {
  const seen = { requests: 0, connections: 0, open: 0 };
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response, seen.requests++));
  }).on('connection', (socket) => {
    seen.connections += 1;
    seen.open += 1;
    socket.on('close', () => {
      seen.open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  const address = server.address();
  return { seen, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed, and the new address is named',
  async (status) => {
    const headers = { location: 'https://elsewhere.test/v2/messages?token=secret' };
    const server = await startModel({ status, body: 'moved', headers }, hello);
    const { error } = await askAt(modelAt(server.url, api), httpTransport(), { key: 'sk-key' });
    expect(error).toEqual({
      class: 'badRequest',
      status,
      final: true,
      message:
        `scripted answered ${status}: it has moved to https://elsewhere.test/v2/messages. ` +
        'tau follows no redirects: if you trust that address, make it the base URL',
    });
    expect(server.requests).toHaveLength(1);
  },
);

test('a redirect without a host is told with the one it came from', async () => {
  const server = await startModel({ status: 308, body: '', headers: { location: '/v2' } });
  const { error } = await askAt(modelAt(server.url, api), httpTransport());
  expect(error?.message).toContain(`it has moved to ${server.url}/v2.`);
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZIP', gzipSync],
  ['identity, gzip', gzipSync],
] as const)('an error body in %s is read too', async (encoding, compress) => {
  const body = compress(Buffer.from(JSON.stringify({ error: { type: 'overloaded_error', message: 'Too many' } })));
  const { url, seen } = await startServer((response) => {
    response.writeHead(529, { 'content-encoding': encoding, 'content-type': 'application/json' }).end(body);
  });
  const { error } = await askAt(modelAt(url, api), httpTransport());
  expect(error).toMatchObject({ class: 'overloaded', message: expect.stringContaining('answered 529: Too many') });
  expect(seen.requests).toBe(1);
});

test('two layers of compression are undone in their order', async () => {
  const body = brotliCompressSync(gzipSync(Buffer.from('{"error":{"message":"Deep"}}')));
  const { url } = await startServer((response) =>
    response.writeHead(500, { 'content-encoding': 'gzip, br' }).end(body),
  );
  const { error } = await askAt(modelAt(url, api), httpTransport());
  expect(error?.message).toContain('answered 500: Deep');
});

test.each(['zstd', 'gzip, gzip, gzip'])(
  'an encoding that tau cannot undo (%s) is an error that names it',
  async (name) => {
    const { url, seen } = await startServer((response) =>
      response.writeHead(200, { 'content-encoding': name }).end('x'),
    );
    const { error } = await askAt(modelAt(url, api), httpTransport());
    expect(error).toMatchObject({ class: 'badRequest', message: expect.stringContaining(`compressed as "${name}"`) });
    await expect.poll(() => seen.open).toBe(0);
  },
);

test.each([
  ['no compression at all', Buffer.from('data: {}\n\n')],
  [
    'compression that stops in the middle',
    gzipSync(Buffer.from('data: {"type":"ping"}\n\n'.repeat(50))).subarray(0, 40),
  ],
])('what is called gzip and is %s is an error', async (_, body) => {
  const { url } = await startServer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body));
  const { error } = await askAt(modelAt(url, api), httpTransport());
  expect(error?.class).toBe('network');
});

test('a small answer that unpacks into more than a message may hold ends with the limit of output', async () => {
  const flood = `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(1_000_000) } })}\n\n`;
  const { url } = await startServer((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.from(flood.repeat(100))));
  });
  const { error } = await askAt(modelAt(url, api), httpTransport());
  expect(error?.class).toBe('outputLimit');
});

test.each([0, Number.POSITIVE_INFINITY, 2 ** 40])('idleMs %d does not end a pause', async (idleMs) => {
  const { url } = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    setTimeout(() => response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n'), 150);
  });
  const { error } = await askAt(modelAt(url, api), httpTransport({ idleMs, connectMs: idleMs }));
  expect(error).toBeUndefined();
});

test('pings count as a sign of life', async () => {
  const { url } = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let pings = 0;
    const timer = setInterval(() => {
      pings += 1;
      response.write(': ping\n\n');
      if (pings < 8) return;
      clearInterval(timer);
      response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    }, 50);
  });
  const { error } = await askAt(modelAt(url, api), httpTransport({ idleMs: 300 }));
  expect(error).toBeUndefined();
});

test('what came while tau itself stood still is no silence', async () => {
  const { url } = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    setTimeout(() => {
      response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    }, 50);
  });
  const { error } = await askAt(modelAt(url, api), httpTransport({ idleMs: 200 }));
  expect(error).toBeUndefined();
});

test('after many answers at once, no more than four connections are kept', async () => {
  const waiting: ServerResponse[] = [];
  const { url, seen } = await startServer((response) => {
    waiting.push(response);
    if (waiting.length < 9) return;
    for (const each of waiting) {
      each.writeHead(200, { 'content-type': 'text/event-stream' });
      each.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    }
  });
  const transport = httpTransport();
  const answers = await Promise.all(Array.from({ length: 9 }, () => askAt(modelAt(url, api), transport)));
  expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 9 }, () => undefined));
  expect(seen.connections).toBe(9);
  await expect.poll(() => seen.open).toBe(4);
});

test('credentials in the base URL are sent as such', async () => {
  const server = await startModel(hello);
  const withUser = server.url.replace('://', '://user:pass@');
  const { error } = await askAt(modelAt(withUser, api), httpTransport());
  expect(error).toBeUndefined();
  expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`);
});

test('an abort while an error body hangs ends as aborted', async () => {
  const { url, seen } = await startServer((response) => {
    response.writeHead(500);
    response.write('{"error":');
  });
  const controller = new AbortController();
  const stream = createStream({ transport: httpTransport(), key: undefined });
  const answer = collect(stream(requestTo(modelAt(url, api)), controller.signal));
  await expect.poll(() => seen.requests).toBe(1);
  controller.abort();
  expect((await answer).error?.class).toBe('aborted');
  await expect.poll(() => seen.open).toBe(0);
});
