/**
 * Listens to a transport and writes down every exchange, in the form that `replay` reads. It passes on what it hears as
 * it is; whatever goes wrong with the recording ends the recording, never the exchange.
 */
import { describeError } from '@tau/core';
import { secretIn } from '../auth-header.ts';
import type { Transport, WireRequest, WireResponse } from '../transport.ts';
import { recordedFailure } from './failure.ts';
import { type Ending, type Exchange, exchangeLine, type RecordedModel } from './format.ts';
import { parseBody, progressOf } from './progress.ts';
import { type Clean, scrubbedJson, scrubbedPieces } from './scrubbed.ts';

/** Where the lines go. Several transports may share one: a fallback model's exchanges belong to the same recording. */
export interface RecordingSink {
  /** The number of a request that is made now. */
  next(): number;
  /** Takes one whole line. Never throws. */
  write(line: string): void;
  /** The recording cannot go on; told once. A gap in it would shift everything behind. */
  stop(why: string): void;
}

export interface RecordOptions extends RecordedModel {
  /** Takes out the secrets it is given, and whatever else it knows for one. */
  scrub: (text: string, secrets: readonly string[]) => string;
  /** The secret values known by now. Those in the request's own headers and query are found without it. */
  secrets?: () => readonly string[];
  /** What an exchange may hold, in bytes. */
  maxBytes?: number;
}

export function record(transport: Transport, sink: RecordingSink, options: RecordOptions): Transport {
  return async (wire, signal) => {
    // Nobody will be asked.
    if (signal.aborted) return transport(wire, signal);
    const tape = createTape(wire, sink, options);
    let response: WireResponse;
    try {
      response = await transport(wire, signal);
    } catch (error) {
      tape.fail(error, signal);
      throw error;
    }
    tape.begin(response);
    async function* listen(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of response.body) {
          tape.hear(chunk);
          yield chunk;
        }
        tape.end('complete');
      } catch (error) {
        tape.fail(error, signal);
        throw error;
      } finally {
        tape.end(signal.aborted ? 'aborted' : 'left');
      }
    }
    return {
      ...response,
      body: listen(),
      release() {
        response.release?.();
        tape.end('complete');
      },
      discard() {
        response.discard?.();
        tape.end('left');
      },
    };
  };
}

const defaultMaxBytes = 64 * 1024 * 1024;
/** What a piece costs beside its text: a body that comes byte by byte must not take many times its size. */
const pieceBytes = 32;

/** One exchange while it goes on. The first end counts. */
function createTape(wire: WireRequest, sink: RecordingSink, options: RecordOptions) {
  const number = sink.next();
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  const keepsRequest = wire.body.length <= maxBytes;
  // A byte order mark is the reader's to take away.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: string[] = [];
  let size = keepsRequest ? wire.body.length : 0;
  let full = false;
  let over = false;
  let answer: Pick<Exchange, 'status' | 'headers'> = { headers: {} };

  function add(piece: string): void {
    if (piece !== '') pieces.push(piece);
  }

  function lineOf(ending: Ending, error: unknown): string {
    const secrets = [...secretsIn(wire), ...(options.secrets?.() ?? [])].filter((secret) => secret.length >= 8);
    const clean = remembering((text) => options.scrub(text, secrets));
    const { api, provider, model } = options;
    const body = parseBody(wire.body);
    const line = exchangeLine({
      type: 'exchange',
      number,
      api,
      ...(provider !== undefined && { provider: clean(provider) }),
      ...(model !== undefined && { model: clean(model) }),
      ...progressOf(body),
      ...(answer.status !== undefined && { status: answer.status }),
      end: full ? 'tooLarge' : ending,
      ...(error !== undefined && { failure: recordedFailure(error, wire.url, clean) }),
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, clean(value)])),
      request: { path: clean(pathOf(wire.url)), ...(keepsRequest && { body: scrubbedJson(body, clean) }) },
      body: scrubbedPieces(pieces, clean),
    });
    if (secrets.some((secret) => line.includes(secret))) throw new Error('a secret would have been written to it');
    return line;
  }

  function end(ending: Ending, error?: unknown): void {
    if (over) return;
    over = true;
    try {
      if (!full) add(utf8.decode());
      sink.write(lineOf(ending, error));
    } catch (cause) {
      sink.stop(describeError(cause));
    }
    pieces.length = 0;
  }

  return {
    begin({ status, headers }: WireResponse): void {
      answer = { status, headers: recordedHeaders(headers) };
    },
    hear(chunk: Uint8Array): void {
      if (over || full) return;
      size += chunk.length + pieceBytes;
      if (size > maxBytes) full = true;
      else add(utf8.decode(chunk, { stream: true }));
    },
    end,
    fail(error: unknown, signal: AbortSignal): void {
      if (signal.aborted) end('aborted');
      else end('failed', error);
    },
  };
}

/** A request says the same few short words thousands of times. */
function remembering(clean: Clean): Clean {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > 64) return clean(text);
    const cleaned = known.get(text) ?? clean(text);
    known.set(text, cleaned);
    return cleaned;
  };
}

/** What the next request may depend on: the kind of the body, and how long to wait. Nothing else is worth its risk. */
function recordedHeaders(headers: WireResponse['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(content-type|retry-after(-ms)?|x-should-retry)$|ratelimit/.test(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value ?? '')]));
}

/** Parts of the query that are nobody's secret. */
const plainParameters: ReadonlySet<string> = new Set(['alt', 'api-version', 'beta']);

/** Without host and user, and without what a query may hide. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { pathname, searchParams } = new URL(url);
  const plain = [...searchParams].filter(([name]) => plainParameters.has(name));
  return plain.length === 0 ? pathname : `${pathname}?${new URLSearchParams(plain)}`;
}

function secretsIn({ url, headers }: WireRequest): string[] {
  const found = Object.entries(headers)
    .map(([name, value]) => secretIn(name, value))
    .filter((secret) => secret !== undefined);
  if (!URL.canParse(url)) return found;
  const hidden = [...new URL(url).searchParams].filter(([name]) => !plainParameters.has(name));
  return [...found, ...hidden.map(([, value]) => value)];
}
