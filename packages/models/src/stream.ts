/** The stream contract over a transport: one request, ordered events, and a failure as the last event, never a throw. */
import type { ModelError, ModelRequest, StreamEvent, StreamModel } from '@tau/core';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { type Assembler, createAssembler } from './assembler.ts';
import { statusFailure, thrownFailure } from './failure.ts';
import { flatten } from './flatten.ts';
import type { Decoder } from './protocol.ts';
import { findProtocol } from './protocols.ts';
import type { Transport, WireResponse } from './transport.ts';

export interface StreamOptions {
  transport: Transport;
  key: string | undefined;
  now?: () => number;
}

export function createStream({ transport, key, now = Date.now }: StreamOptions): StreamModel {
  async function* batches(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent[], void> {
    const { model } = request;
    const assembler = createAssembler(model, now());
    const protocol = findProtocol(model.api);
    if (!protocol) {
      assembler.fail({ class: 'badRequest', message: `${model.provider} speaks ${model.api}, which tau does not` });
      yield assembler.take();
      return;
    }
    const wire = protocol.encode(request, key);
    let answered = false;
    try {
      const response = await transport(wire, signal);
      answered = true;
      if (response.status < 200 || response.status > 299) {
        assembler.fail(statusFailure(model.provider, response.status, await readError(response)));
      } else if (/^text\/html\b/i.test(response.contentType ?? '')) {
        response.discard?.();
        assembler.fail(webPage(model.provider, wire.url));
      } else {
        const decoder = protocol.decoder(assembler, model.provider);
        const parser = eventParser(decoder, assembler, model.provider);
        const utf8 = new TextDecoder();
        for await (const chunk of response.body) {
          if (signal.aborted) break;
          parser.feed(utf8.decode(chunk, { stream: true }));
          const events = assembler.take();
          // Before the end is told, as nobody listens after it. Whoever broke off has more to say that nobody will
          // read: that connection is closed.
          if (events.at(-1)?.type === 'end') response.release?.();
          yield events;
          if (assembler.finished) return;
        }
        if (signal.aborted) assembler.fail({ class: 'aborted', message: 'aborted' });
        decoder.close?.();
        assembler.fail(cutShort(model.provider));
      }
    } catch (error) {
      const failure = thrownFailure(model.provider, wire.url, error, signal);
      assembler.fail(answered && failure.class === 'network' ? cutShort(model.provider) : failure);
    }
    yield assembler.take();
  }

  return (request, signal) => flatten(batches(request, signal));
}

const maxEventChars = 64 * 1024 * 1024;

/** Whatever the decoder cannot take ends the message; so does an event without an end. */
function eventParser(decoder: Decoder, assembler: Assembler, provider: string): EventSourceParser {
  return createParser({
    maxBufferSize: maxEventChars,
    onEvent: ({ data }) => {
      try {
        decoder.event(data);
      } catch {
        assembler.fail(notUnderstood(provider, data));
      }
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') assembler.fail(notUnderstood(provider, '(an event without an end)'));
    },
  });
}

function cutShort(provider: string): ModelError {
  return { class: 'network', message: `${provider} closed the stream before the message was complete` };
}

function webPage(provider: string, url: string): ModelError {
  const { host } = new URL(url);
  const message = `${provider} at ${host} answered with a web page, not a model's stream; check the address`;
  return { class: 'badRequest', message };
}

function notUnderstood(provider: string, data: string): ModelError {
  return { class: 'unknown', message: `${provider} sent an event that is not its protocol: ${data.slice(0, 100)}` };
}

async function readError(response: WireResponse): Promise<string> {
  const limit = 64 * 1024;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks).toString('utf8');
}
