/** One question, one whole answer: for small tasks that nobody watches, such as a summary or a title. */
import type { AssistantMessage, ModelError, ModelRequest, StreamModel } from '@tau/core';

export interface Sent {
  /** What had arrived, also when it failed. */
  message: AssistantMessage;
  error?: ModelError;
}

export async function send(stream: StreamModel, request: ModelRequest, signal: AbortSignal): Promise<Sent> {
  for await (const events of stream(request, signal)) {
    for (const event of events) {
      if (event.type === 'end') return { message: event.message };
      if (event.type === 'error') return { message: event.message, error: event.error };
    }
  }
  throw new Error('the model stream ended without an end');
}
