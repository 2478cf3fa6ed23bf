/** A whole answer, for small tasks that nobody watches: a title, a summary. It comes as a stream like any other. */
import { type AssistantMessage, type ModelRequest, type StreamModel, TauError } from '@tau/core';

export async function complete(
  stream: StreamModel,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<AssistantMessage> {
  for await (const events of stream(request, signal)) {
    for (const event of events) {
      if (event.type === 'end') return event.message;
      if (event.type === 'error') throw new TauError('network', event.error.message);
    }
  }
  throw new TauError('network', 'the model stream ended without an end');
}
