import { emptyUsage, type StreamEvent, TauError } from '@tau/core';
import { expect, test } from 'vitest';
import { complete } from '../src/index.ts';

const model = { provider: 'p', id: 'm', api: 'script', baseUrl: 'http://localhost' };
const request = { model, system: '', messages: [], tools: [] };
const message = {
  role: 'assistant' as const,
  content: [{ type: 'text' as const, text: 'whole' }],
  ...{ api: 'script', provider: 'p', model: 'm', usage: emptyUsage(), stopReason: 'stop' as const, timestamp: 0 },
};
const ask = (...batches: StreamEvent[][]) =>
  complete(
    async function* () {
      yield* batches;
    },
    request,
    new AbortController().signal,
  );

test('a stream becomes the message at its end', async () => {
  const start: StreamEvent[] = [{ type: 'start' }, { type: 'text', index: 0, delta: 'wh' }];
  expect(await ask(start, [{ type: 'end', message }])).toBe(message);
});

test.each<[string, StreamEvent[][], string]>([
  ['a failure', [[{ type: 'error', error: { class: 'overloaded', message: 'busy' }, message }]], 'busy'],
  ['a stream without an end', [[{ type: 'start' }]], 'without an end'],
])('%s is thrown', async (_, batches, text) => {
  const failed = ask(...batches);
  await expect(failed).rejects.toThrow(TauError);
  await expect(failed).rejects.toThrow(text);
});
