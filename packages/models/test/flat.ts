/** Streams one event at a time, for tests that look at each. */
import type { ModelRequest, StreamEvent } from '@tau/core';
import { createChain } from '../src/chain.ts';
import { createAttempt, type StreamOptions } from '../src/stream.ts';

async function* flat(batches: AsyncIterable<readonly StreamEvent[]>): AsyncGenerator<StreamEvent, void> {
  for await (const batch of batches) yield* batch;
}

/** One attempt and no more, as a stream. */
export function createStream(options: StreamOptions) {
  const attempt = createAttempt(options);
  return (request: ModelRequest, signal: AbortSignal) => flat(attempt(request, signal));
}

export function flatChain(...[links, options]: Parameters<typeof createChain>) {
  const chain = createChain(links, options);
  return (request: ModelRequest, signal: AbortSignal) => flat(chain(request, signal));
}
