/** Whatever the way does to a stream: the same message, or one error of the right class. Never a throw, never a wait. */
import type { ModelErrorClass } from '@tau/core';
import type { Fault, ScriptedReply } from '@tau/testkit';
import { describe, expect, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { createStream } from './flat.ts';
import { type Api, apis, askAt, modelAt, requestTo, startModel } from './wire.ts';

const reply: ScriptedReply = {
  blocks: [
    { thinking: 'Let me think: naïve 世界' },
    { text: 'An answer with ümlauts, 世界 and 👩🏽‍💻, long enough to come in many pieces.' },
    { call: 'write', id: 'one', input: { path: 'ü.txt', text: 'line\r\nline 👋' } },
    { call: 'read', id: 'two', input: {} },
  ],
  usage: { input: 7, output: 9 },
};

const sentence = { blocks: [{ text: 'a sentence of which only the beginning will be heard' }], chunk: 4 };

async function askThrough(api: Api, faults: readonly Fault[], said = reply) {
  const server = await startModel({ ...said, faults });
  const isSilent = faults.some((fault) => typeof fault === 'object' && 'silence' in fault);
  const answer = await askAt(modelAt(server.url, api), httpTransport(isSilent ? { idleMs: 200 } : {}));
  return { ...answer, server };
}

const harmless: [string, readonly Fault[]][] = [
  ['one byte at a time', ['singleBytes']],
  ['cut at random places', [{ splits: 1 }]],
  ['cut at other random places', [{ splits: 20_26 }]],
  ['all in one write', ['oneWrite']],
  ['CRLF line ends', ['crlf']],
  ['CRLF line ends, one byte at a time', ['crlf', 'singleBytes']],
  ['a byte order mark', ['bom']],
  ['a byte order mark, one byte at a time', ['bom', 'singleBytes']],
  ['comments between the events', ['comments']],
  ['lines between the events that mean nothing', ['garbageLines']],
  ['an event of two million bytes', [{ hugeEvent: 2 }]],
  ['the wrong type, plain text', [{ contentType: 'text/plain' }]],
  ['the wrong type, JSON', [{ contentType: 'application/json' }]],
  ['gzip when asked for', [{ encoding: 'gzip' }]],
  ['gzip unasked', [{ encoding: 'gzip', unasked: true }]],
  ['gzip unasked, one byte at a time', [{ encoding: 'gzip', unasked: true }, 'singleBytes']],
  ['deflate unasked', [{ encoding: 'deflate', unasked: true }]],
  ['brotli unasked', [{ encoding: 'br', unasked: true }]],
  ['much at once', ['crlf', 'bom', 'comments', 'garbageLines', { encoding: 'gzip', unasked: true }, { splits: 3 }]],
];

const harmful: [string, readonly Fault[], ModelErrorClass][] = [
  ['an event that is no JSON', ['notJson'], 'unknown'],
  ['the type of a web page', [{ contentType: 'text/html' }], 'badRequest'],
  ['silence after the headers', [{ silence: 'afterHeaders' }], 'timeout'],
  ['silence in the middle', [{ silence: 'midStream' }], 'timeout'],
  ['silence in the middle of gzip', [{ encoding: 'gzip', unasked: true }, { silence: 'midStream' }], 'timeout'],
  ['a reset before the headers', [{ reset: 'beforeHeaders' }], 'network'],
  ['a reset after the headers', [{ reset: 'afterHeaders' }], 'network'],
  ['a reset in the middle', [{ reset: 'midStream' }], 'network'],
  ['a reset in the middle of gzip', [{ encoding: 'gzip', unasked: true }, { reset: 'midStream' }], 'network'],
];

describe.each(apis)('%s', (api) => {
  test.each(harmless)('%s: the same message', async (_, faults) => {
    const { message: expected } = await askThrough(api, []);
    expect(expected.content).toHaveLength(reply.blocks.length);
    const { message, error, server } = await askThrough(api, faults);
    expect(error).toBeUndefined();
    expect(message).toEqual(expected);
    expect(server.connections()).toBe(1);
  });

  test.each(harmful)('%s: an error of its class, and no connection is left', async (_, faults, expected) => {
    const { error, message, server } = await askThrough(api, faults);
    expect(error?.class).toBe(expected);
    expect(error?.message).toMatch(/^scripted/);
    expect(message.stopReason).toBe('error');
    await expect.poll(() => server.open()).toBe(0);
  });

  test.each<[string, Fault]>([
    ['a reset', { reset: 'midStream' }],
    ['an event that is no JSON', 'notJson'],
  ])('what had arrived before %s is kept', async (_, fault) => {
    const { message } = await askThrough(api, [fault], sentence);
    expect(message.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/^a sentence/) }]);
  });

  test.each(['gzip', 'deflate', 'br'] as const)(
    'what was said in %s is heard before the stream goes on',
    async (encoding) => {
      const faults: Fault[] = [{ encoding, unasked: true }, { silence: 'midStream' }];
      const server = await startModel({ ...sentence, faults });
      const stream = createStream({ transport: httpTransport({ idleMs: 0 }), key: undefined });
      for await (const event of stream(requestTo(modelAt(server.url, api)), new AbortController().signal)) {
        expect(event.type).not.toBe('error');
        if (event.type === 'text') break;
      }
      await (await server.arrival(0)).aborted;
      await expect.poll(() => server.open()).toBe(0);
    },
  );

  test('an event that comes twice or late ends the stream like any other, and nothing else is lost', async () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    for (const fault of ['duplicate', 'outOfOrder'] as const) {
      const { message, error } = await askThrough(api, [fault], { blocks: [{ text: alphabet }], chunk: 1 });
      expect(error).toBeUndefined();
      const [block] = message.content;
      const heard = new Set(block?.type === 'text' ? block.text : '');
      const missing = [...alphabet].filter((letter) => !heard.has(letter));
      expect(missing).toEqual([]);
    }
  });
});

test('an event without an end is not kept for ever', async () => {
  const { error, server } = await askThrough('anthropic-messages', [{ hugeEvent: 70 }]);
  expect(error).toMatchObject({ class: 'unknown', message: expect.stringContaining('an event without an end') });
  await expect.poll(() => server.open()).toBe(0);
});
