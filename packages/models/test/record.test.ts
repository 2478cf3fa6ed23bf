/** What is recorded comes back as it was: over real HTTP, in every protocol, with every way an exchange can end. */
import type { StreamEvent } from '@tau/core';
import { userMessage } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findProtocol } from '../src/protocols.ts';
import { defaultRetry } from '../src/retry.ts';
import { createAttempt } from '../src/stream.ts';
import { ConnectTimeout, ProxyError, refusal } from '../src/transport/errors.ts';
import { httpTransport, type Transport, type WireRequest } from '../src/transport.ts';
import { createStream, flatChain } from './flat.ts';
import { converse, replayedModel, script, startTape } from './recording.ts';
import {
  type Answer,
  type Api,
  answerOf,
  apis,
  askAt,
  canned,
  closedUrl,
  modelAt,
  requestTo,
  startModel,
} from './wire.ts';

const sentence = 'a sentence that will not be finished, however long one waits';

describe.each(apis)('%s', (api) => {
  test('a conversation with a call is replayed event by event, without the network', async () => {
    const server = await startModel(...script);
    const tape = startTape();
    const model = modelAt(server.url, api);
    const live = await converse(model, tape.to(model));
    expect(live.map(({ error }) => error)).toEqual([undefined, undefined]);
    const { transport, ...who } = tape.replay();
    expect(who).toEqual({ api, models: [{ api, provider: 'scripted', model: 'model-1' }] });
    expect(await converse(replayedModel(api), transport)).toEqual(live);
    expect(server.requests).toHaveLength(2);
    expect(tape.exchanges()).toMatchObject([
      { number: 1, api, messages: 1, tools: ['read'], status: 200, end: 'complete' },
      { number: 2, api, tools: ['read'], status: 200, end: 'complete' },
    ]);
    expect(tape.stops).toEqual([]);
  });

  test('a recording holds what was asked, and of the headers only the kind of the answer', async () => {
    const server = await startModel(...script);
    const tape = startTape();
    const model = modelAt(server.url, api);
    await askAt(model, tape.to(model), { messages: [userMessage('what is asked', 1)] });
    const [exchange] = tape.exchanges();
    const { path, body } = await server.arrival(0);
    expect(exchange?.request).toEqual({ path, body });
    expect(exchange?.headers).toEqual({ 'content-type': 'text/event-stream; charset=utf-8' });
    expect(tape.content()).not.toContain('127.0.0.1');
  });

  test('a cut answer is cut again at the same place', async () => {
    const { live, again, tape } = await twice(api, { cut: true, blocks: [{ text: sentence }] });
    expect(live.error?.class).toBe('network');
    expect(live.message.content).toHaveLength(1);
    expect(again).toEqual(live);
    expect(tape.exchanges()).toMatchObject([{ status: 200, end: 'failed', failure: { kind: 'network' } }]);
  });

  test.each([400, 401, 429, 500, 529])('status %i is replayed with its body', async (status) => {
    const { live, again, tape } = await twice(api, { status });
    expect(live.error).toMatchObject({ status });
    expect(again).toEqual(live);
    expect(tape.exchanges()).toMatchObject([{ status, end: 'complete', body: [expect.stringContaining('scripted')] }]);
  });

  test('what a provider says about waiting is replayed, its other headers are not kept', async () => {
    const headers = {
      'retry-after': '7',
      'retry-after-ms': '7000',
      'x-should-retry': 'true',
      'x-ratelimit-remaining-tokens': '12',
      'anthropic-ratelimit-requests-reset': '2030-01-01T00:00:00Z',
      'set-cookie': 'session=abc',
      'x-request-id': 'r1',
      server: 'nginx',
    };
    const { tape } = await twice(api, { status: 429, headers });
    const { transport } = tape.replay();
    const response = await transport(wireTo('http://replay.invalid', api), new AbortController().signal);
    const { 'set-cookie': _, 'x-request-id': __, server: ___, ...kept } = headers;
    expect(response.headers).toEqual({ 'content-type': 'application/json', ...kept });
  });

  test('a web page instead of a model is replayed as one', async () => {
    const page = { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } };
    const { live, again, tape } = await twice(api, page);
    expect(live.error?.message).toContain('web page');
    expect(again.error?.class).toBe(live.error?.class);
    expect(again.error?.message).toContain('web page');
    expect(tape.exchanges()).toMatchObject([{ status: 200, end: 'left', body: [] }]);
  });

  test('a server that is not there is not there in the replay', async () => {
    const tape = startTape();
    const model = modelAt(await closedUrl(), api);
    const live = await askAt(model, tape.to(model));
    const again = await askAt(replayedModel(api), tape.replay().transport);
    expect([live.error?.class, again.error?.class]).toEqual(['network', 'network']);
    expect(tape.exchanges()).toMatchObject([
      { end: 'failed', failure: { kind: 'network', code: 'ECONNREFUSED' }, body: [] },
    ]);
    expect(tape.exchanges()[0]).not.toHaveProperty('status');
    expect(tape.content()).not.toContain('127.0.0.1');
  });

  test.each(['beforeHeaders', 'midStream'] as const)(
    'a server that fell silent (%s) is a timeout again',
    async (hang) => {
      const { live, again } = await twice(api, { hang }, httpTransport({ idleMs: 200 }));
      expect(live.error?.class).toBe('timeout');
      expect(again).toEqual(live);
    },
  );

  test('an aborted answer keeps what had arrived, and an abort at that place is the same abort', async () => {
    const server = await startModel({ hang: 'midStream' });
    const tape = startTape();
    const model = modelAt(server.url, api);
    const live = await abortedAtText(api, model.baseUrl, tape.to(model));
    expect(live.error?.class).toBe('aborted');
    expect(tape.exchanges()).toMatchObject([{ status: 200, end: 'aborted' }]);
    expect(tape.exchanges()[0]).not.toHaveProperty('failure');
    expect(await abortedAtText(api, replayedModel(api).baseUrl, tape.replay().transport)).toEqual(live);
  });

  test('beyond the place where a run was aborted nothing is made up', async () => {
    const server = await startModel({ hang: 'midStream' });
    const tape = startTape();
    const model = modelAt(server.url, api);
    await abortedAtText(api, model.baseUrl, tape.to(model));
    const { error } = await askAt(replayedModel(api), tape.replay().transport);
    expect(error).toMatchObject({ class: 'badRequest', message: expect.stringMatching(/exchange 1: .* aborted here/) });
  });

  test('an abort before there was an answer is recorded as such', async () => {
    const server = await startModel({ hang: 'beforeHeaders' });
    const tape = startTape();
    const model = modelAt(server.url, api);
    const controller = new AbortController();
    const asked = tape.to(model)(wireTo(model.baseUrl, api), controller.signal);
    await server.arrival(0);
    controller.abort();
    await expect(asked).rejects.toThrow();
    expect(tape.exchanges()).toMatchObject([{ end: 'aborted', body: [] }]);
    expect(tape.exchanges()[0]).not.toHaveProperty('status');
  });

  test('any split of the bytes of an answer is replayed with the same events', async () => {
    const server = await startModel(...script);
    const first = startTape();
    const model = modelAt(server.url, api);
    await askAt(model, first.to(model));
    const bytes = Buffer.from(`\ufeff${first.exchanges()[0]?.body.join('')}`);
    const expected = (await askAt(model, canned([bytes]))).events;
    expect(expected.at(-1)).toMatchObject({ type: 'end', message: { stopReason: 'toolUse' } });
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 });
    const replayed = async (pieces: readonly Uint8Array[]): Promise<StreamEvent[]> => {
      const tape = startTape();
      const live = await askAt(model, tape.to(model, canned(pieces)));
      expect(live.events).toEqual(expected);
      return (await askAt(model, tape.replay().transport)).events;
    };
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        expect(await replayed(split(bytes, places))).toEqual(expected);
      }),
      { numRuns: 60, seed: 4 },
    );
    expect(await replayed(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
  });
});

test.each([
  ['no connection in time', new ConnectTimeout(5000, 'proxy.internal:3128')],
  ['a proxy that wants a password', refusal('proxy.internal:3128', 407, 'the connection to gateway.internal:443')],
  ['a proxy that is broken', new ProxyError('proxy.internal:3128', 'the proxy at proxy.internal:3128 hung up')],
  ['a reset', Object.assign(new Error('read ECONNRESET 10.0.0.7:443'), { code: 'ECONNRESET' })],
  ['a key that cannot be sent', Object.assign(new Error('bad header'), { code: 'ERR_INVALID_CHAR' })],
  ['something else', new Error('gateway.internal is closed today')],
])('%s is of the same class in the replay, and names no host', async (_, error) => {
  const tape = startTape();
  const model = { ...replayedModel('anthropic-messages'), baseUrl: 'https://gateway.internal' };
  const live = await askAt(
    model,
    tape.to(model, () => Promise.reject(error)),
  );
  const again = await askAt(replayedModel('anthropic-messages'), tape.replay().transport);
  expect(live.message.stopReason).toBe('error');
  expect(again.error?.class).toBe(live.error?.class);
  expect(tape.content()).not.toMatch(/internal|10\.0\.0\.7/);
});

test('retries are replayed as they were made, and a fallback that speaks another protocol with them', async () => {
  const [one, two] = [apis[0], apis[1]];
  const busy = await startModel({ status: 529 }, { status: 429 });
  const ready = await startModel({ blocks: [{ text: 'I stand in' }] });
  const models = [
    modelAt(busy.url, one, { provider: 'first', id: 'a' }),
    modelAt(ready.url, two, { provider: 'second', id: 'b' }),
  ] as const;
  const tape = startTape();
  const play = async (to: (model: (typeof models)[number]) => Transport) => {
    const [first, second] = models.map((model) => ({
      model,
      attempt: createAttempt({ transport: to(model), key: 'k', now: () => 7 }),
    }));
    if (!first || !second) throw new Error('two links are needed');
    const policy = { ...defaultRetry, baseMs: 2, retries: 1 };
    const chain = flatChain([first, second], { policy, random: () => 0, now: () => 7 });
    const events: StreamEvent[] = [];
    for await (const event of chain(requestTo(first.model), new AbortController().signal)) events.push(event);
    return events;
  };
  const live = await play((model) => tape.to(model));
  expect(live.map(({ type }) => type)).toEqual(expect.arrayContaining(['retry', 'text', 'end']));
  const recording = tape.replay();
  expect(recording.models).toEqual([
    { api: one, provider: 'first', model: 'a' },
    { api: two, provider: 'second', model: 'b' },
  ]);
  expect(tape.exchanges().map(({ status, api }) => [status, api])).toEqual([
    [529, one],
    [429, one],
    [200, two],
  ]);
  expect(await play(() => recording.transport)).toEqual(live);
});

test('the pieces of an answer keep their borders, and a character that was cut goes with its end', async () => {
  const [head, tail] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
  const pieces = [Buffer.from('one'), Buffer.from('\ntwo\n'), head, tail, Buffer.from('three')];
  const tape = startTape();
  const wire = wireTo('http://canned.invalid', 'anthropic-messages');
  const live = await heard(tape.to(replayedModel('anthropic-messages'), canned(pieces)), wire);
  expect(live).toHaveLength(5);
  expect(await heard(tape.replay().transport, wire)).toEqual(['one', '\ntwo\n', 'é', 'three']);
});

test('requests that overlap are replayed in the order they were made', async () => {
  const tape = startTape();
  const model = modelAt('http://canned.invalid', 'anthropic-messages');
  const wire = wireTo(model.baseUrl, 'anthropic-messages');
  const signal = new AbortController().signal;
  const first = await tape.to(model, canned([Buffer.from('first')]))(wire, signal);
  const second = await tape.to(model, canned([Buffer.from('second')]))(wire, signal);
  await textOf(second.body);
  await textOf(first.body);
  expect(tape.content().indexOf('second')).toBeLessThan(tape.content().indexOf('first'));
  const { transport } = tape.replay();
  expect(await textOf((await transport(wire, signal)).body)).toBe('first');
  expect(await textOf((await transport(wire, signal)).body)).toBe('second');
});

test('an exchange that was not over when the recording ended is missed at its place', async () => {
  const tape = startTape();
  const model = modelAt('http://canned.invalid', 'anthropic-messages');
  const wire = wireTo(model.baseUrl, 'anthropic-messages');
  const signal = new AbortController().signal;
  await tape.to(model, canned([]))(wire, signal);
  await textOf((await tape.to(model, canned([Buffer.from('second')]))(wire, signal)).body);
  const { transport } = tape.replay();
  await expect(transport(wire, signal)).rejects.toThrow('tape at exchange 1: it was not over when the recording ended');
  expect(await textOf((await transport(wire, signal)).body)).toBe('second');
});

test('a run that was aborted before it began leaves no trace', async () => {
  const tape = startTape();
  const model = modelAt('http://canned.invalid', 'anthropic-messages');
  await askAborted(tape.to(model, canned([])));
  expect(tape.exchanges()).toEqual([]);
});

test('the line is written before the end of the message is told', async () => {
  const server = await startModel({ blocks: [{ text: 'hi' }] });
  const tape = startTape();
  const model = modelAt(server.url, 'anthropic-messages');
  const stream = createStream({ transport: tape.to(model), key: undefined });
  let written = 0;
  for await (const event of stream(requestTo(model), new AbortController().signal)) {
    if (event.type === 'end') written = tape.exchanges().length;
  }
  expect(written).toBe(1);
});

test('recording does not cost the connection that the turns of a conversation share', async () => {
  const server = await startModel(...Array.from({ length: 3 }, () => ({ blocks: [{ text: 'hi' }] })));
  const tape = startTape();
  const model = modelAt(server.url, 'anthropic-messages');
  const transport = tape.to(model);
  for (let turn = 0; turn < 3; turn += 1) {
    await askAt(model, transport);
    // A turn of real work lies between two requests.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(server.connections()).toBe(1);
});

test('a reader that leaves closes the connection, and what it heard is kept', async () => {
  const server = await startModel({ hang: 'midStream' });
  const tape = startTape();
  const model = modelAt(server.url, 'anthropic-messages');
  const response = await tape.to(model)(wireTo(model.baseUrl, 'anthropic-messages'), new AbortController().signal);
  for await (const _ of response.body) break;
  await (await server.arrival(0)).aborted;
  const [exchange] = tape.exchanges();
  expect(exchange).toMatchObject({ end: 'left', body: [expect.stringContaining('message_start')] });
  const again = await tape
    .replay()
    .transport(wireTo('http://x.invalid', 'anthropic-messages'), new AbortController().signal);
  await expect(textOf(again.body)).rejects.toThrow('stopped listening here');
});

describe('a huge answer', () => {
  const wire = wireTo('http://canned.invalid', 'anthropic-messages');
  const signal = new AbortController().signal;
  const chunk = Buffer.alloc(1024, 'x');

  test('is passed on whole, and recorded up to the limit', async () => {
    const tape = startTape({ maxBytes: 10_000 });
    const transport = tape.to(modelAt('http://canned.invalid', 'anthropic-messages'), canned(Array(50).fill(chunk)));
    expect(await textOf((await transport(wire, signal)).body)).toHaveLength(50 * 1024);
    const [exchange] = tape.exchanges();
    expect(exchange?.end).toBe('tooLarge');
    expect(exchange?.body).toEqual(Array(9).fill(chunk.toString()));
    const again = await tape.replay().transport(wire, signal);
    await expect(textOf(again.body)).rejects.toThrow('larger than a recording takes');
  });

  test('is bounded by default, too', async () => {
    const tape = startTape({ scrub: (text) => text });
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const transport = tape.to(modelAt('http://canned.invalid', 'anthropic-messages'), canned(Array(70).fill(megabyte)));
    expect(await sizeOf((await transport(wire, signal)).body)).toBe(70 * 1024 * 1024);
    const [exchange] = tape.exchanges();
    expect(exchange?.end).toBe('tooLarge');
    expect(exchange?.body).toHaveLength(63);
  });

  test('that comes in tiny pieces is bounded by what the pieces cost', async () => {
    const tape = startTape({ maxBytes: 10_000 });
    const pieces = Array.from({ length: 5000 }, () => Buffer.from('y'));
    const transport = tape.to(modelAt('http://canned.invalid', 'anthropic-messages'), canned(pieces));
    expect(await sizeOf((await transport(wire, signal)).body)).toBe(5000);
    expect(tape.exchanges()[0]?.body.length).toBeLessThan(1000);
  });

  test('is no reason to lose the answer: a request beyond the limit is left out instead', async () => {
    const tape = startTape({ maxBytes: 5000 });
    const transport = tape.to(modelAt('http://canned.invalid', 'anthropic-messages'), canned([Buffer.from('short')]));
    const messages = Array.from({ length: 3 }, () => ({ role: 'user', content: 'z'.repeat(4000) }));
    await textOf((await transport({ ...wire, body: JSON.stringify({ messages }) }, signal)).body);
    expect(tape.exchanges()[0]).toEqual(
      expect.objectContaining({ messages: 3, end: 'complete', body: ['short'], request: { path: '/v1/messages' } }),
    );
  });
});

/** Asked once over the network and once of the recording. */
async function twice(api: Api, step: Parameters<typeof startModel>[0], transport: Transport = httpTransport()) {
  const server = await startModel(step);
  const tape = startTape();
  const model = modelAt(server.url, api);
  const live = await askAt(model, tape.to(model, transport));
  const again = await askAt(replayedModel(api), tape.replay().transport);
  return { live, again, tape };
}

/** A request as the protocol writes it. */
function wireTo(baseUrl: string, api: Api): WireRequest {
  const protocol = findProtocol(api);
  if (!protocol) throw new Error(`${api} is not known`);
  return protocol.encode(requestTo({ ...replayedModel(api), baseUrl }), undefined);
}

async function heard(transport: Transport, wire: WireRequest): Promise<string[]> {
  const response = await transport(wire, new AbortController().signal);
  const pieces: string[] = [];
  for await (const chunk of response.body) pieces.push(Buffer.from(chunk).toString());
  return pieces;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  return size;
}

async function abortedAtText(api: Api, baseUrl: string, transport: Transport): Promise<Answer> {
  const controller = new AbortController();
  const stream = createStream({ transport, key: undefined, now: () => 7 });
  const model = { ...replayedModel(api), baseUrl };
  const events: StreamEvent[] = [];
  for await (const event of stream(requestTo(model), controller.signal)) {
    events.push(event);
    if (event.type === 'text' && !controller.signal.aborted) controller.abort();
  }
  return answerOf(events);
}

async function askAborted(transport: Transport): Promise<void> {
  const stream = createStream({ transport, key: undefined });
  const model = replayedModel('anthropic-messages');
  for await (const _ of stream(requestTo(model), AbortSignal.abort()));
}

function split(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}
