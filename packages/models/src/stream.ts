/** The stream contract over a transport: one request, ordered events, and a failure as the last event, never a throw. */

import { StringDecoder } from 'node:string_decoder';
import type { ModelError, ModelRequest, StreamEvent } from '@tau/core';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { type Assembler, createAssembler } from './assembler.ts';
import { oneLine } from './failure/text.ts';
import { documentFailure, statusFailure, thrownFailure } from './failure.ts';
import { readLimits } from './limits.ts';
import type { Decoder } from './protocol.ts';
import { findProtocol } from './protocols.ts';
import type { Transport } from './transport.ts';

export interface StreamOptions {
  transport: Transport;
  key: string | undefined;
  now?: () => number;
  /** Takes secrets out of what a provider says about a failure. */
  clean?: (text: string) => string;
}

/** One attempt at an answer, in batches: as many events as one chunk of the wire held. */
export type Attempt = (request: ModelRequest, signal: AbortSignal) => AsyncGenerator<StreamEvent[], void>;

export function createAttempt({ transport, key, now = Date.now, clean }: StreamOptions): Attempt {
  return async function* (request, signal) {
    const { model } = request;
    const assembler = createAssembler(model, now());
    const protocol = findProtocol(model.api);
    if (!protocol) {
      assembler.fail({ class: 'badRequest', message: `${model.provider} speaks ${model.api}, which tau does not` });
      yield assembler.take();
      return;
    }
    let { baseUrl: url } = model;
    let answered = false;
    try {
      const wire = protocol.encode(request, key);
      url = wire.url;
      const response = await transport(wire, signal);
      answered = true;
      const limits = readLimits(response.headers, now());
      if (limits) assembler.note({ type: 'limits', model: `${model.provider}/${model.id}`, limits });
      if (response.status < 200 || response.status > 299) {
        const context = { url: url, headers: response.headers, now: now() };
        const body = await readText(response.body);
        if (signal.aborted) assembler.fail({ class: 'aborted', message: 'aborted' });
        assembler.fail(statusFailure(model.provider, response.status, body, context));
      } else if (/^text\/html\b/i.test(String(response.headers['content-type'] ?? ''))) {
        response.discard?.();
        assembler.fail(webPage(model.provider, url));
      } else {
        const decoder = protocol.decoder(assembler, request);
        const parser = eventParser(decoder, assembler, model.provider);
        // Six times as fast as a TextDecoder that is told to wait for the rest of a character.
        const utf8 = new StringDecoder('utf8');
        let begun = false;
        for await (const chunk of response.body) {
          if (signal.aborted) break;
          let text = utf8.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
          if (!begun) {
            if (text.startsWith('\uFEFF')) text = text.slice(1);
            const first = text.trimStart().charAt(0);
            begun = first !== '';
            if (begun && '{[<'.includes(first)) {
              const body = await readText(response.body, chunk);
              if (!signal.aborted) assembler.fail(notAStream(model.provider, url, first, body));
              break;
            }
          }
          parser.feed(text);
          const events = cleaned(assembler.take(), clean);
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
      const failure = thrownFailure(model.provider, url, error, signal);
      assembler.fail(answered && failure.class === 'network' ? cutShort(model.provider) : failure);
    }
    yield cleaned(assembler.take(), clean);
  };
}

/** A provider may quote a key in its complaint about it. */
function cleaned(events: StreamEvent[], clean: StreamOptions['clean']): StreamEvent[] {
  const last = events.at(-1);
  if (last?.type !== 'error' || !clean) return events;
  const error = { ...last.error, message: clean(last.error.message) };
  return [...events.slice(0, -1), { type: 'error', error, message: { ...last.message, errorMessage: error.message } }];
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
  return {
    class: 'unknown',
    message: `${provider} sent an event that is not its protocol: ${oneLine(data).slice(0, 100)}`,
  };
}

/** Whatever it calls itself: no event of a stream begins like JSON or like a web page. */
function notAStream(provider: string, url: string, first: string, body: string): ModelError {
  return first === '<' ? webPage(provider, url) : documentFailure(provider, url, body);
}

/** A body that is no stream, as far as it is worth reading. */
async function readText(body: AsyncIterable<Uint8Array>, first?: Uint8Array): Promise<string> {
  const limit = 64 * 1024;
  const chunks = first ? [first] : [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) break;
    }
  } catch {
    // What had arrived says enough.
  }
  return Buffer.concat(chunks).toString('utf8');
}
