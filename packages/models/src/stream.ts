/** The stream contract over a transport: one request, ordered events, and a failure as the last event, never a throw. */
import type { ModelError, StreamModel } from '@tau/core';
import { createParser } from 'eventsource-parser';
import { createAssembler } from './assembler.ts';
import { statusFailure, thrownFailure } from './failure.ts';
import { findProtocol } from './protocols.ts';
import type { Transport, WireResponse } from './transport.ts';

export interface StreamOptions {
  transport: Transport;
  key: string | undefined;
  now?: () => number;
}

export function createStream({ transport, key, now = Date.now }: StreamOptions): StreamModel {
  return async function* stream(request, signal) {
    const { model } = request;
    const assembler = createAssembler(model, now());
    const protocol = findProtocol(model.api);
    if (!protocol) {
      assembler.fail({ class: 'badRequest', message: `${model.provider} speaks ${model.api}, which tau does not` });
      yield* assembler.take();
      return;
    }
    const wire = protocol.encode(request, key);
    try {
      const response = await transport(wire, signal);
      if (response.status < 200 || response.status > 299) {
        assembler.fail(statusFailure(model.provider, response.status, await readError(response)));
      } else {
        const decode = protocol.decoder(assembler, model.provider);
        const parser = createParser({
          onEvent: (event) => {
            try {
              decode(event.data);
            } catch {
              assembler.fail(notUnderstood(model.provider, event.data));
            }
          },
        });
        const utf8 = new TextDecoder();
        for await (const chunk of response.body) {
          parser.feed(utf8.decode(chunk, { stream: true }));
          // One by one: delegating to the array would cost three more promises an event.
          for (const event of assembler.take()) yield event;
          if (assembler.finished) return;
        }
        assembler.fail(signal.aborted ? { class: 'aborted', message: 'aborted' } : cutShort(model.provider));
      }
    } catch (error) {
      assembler.fail(thrownFailure(model.provider, wire.url, error, signal));
    }
    yield* assembler.take();
  };
}

function cutShort(provider: string): ModelError {
  return { class: 'network', message: `${provider} closed the stream before the message was complete` };
}

function notUnderstood(provider: string, data: string): ModelError {
  return { class: 'unknown', message: `${provider} sent an event that is not its protocol: ${data.slice(0, 100)}` };
}

async function readError(response: WireResponse): Promise<string> {
  const limit = 64 * 1024;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
