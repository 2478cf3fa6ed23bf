/** No key is ever in a recording, wherever it was: headers, address, words of the user, of a tool or of the model. */
import { userMessage } from '@tau/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrub } from '../src/credentials/scrub.ts';
import { httpTransport } from '../src/index.ts';
import { scrubbedPieces } from '../src/recording/scrubbed.ts';
import { converse, replayedModel, script, startTape } from './recording.ts';
import { apis, askAt, canned, modelAt, sse, startModel } from './wire.ts';

// Not the shape of anybody's key: only knowing it helps.
const key = 'correct+horse/battery"staple';
const shaped = `sk-ant-${'a1b2c3d4'.repeat(4)}`;

describe.each(apis)('%s', (api) => {
  test('the key of the request is nowhere, and the conversation still replays', async () => {
    const server = await startModel(...script);
    const tape = startTape();
    const headers = { 'x-gateway-token': 'another-secret-value', cookie: 'session=one-more-secret' };
    const model = modelAt(server.url, api, { headers });
    const live = await converse(model, tape.to(model), { key: 'plain-secret-key' });
    const sent = JSON.stringify((await server.arrival(0)).headers);
    for (const secret of ['plain-secret-key', 'another-secret-value', 'one-more-secret']) {
      expect(sent).toContain(secret);
      expect(tape.content()).not.toContain(secret);
    }
    expect(tape.content()).not.toContain('x-gateway-token');
    expect(await converse(replayedModel(api), tape.replay().transport)).toEqual(live);
  });

  test('a key that the user wrote, and one that the provider echoes, are taken out', async () => {
    const echo = { error: { message: `wrong key: ${shaped} (or plain-secret-key?)` } };
    const server = await startModel({ status: 401, body: echo });
    const tape = startTape();
    const model = modelAt(server.url, api);
    const messages = [userMessage(`use ${shaped}, or plain-secret-key`, 1)];
    const live = await askAt(model, tape.to(model), { key: 'plain-secret-key', messages });
    expect(live.error?.status).toBe(401);
    expect(tape.content()).not.toMatch(/sk-ant-|plain-secret-key/);
    expect(tape.content()).toContain('wrong key: [secret] (or [secret]?)');
    expect((await askAt(replayedModel(api), tape.replay().transport)).error?.class).toBe(live.error?.class);
  });

  test('a key that the model spells out over many events is taken out of all of them', async () => {
    const server = await startModel({ blocks: [{ text: `It is ${key}, and ${shaped}.` }], chunk: 3 });
    const tape = startTape({ secrets: () => [key] });
    const model = modelAt(server.url, api);
    const live = await askAt(model, tape.to(model));
    expect(live.message.content).toMatchObject([{ text: `It is ${key}, and ${shaped}.` }]);
    const again = await askAt(replayedModel(api), tape.replay().transport);
    expect(again.error).toBeUndefined();
    const [block] = again.message.content;
    expect(block).toMatchObject({ type: 'text', text: 'It is [secret], and [secret].' });
  });

  test('a key in the arguments of a call is taken out, and the call can still be made', async () => {
    const input = { command: `curl -H "x-key: ${key}"` };
    const server = await startModel({ blocks: [{ call: 'bash', id: 'c1', input }], chunk: 3 });
    const tape = startTape({ secrets: () => [key] });
    const model = modelAt(server.url, api);
    await askAt(model, tape.to(model));
    const again = await askAt(replayedModel(api), tape.replay().transport);
    const calls = again.message.content.filter((block) => block.type === 'toolCall');
    expect(calls).toMatchObject([{ name: 'bash', arguments: { command: 'curl -H "x-key: [secret]"' } }]);
  });
});

test('of an address only the path is kept, and of its query only what is nobody’s secret', async () => {
  const tape = startTape();
  const model = replayedModel('anthropic-messages');
  const url = 'https://me:hunter2-hunter2@gateway.internal:8443/v1/messages?api-version=3&sig=abcdefghij&alt=sse';
  const transport = tape.to(model, canned([Buffer.from('abcdefghij')]));
  const response = await transport({ url, headers: {}, body: '{}' }, new AbortController().signal);
  for await (const _ of response.body);
  expect(tape.exchanges()[0]?.request?.path).toBe('/v1/messages?api-version=3&alt=sse');
  expect(tape.content()).not.toMatch(/gateway|8443|hunter2|abcdefghij/);
});

test('the message of a failure names no host', async () => {
  const tape = startTape();
  const model = { ...replayedModel('anthropic-messages'), baseUrl: 'http://gateway.internal' };
  await askAt(
    model,
    tape.to(model, () => Promise.reject(new Error('gateway.internal hung up'))),
  );
  expect(tape.exchanges()[0]?.failure).toEqual({ kind: 'network', message: 'the host hung up' });
});

test('a secret that would still be written ends the recording instead, and not the run', async () => {
  const server = await startModel({ status: 401, body: 'wrong: plain-secret-key' });
  const tape = startTape({ scrub: (text) => text });
  const model = modelAt(server.url, 'anthropic-messages');
  const { error } = await askAt(model, tape.to(model), { key: 'plain-secret-key' });
  expect(error?.status).toBe(401);
  expect(tape.exchanges()).toEqual([]);
  expect(tape.stops).toEqual(['a secret would have been written to it']);
});

test('what fails while a line is made ends the recording, and not the run', async () => {
  const server = await startModel({ blocks: [{ text: 'unharmed' }] });
  const tape = startTape({
    scrub: () => {
      throw new Error('no scrubbing today');
    },
  });
  const model = modelAt(server.url, 'anthropic-messages');
  const { message, error } = await askAt(model, tape.to(model, httpTransport()));
  expect(error).toBeUndefined();
  expect(message.content).toEqual([{ type: 'text', text: 'unharmed' }]);
  expect(tape.stops).toEqual(['no scrubbing today']);
});

describe('pieces', () => {
  const clean = (text: string) => scrub(text, [key]);

  test('without a secret stay as they are', () => {
    const pieces = ['a', sse([{ text: 'b' }]), 'c\r\n', '}'];
    expect(scrubbedPieces(pieces, clean)).toEqual(pieces);
  });

  test('keep their borders before the first secret and after the last', () => {
    const pieces = ['one', 'two ', key.slice(0, 9), key.slice(9), ' three', 'four'];
    expect(scrubbedPieces(pieces, clean)).toEqual(['one', 'two ', '[secret]', ' three', 'four']);
  });

  test('that are not JSON are cleaned as text, with every kind of line end', () => {
    expect(scrubbedPieces([`data: ${key}\r\ndata: {"a":\n`], clean)).toEqual(['data: [secret]\r\ndata: {"a":\n']);
    expect(scrubbedPieces([`data: {"a":"correct+horse"}\r\n\r\ndata: {"a":"/battery\\"staple"}\r\n`], clean)).toEqual([
      'data: {"a":"[secret]"}\r\n\r\ndata: {"a":""}\r\n',
    ]);
  });

  test('of blocks that stream at the same time are not mixed up', () => {
    const events = [0, 1, 0, 1].map((index, at) => ({ index, delta: at < 2 ? 'correct+horse' : '/battery"staple' }));
    const [text = ''] = scrubbedPieces([sse(events)], clean);
    expect(text).toBe(sse([0, 1, 0, 1].map((index, at) => ({ index, delta: at < 2 ? '[secret]' : '' }))));
  });

  test('hold no secret, however it was cut into pieces and events', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: key.length - 1 }), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, fc.integer({ min: 1, max: 50 }), (places, size) => {
        const ends = [...places].sort((a, b) => a - b);
        const deltas = [...ends, key.length].map((end, at) => key.slice(ends[at - 1] ?? 0, end));
        const body = sse(['before ', ...deltas, ' after'].map((delta) => ({ index: 0, delta })));
        const pieces = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        const cleaned = scrubbedPieces(pieces, clean).join('');
        const said = [...cleaned.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).delta).join('');
        expect(said).toBe('before [secret] after');
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});
