/** The server itself: recording, order, faults, and leaving nothing open. */
import { get } from 'node:http';
import { get as getTls } from 'node:https';
import { afterEach, describe, expect, test } from 'vitest';
import { deliver } from '../src/faults.ts';
import { type Fault, type ScriptedModel, type ScriptStep, startScriptedModel } from '../src/index.ts';
import { open, parseEvents, post } from './sse.ts';

const started: ScriptedModel[] = [];
afterEach(async () => {
  for (const model of started.splice(0)) await model.close();
});

async function start(steps: ScriptStep[]) {
  const model = await startScriptedModel(steps);
  started.push(model);
  return { model, messages: `${model.url}/v1/messages`, completions: `${model.url}/v1/chat/completions` };
}

const streaming = { model: 'm', stream: true };
const saying = (text: string): ScriptStep => ({ blocks: [{ text }] });

test('one script answers both protocols in order and records what each request said', async () => {
  const { model, messages, completions } = await start([saying('first'), saying('second')]);
  expect((await post(`${messages}?beta=true`, { ...streaming, system: 'ä' })).text).toContain('first');
  expect((await post(completions, streaming)).text).toContain('second');
  expect(model.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/messages?beta=true',
    'POST /v1/chat/completions',
  ]);
  expect(model.requests[0]).toMatchObject({
    body: { system: 'ä' },
    raw: JSON.stringify({ ...streaming, system: 'ä' }),
    headers: { 'content-type': 'application/json' },
  });
});

test('the stream is chunked and each event is written alone', async () => {
  const { messages } = await start([{ blocks: [{ text: 'a'.repeat(200) }], chunk: 1 }]);
  const { headers, pieces, text } = await post(messages, streaming);
  expect(headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-type': 'text/event-stream; charset=utf-8' });
  // Each piece is one HTTP chunk, so a piece that holds two events, or half of one, was not written alone.
  expect(pieces).toHaveLength(parseEvents(text).length);
});

test('a step may decide from the request, and one that throws is answered with the reason', async () => {
  const { messages } = await start([
    (request) => saying(`you sent ${request.raw.length} bytes`),
    () => {
      throw new Error('no such luck');
    },
  ]);
  const raw = JSON.stringify(streaming);
  const text = parseEvents((await post(messages, raw)).text).map(({ data }) => JSON.stringify(data));
  expect(text.join('')).toContain('you sent');
  expect(await post(messages, streaming)).toMatchObject({ status: 500, text: 'the script threw: no such luck' });
});

test('a request beyond the script gets a 500 that says so', async () => {
  const { model, messages } = await start([saying('only')]);
  await post(messages, streaming);
  const { status, text } = await post(messages, streaming);
  expect(status).toBe(500);
  expect(JSON.parse(text).error.message).toBe('the script has 1 step and this is request 2');
  expect(model.requests).toHaveLength(2);
});

test('a given error body is sent as it is, JSON or plain text', async () => {
  const { completions } = await start([
    { status: 400, body: { odd: true } },
    { status: 502, body: '<h1>Bad</h1>' },
  ]);
  expect(await post(completions, streaming)).toMatchObject({ status: 400, text: '{"odd":true}' });
  const plain = await post(completions, streaming);
  expect(plain).toMatchObject({
    status: 502,
    text: '<h1>Bad</h1>',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
});

test('the model list and unknown paths are answered outside the script', async () => {
  const { model, messages } = await start([saying('still the first')]);
  const list = await new Promise<string>((resolve, reject) => {
    get(`${model.url}/v1/models`, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      incoming.once('end', () => resolve(text));
    }).once('error', reject);
  });
  expect(JSON.parse(list)).toMatchObject({ object: 'list', data: [{ id: 'scripted', object: 'model' }] });
  expect((await post(`${model.url}/v1/v1/messages`, streaming)).status).toBe(404);
  expect((await post(messages, streaming)).text).toContain('still th');
  expect(model.requests).toHaveLength(1);
});

test.each(['/v1/messages', '/v1/chat/completions'])('a cut on %s ends in the middle of an event', async (path) => {
  const { model } = await start([{ cut: true, blocks: [{ text: 'a sentence that will not be finished' }] }]);
  const { status, text, broken } = await post(`${model.url}${path}`, streaming);
  expect({ status, broken }).toEqual({ status: 200, broken: true });
  const complete = text.slice(0, text.lastIndexOf('\n\n') + 2);
  expect(parseEvents(complete).length).toBeGreaterThan(1);
  const rest = text.slice(complete.length);
  expect(rest).toMatch(/data: \{/);
  expect(() => JSON.parse(rest.slice(rest.indexOf('{')))).toThrow();
});

test('a client that leaves a hanging request is noticed, before the headers and in the middle of the stream', async () => {
  const { model, messages } = await start([{ hang: 'beforeHeaders' }, { hang: 'midStream' }]);
  const silent = open(messages, streaming);
  const { aborted } = await model.arrival(0);
  silent.outgoing.destroy();
  await expect(silent.answer).rejects.toThrow('socket hang up');
  await aborted;

  const stuck = open(messages, streaming);
  const second = await model.arrival(1);
  await new Promise<void>((resolve) => {
    stuck.outgoing.once('response', (incoming) => incoming.once('data', () => resolve()));
  });
  stuck.outgoing.destroy();
  expect(await stuck.answer).toMatchObject({ status: 200, broken: true });
  await second.aborted;
});

test('an answer that was complete, and one that the server cut, do not count as aborted', async () => {
  const { model, messages } = await start([saying('x'), { cut: true, blocks: [{ text: 'x' }] }, saying('y')]);
  const seen: number[] = [];
  for (const number of [0, 1, 2]) {
    model.arrival(number).then(({ aborted }) => aborted.then(() => seen.push(number)));
    await post(messages, streaming);
  }
  await model.close();
  expect(seen).toEqual([]);
});

test('arrivals resolve for requests that came and for those that are still to come', async () => {
  const { model, messages } = await start([saying('a'), saying('b')]);
  const later = model.arrival(1);
  await post(messages, { ...streaming, tag: 'one' });
  expect(await model.arrival(0)).toBe(model.requests[0]);
  await post(messages, { ...streaming, tag: 'two' });
  expect((await later).body).toMatchObject({ tag: 'two' });
});

test('closing ends hanging requests, twice is fine, and nothing listens afterwards', async () => {
  const { model, messages } = await start([{ hang: 'beforeHeaders' }, { hang: 'midStream' }]);
  const silent = expect(post(messages, streaming)).rejects.toThrow('socket hang up');
  await model.arrival(0);
  const stuck = open(messages, streaming);
  await new Promise((resolve) => stuck.outgoing.once('response', resolve));
  await model.close();
  await model.close();
  await silent;
  expect((await stuck.answer).broken).toBe(true);
  await expect(post(messages, streaming)).rejects.toThrow('ECONNREFUSED');
});

const paths = [
  '/v1/messages',
  '/v1/chat/completions',
  '/v1/responses',
  '/v1beta/models/m:streamGenerateContent?alt=sse',
];
const faulty = (...faults: Fault[]): ScriptStep => ({ blocks: [{ text: 'a sentence of some length: ü' }], faults });

describe.each(paths)('faults on %s', (path) => {
  const sent = async (step: ScriptStep) => {
    const { model } = await start([step]);
    return post(`${model.url}${path}`, streaming);
  };

  test('bytes and line ends change, and what they say does not', async () => {
    const plain = await sent(faulty());
    expect(plain.text.length).toBeGreaterThan(100);
    expect((await sent(faulty('singleBytes'))).text).toBe(plain.text);
    expect((await sent(faulty({ splits: 5 }))).text).toBe(plain.text);
    expect((await sent(faulty('oneWrite'))).pieces).toEqual([plain.text]);
    expect((await sent(faulty('crlf'))).text).toBe(plain.text.replaceAll('\n', '\r\n'));
    expect((await sent(faulty('bom', 'singleBytes'))).text).toBe(`\ufeff${plain.text}`);
  });

  test('single bytes come singly, and splits are the same for the same seed', async () => {
    const { pieces, text } = await sent(faulty('singleBytes'));
    expect(pieces.length).toBeGreaterThan(text.length / 2);
    const [first, second, other] = [await cuts(5), await cuts(5), await cuts(6)];
    expect(first).toEqual(second);
    expect(first).not.toEqual(other);
  });

  const cuts = async (seed: number) => {
    const { pieces } = await deliver(
      ['data: {"a":"a longer text for the knife"}\n\n'.repeat(9)],
      [{ splits: seed }],
      '',
    );
    return pieces.map(({ length }) => length);
  };

  test('what is put between the events leaves them as they are', async () => {
    const events = parseEvents((await sent(faulty())).text).length;
    expect((await sent(faulty('comments'))).text.match(/: keep-alive\n\n/g)).toHaveLength(events);
    expect((await sent(faulty('garbageLines'))).text.match(/what is this\?/g)).toHaveLength(events);
    expect((await sent(faulty('notJson'))).text.match(/^data: \{"is": not JSON$/gm)).toHaveLength(1);
    expect((await sent(faulty({ hugeEvent: 1 }))).text.length).toBeGreaterThan(1_000_000);
    expect(parseEvents((await sent(faulty('duplicate'))).text)).toHaveLength(events + 1);
  });

  test('late events are those of a protocol that numbers them', async () => {
    const plain = (await sent(faulty())).text;
    const { text } = await sent(faulty('outOfOrder'));
    expect(text === plain).toBe(!plain.includes('sequence_number'));
    expect(text.split('\n').sort()).toEqual(plain.split('\n').sort());
  });

  test('a wrong type and a compression are said in the headers', async () => {
    const { headers } = await sent(faulty({ contentType: 'text/html' }));
    expect(headers['content-type']).toBe('text/html');
    expect((await sent(faulty({ encoding: 'gzip' }))).headers).not.toHaveProperty('content-encoding');
    const unasked = await sent(faulty({ encoding: 'gzip', unasked: true }));
    expect(unasked.headers['content-encoding']).toBe('gzip');
    expect(unasked.text).not.toContain('data:');
  });

  test('a reset breaks the answer where it says', async () => {
    await expect(sent(faulty({ reset: 'beforeHeaders' }))).rejects.toThrow();
    expect(await sent(faulty({ reset: 'midStream' }))).toMatchObject({ status: 200, broken: true });
  });

  test('silence is noticed when the client leaves', async () => {
    const { model } = await start([faulty({ silence: 'afterHeaders' }), faulty({ silence: 'midStream' })]);
    for (const number of [0, 1]) {
      const { outgoing, answer } = open(`${model.url}${path}`, streaming);
      await new Promise((resolve) => outgoing.once('response', resolve));
      outgoing.destroy();
      expect((await answer).broken).toBe(true);
      await (await model.arrival(number)).aborted;
    }
  });
});

test('over TLS it gives what a client must trust', async () => {
  const model = await startScriptedModel([saying('safe')], { tls: true });
  started.push(model);
  expect(model.url).toMatch(/^https:/);
  expect(model.ca).toContain('BEGIN CERTIFICATE');
  const ask = (ca: string | undefined) =>
    new Promise<number | undefined>((resolve, reject) => {
      getTls(`${model.url}/v1/models`, { ca, agent: false }, (incoming) => resolve(incoming.resume().statusCode)).once(
        'error',
        reject,
      );
    });
  expect(await ask(model.ca)).toBe(200);
  await expect(ask(undefined)).rejects.toThrow('self-signed certificate');
});
