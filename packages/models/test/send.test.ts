import { expect, test } from 'vitest';
import { createChain } from '../src/chain.ts';
import { createAttempt, defaultRetry, httpTransport, send } from '../src/index.ts';
import { apis, modelAt, requestTo, startModel } from './wire.ts';

const policy = { ...defaultRetry, baseMs: 2 };

test.each(apis)('a whole answer is had in one step over %s, whatever it took', async (api) => {
  const server = await startModel({ status: 503 }, { blocks: [{ text: 'A title' }], usage: { output: 3 } });
  const model = modelAt(server.url, api);
  const stream = createChain([{ model, attempt: createAttempt({ transport: httpTransport(), key: 'k' }) }], { policy });
  const { message, error } = await send(stream, requestTo(model), new AbortController().signal);
  expect(error).toBeUndefined();
  expect(message).toMatchObject({ content: [{ type: 'text', text: 'A title' }], usage: { output: 3 } });
  expect(server.requests).toHaveLength(2);
});

test('a failure is told beside what had arrived', async () => {
  const server = await startModel({ status: 401 });
  const model = modelAt(server.url, 'anthropic-messages');
  const stream = createChain([{ model, attempt: createAttempt({ transport: httpTransport(), key: 'k' }) }], { policy });
  const sent = await send(stream, requestTo(model), new AbortController().signal);
  expect(sent).toMatchObject({ error: { class: 'auth' }, message: { stopReason: 'error', content: [] } });
});
