/**
 * Answers from a recording instead of the network. A recording is JSON lines: a head, then one exchange a line, with
 * the response body as it came off the wire. The request is compared only by how far the conversation had got, so a
 * recording made in one folder plays in another.
 */
import { TauError } from '@tau/core';
import type { Transport } from './transport.ts';

interface Head {
  type: 'tau-recording';
  version: 1;
  api: string;
}

interface Exchange {
  type: 'exchange';
  /** How many messages the request carried. */
  messages: number;
  status: number;
  /** The response, piece by piece. */
  body: string[];
}

export interface Recording {
  api: string;
  transport: Transport;
}

export function replay(name: string, text: string): Recording {
  const [first, ...rest] = text.split('\n');
  const { api } = parseLine(name, 1, isHead, first ?? '');
  const exchanges = rest.flatMap((line, at) => (line.trim() === '' ? [] : [parseLine(name, at + 2, isExchange, line)]));
  let next = 0;
  return {
    api,
    transport: async (request) => {
      const recorded = exchanges[next];
      const sent = countMessages(request.body);
      next += 1;
      if (!recorded) {
        throw leaves(name, `it holds ${exchanges.length} answers and the model was asked once more`);
      }
      if (recorded.messages !== sent) {
        throw leaves(name, `answer ${next} was given after ${recorded.messages} messages, not ${sent}`);
      }
      return { status: recorded.status, body: chunks(recorded.body) };
    },
  };
}

function parseLine<T>(name: string, line: number, fits: (value: Partial<T>) => value is T, text: string): T {
  try {
    const value: Partial<T> | null = JSON.parse(text);
    if (value !== null && fits(value)) return value;
  } catch {
    // Not JSON: told below.
  }
  throw new TauError('recording', `${name} is not a recording: line ${line} is not what it should be`);
}

function isHead(value: Partial<Head>): value is Head {
  return value.type === 'tau-recording' && value.version === 1 && typeof value.api === 'string';
}

function isExchange(value: Partial<Exchange>): value is Exchange {
  return (
    value.type === 'exchange' &&
    typeof value.messages === 'number' &&
    typeof value.status === 'number' &&
    Array.isArray(value.body) &&
    value.body.every((piece) => typeof piece === 'string')
  );
}

function leaves(name: string, why: string): TauError {
  return new TauError('recording', `The conversation leaves the recording ${name}: ${why}`);
}

function countMessages(body: string): number {
  const parsed: { messages?: unknown[] } = JSON.parse(body);
  return parsed.messages?.length ?? 0;
}

async function* chunks(body: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of body) yield Buffer.from(text);
}
