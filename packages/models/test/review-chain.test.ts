/** A chain whose stand-in fails in its turn, and a chain whose tries fail in different ways. */
import type { StreamEvent } from '@tau/core';
import type { ScriptStep } from '@tau/testkit';
import { expect, test } from 'vitest';
import type { Link } from '../src/chain.ts';
import { defaultRetry } from '../src/retry.ts';
import { createAttempt } from '../src/stream.ts';
import { httpTransport, type Transport } from '../src/transport.ts';
import { flatChain } from './flat.ts';
import { canned, modelAt, requestTo, sse, startModel } from './wire.ts';

const policy = { ...defaultRetry, retries: 0, baseMs: 2 };
const says = (text: string): ScriptStep => ({ blocks: [{ text }] });

async function linkTo(id: string, ...steps: ScriptStep[]) {
  const server = await startModel(...steps);
  const model = modelAt(server.url, 'anthropic-messages', { id });
  const link: Link = { model, attempt: createAttempt({ transport: httpTransport(), key: 'k' }) };
  return { server, link };
}

async function hear(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test('when the model that stands in fails, the chosen one is asked before anybody gives up', async () => {
  const a = await linkTo('a', { status: 529 }, says('a again'), says('a still'));
  const b = await linkTo('b', says('b stands in'), { status: 529 });
  const chain = flatChain([a.link, b.link], { policy });
  const turn = async () => (await hear(chain(requestTo(a.link.model), new AbortController().signal))).at(-1);
  const answered = (model: string) => ({ type: 'end', message: { model } });
  expect(await turn()).toMatchObject(answered('b'));
  expect(await turn()).toMatchObject(answered('a'));
  // It answered, so it is asked first again.
  expect(await turn()).toMatchObject(answered('a'));
  expect(b.server.requests).toHaveLength(2);
});

test('a run of tries begins once, however the first and the last of them failed', async () => {
  const begins = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1 } } };
  const breaks = { type: 'error', error: { type: 'overloaded_error', message: 'busy' } };
  const tries = [canned([Buffer.from(sse([begins])), Buffer.from(sse([breaks]))]), canned([], 529)];
  const transport: Transport = (wire, signal) => (tries.shift() ?? canned([]))(wire, signal);
  const model = modelAt('http://x.invalid', 'anthropic-messages');
  const link: Link = { model, attempt: createAttempt({ transport, key: 'k' }) };
  const chain = flatChain([link], { policy: { ...policy, retries: 1 } });
  const types = (await hear(chain(requestTo(model), new AbortController().signal))).map(({ type }) => type);
  expect(types).toContain('retry');
  expect(types.filter((type) => type === 'start')).toHaveLength(1);
  expect(types.at(-1)).toBe('error');
});
