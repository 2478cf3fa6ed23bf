/** Trying again, and falling back: over real HTTP, with waits of a millisecond. */
import type { ModelError, StreamEvent } from '@tau/core';
import type { ScriptStep } from '@tau/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChainOptions, Link } from '../src/chain.ts';
import { defaultRetry, mayFallBack, retryDelay } from '../src/retry.ts';
import { createAttempt } from '../src/stream.ts';
import { httpTransport } from '../src/transport.ts';
import { flatChain } from './flat.ts';
import { type Api, apis, closedUrl, modelAt, requestTo, startModel } from './wire.ts';

const says = (text: string): ScriptStep => ({ blocks: [{ text }] });
const fails = (status: number): ScriptStep => ({ status });
const policy = { ...defaultRetry, baseMs: 2 };

async function linkTo(id: string, api: Api, ...steps: ScriptStep[]) {
  const server = await startModel(...steps);
  const model = modelAt(server.url, api, { provider: `maker-${id}`, id });
  const link: Link = { model, attempt: createAttempt({ transport: httpTransport(), key: 'k' }) };
  return { server, link };
}

async function play(links: [Link, ...Link[]], options: Partial<ChainOptions> = {}, abort = new AbortController()) {
  const chain = flatChain(links, { policy, ...options });
  return hear(chain(requestTo(links[0].model), abort.signal));
}

async function hear(stream: AsyncIterable<StreamEvent>) {
  const events: StreamEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    // As the loop does: it leaves at the end.
    if (event.type === 'end' || event.type === 'error') break;
  }
  return {
    events,
    types: events.map(({ type }) => type),
    retries: events.filter((event) => event.type === 'retry'),
    last: events.at(-1),
  };
}

describe.each(apis)('%s', (api) => {
  test.each([429, 500, 503, 529])('status %i is tried again, visibly, and the answer counts', async (status) => {
    const { server, link } = await linkTo('a', api, fails(status), says('here'));
    const { types, retries, last } = await play([link]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.raw).toBe(server.requests[0]?.raw);
    expect(types.filter((type) => type === 'start')).toHaveLength(1);
    expect(retries).toEqual([
      { type: 'retry', attempt: 1, delayMs: expect.any(Number), error: expect.anything(), model: 'maker-a/a' },
    ]);
    expect(last).toMatchObject({ type: 'end', message: { content: [{ type: 'text', text: 'here' }] } });
  });

  test.each([400, 401, 403, 404, 413])('status %i is not tried again', async (status) => {
    const { server, link } = await linkTo('a', api, fails(status), says('never'));
    const { last } = await play([link]);
    expect(server.requests).toHaveLength(1);
    expect(last).toMatchObject({ type: 'error', error: { status } });
  });

  test('what was shown is not said again: a stream cut in the middle is an error', async () => {
    const { server, link } = await linkTo('a', api, { cut: true, blocks: [{ text: 'half of a long sentence' }] });
    const { types, last } = await play([link]);
    expect(types).toContain('text');
    expect(types).not.toContain('retry');
    expect(last).toMatchObject({ type: 'error', error: { class: 'network' } });
    expect(server.requests).toHaveLength(1);
  });
});

test('the tries are bounded, and the last error says how many there were', async () => {
  const { server, link } = await linkTo('a', 'anthropic-messages', ...Array.from({ length: 9 }, () => fails(500)));
  const { retries, last, types } = await play([link], { policy: { ...policy, retries: 2 } });
  expect(server.requests).toHaveLength(3);
  expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(last).toMatchObject({
    type: 'error',
    error: { class: 'overloaded', message: expect.stringMatching(/\(3 tries\)$/) },
    message: { stopReason: 'error', errorMessage: expect.stringMatching(/\(3 tries\)$/) },
  });
  expect(types.filter((type) => type === 'start')).toHaveLength(1);
});

test('a server that nobody can reach is tried again', async () => {
  const model = modelAt(await closedUrl(), 'anthropic-messages');
  const attempt = createAttempt({ transport: httpTransport(), key: 'k' });
  const { retries, last } = await play([{ model, attempt }]);
  expect(retries).toHaveLength(3);
  expect(last).toMatchObject({ type: 'error', error: { class: 'network' } });
});

test('an abort ends a wait at once, and nothing more is asked', async () => {
  const { server, link } = await linkTo('a', 'anthropic-messages', fails(500), says('never'));
  const abort = new AbortController();
  const chain = flatChain([link], { policy: { ...policy, baseMs: 1e9, maxMs: 1e9 } });
  const events: StreamEvent[] = [];
  for await (const event of chain(requestTo(link.model), abort.signal)) {
    events.push(event);
    if (event.type === 'retry') abort.abort();
  }
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: { class: 'aborted' },
    message: { stopReason: 'aborted', errorMessage: 'aborted' },
  });
  expect(server.requests).toHaveLength(1);
});

describe('a fallback', () => {
  const once = { ...policy, retries: 1 };

  test('another model, of another vendor and protocol, answers when the first one cannot', async () => {
    const first = await linkTo('a', 'anthropic-messages', fails(529), fails(529));
    const second = await linkTo('b', 'openai-completions', says('instead'));
    const { retries, last } = await play([first.link, second.link], { policy: once });
    expect(retries).toMatchObject([
      { attempt: 1, model: 'maker-a/a' },
      { attempt: 2, delayMs: 0, model: 'maker-b/b', error: { class: 'overloaded' } },
    ]);
    expect(last).toMatchObject({
      type: 'end',
      message: { provider: 'maker-b', model: 'b', api: 'openai-completions', content: [{ text: 'instead' }] },
    });
  });

  test('the stand-in is asked first for a while, then the first one gets another chance', async () => {
    const first = await linkTo('a', 'anthropic-messages', fails(401), says('back'));
    const second = await linkTo('b', 'openai-completions', says('one'), says('two'));
    let time = 0;
    const chain = flatChain([first.link, second.link], { policy, now: () => time, standInMs: 100 });
    const ask = async () => (await hear(chain(requestTo(first.link.model), new AbortController().signal))).last;
    expect(await ask()).toMatchObject({ message: { content: [{ text: 'one' }] } });
    time = 99;
    expect(await ask()).toMatchObject({ message: { content: [{ text: 'two' }] } });
    time = 100;
    expect(await ask()).toMatchObject({ message: { content: [{ text: 'back' }] } });
    expect([first.server.requests.length, second.server.requests.length]).toEqual([2, 2]);
  });

  test('each model of the chain has its own tries, and the error of the last one is told', async () => {
    const first = await linkTo('a', 'anthropic-messages', fails(500), fails(500));
    const second = await linkTo('b', 'anthropic-messages', fails(503), fails(503));
    const { last } = await play([first.link, second.link], { policy: once });
    expect([first.server.requests.length, second.server.requests.length]).toEqual([2, 2]);
    expect(last).toMatchObject({ type: 'error', error: { status: 503 }, message: { provider: 'maker-b' } });
  });

  test('a request that is wrong is wrong for every model', async () => {
    const first = await linkTo('a', 'anthropic-messages', fails(400));
    const second = await linkTo('b', 'anthropic-messages', says('never'));
    const { last } = await play([first.link, second.link]);
    expect(last).toMatchObject({ type: 'error', error: { class: 'badRequest' } });
    expect(second.server.requests).toHaveLength(0);
  });
});

describe('the wait', () => {
  const overloaded: ModelError = { class: 'overloaded', message: '' };

  test('doubles from its base to its cap, and half of it is chance', () => {
    const whole = (attempt: number) => retryDelay(overloaded, attempt, { ...defaultRetry, retries: 99 }, () => 1);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(whole)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
        const delay = retryDelay(overloaded, attempt, { ...defaultRetry, retries: 99 }, () => chance) ?? -1;
        const most = whole(attempt) ?? 0;
        expect(delay).toBeGreaterThanOrEqual(most / 2);
        expect(delay).toBeLessThanOrEqual(most);
      }),
      { seed: 5 },
    );
  });

  test('is what the provider asks for, unless that is too long to wait for', () => {
    const asks = (retryAfterMs: number) =>
      retryDelay({ class: 'rateLimited', message: '', retryAfterMs }, 1, defaultRetry, () => 0);
    expect([asks(0), asks(7000), asks(60_000), asks(60_001)]).toEqual([0, 7000, 60_000, undefined]);
  });

  test('is not begun for what will fail again', () => {
    const delay = (error: Partial<ModelError>) =>
      retryDelay({ class: 'rateLimited', message: '', ...error }, 1, defaultRetry, () => 0);
    expect(delay({ final: true })).toBeUndefined();
    for (const name of [
      'auth',
      'badRequest',
      'contextOverflow',
      'outputLimit',
      'refused',
      'aborted',
      'unknown',
    ] as const)
      expect(delay({ class: name })).toBeUndefined();
    expect(mayFallBack({ class: 'rateLimited', message: '', final: true })).toBe(true);
  });
});
