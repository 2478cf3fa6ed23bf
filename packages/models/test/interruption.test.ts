/** A stream that does not come to its end: cut by the other side, left by this one, or silent. */
import type { StreamEvent } from '@tau/core';
import type { ScriptStep } from '@tau/testkit';
import { describe, expect, test } from 'vitest';
import { httpTransport } from '../src/index.ts';
import { createStream } from './flat.ts';
import { type Api, answerOf, apis, ask, askAt, modelAt, requestTo, startModel, unsignedCalls } from './wire.ts';

const sentence = 'a sentence that will not be finished, however long one waits';

describe.each(apis)('%s', (api) => {
  test('a cut stream is a network error with the part that had arrived', async () => {
    const { error, message } = await ask(api, { cut: true, blocks: [{ text: sentence }] });
    expect(error?.class).toBe('network');
    const [block] = message.content;
    if (block?.type !== 'text') throw new Error('no text arrived');
    expect(block.text.length).toBeGreaterThan(0);
    expect(sentence.startsWith(block.text)).toBe(true);
    expect(block.text).not.toBe(sentence);
  });

  test('a cut stream is not told as a server that cannot be reached', async () => {
    const { error } = await ask(api, { cut: true, blocks: [{ text: sentence }] });
    expect(error?.message).not.toContain('cannot be reached');
  });

  test('a call that was cut was never made, a call that was complete stays', async () => {
    const blocks = [
      { call: 'read', id: 'whole', input: { path: 'a' } },
      { call: 'write', id: 'half', input: { text: sentence.repeat(3) } },
    ];
    const { message, events } = await ask(api, { cut: true, blocks });
    expect(message.content).toHaveLength(1);
    expect(unsignedCalls(message)).toEqual([{ type: 'toolCall', id: 'whole', name: 'read', arguments: { path: 'a' } }]);
    // Where a call comes in one piece, a cut one never begins.
    const begun = api === 'google-generative-ai' ? 1 : 2;
    expect(events.filter(({ type }) => type === 'toolCallStart')).toHaveLength(begun);
    expect(events.filter(({ type }) => type === 'toolCallEnd')).toHaveLength(1);
  });

  test('an abort in the middle closes the socket, keeps the part, and ends as aborted', async () => {
    const { next, abort, request, rest } = await begin(api, { hang: 'midStream' });
    await until(next, 'text');
    abort();
    // Nobody is reading now: the socket must close all the same.
    await (await request()).aborted;
    const { error, message } = await rest();
    expect(error).toEqual({ class: 'aborted', message: 'aborted' });
    expect(message.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/^This/) }]);
  });

  test('an abort before the headers closes the socket and ends as aborted', async () => {
    const { abort, request, rest } = await begin(api, { hang: 'beforeHeaders' });
    const answer = rest();
    const { aborted } = await request();
    abort();
    await aborted;
    expect((await answer).error?.class).toBe('aborted');
  });

  test('a run that was aborted before it began asks nobody', async () => {
    const { abort, rest, server } = await begin(api, { blocks: [{ text: 'x' }] });
    abort();
    expect((await rest()).error?.class).toBe('aborted');
    expect(server.requests).toHaveLength(0);
  });

  test('a reader that leaves closes the socket', async () => {
    const { next, leave, request } = await begin(api, { hang: 'midStream' });
    await until(next, 'text');
    await leave();
    await (await request()).aborted;
  });

  test.each(['beforeHeaders', 'midStream'] as const)('a server that falls silent (%s) is a timeout', async (hang) => {
    const server = await startModel({ hang });
    const { error } = await askAt(modelAt(server.url, api), httpTransport({ idleMs: 200 }));
    expect(error).toEqual({
      class: 'timeout',
      message:
        'scripted: no byte from the provider for 0.2 s. How long it may stay silent is set by limits.modelIdleSecs, or by its timeoutSecs in models.json',
    });
    await (await server.arrival(0)).aborted;
  });
});

/** A stream under way, read event by event. */
async function begin(api: Api, step: ScriptStep) {
  const server = await startModel(step);
  const controller = new AbortController();
  const stream = createStream({ transport: httpTransport(), key: undefined });
  const iterator = stream(requestTo(modelAt(server.url, api)), controller.signal)[Symbol.asyncIterator]();
  const seen: StreamEvent[] = [];
  const next = async (): Promise<StreamEvent | undefined> => {
    const { done, value } = await iterator.next();
    if (done) return undefined;
    seen.push(value);
    return value;
  };
  const rest = async () => {
    while (await next());
    return answerOf(seen);
  };
  return {
    server,
    next,
    rest,
    leave: () => iterator.return?.(),
    abort: () => controller.abort(),
    request: () => server.arrival(0),
  };
}

async function until(next: () => Promise<StreamEvent | undefined>, type: StreamEvent['type']): Promise<void> {
  for (;;) {
    const event = await next();
    if (event?.type === type) return;
    if (!event) throw new Error(`the stream ended before any ${type}`);
  }
}
