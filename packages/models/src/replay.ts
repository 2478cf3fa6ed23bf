/**
 * Answers from a recording instead of the network. A recording is JSON lines: a head, then one exchange a line, with
 * the response body as it came off the wire. The request is compared only by how far the conversation had got, so a
 * recording made in one folder plays in another.
 */
import { TauError } from '@tau/core';
import * as z from 'zod/mini';
import type { Transport } from './transport.ts';

const head = z.object({ type: z.literal('tau-recording'), version: z.literal(1), api: z.string() });
const exchange = z.object({
  type: z.literal('exchange'),
  /** How many messages the request carried. */
  messages: z.number(),
  status: z.number(),
  body: z.array(z.string()),
});

export interface Recording {
  api: string;
  transport: Transport;
}

export function replay(name: string, text: string): Recording {
  const [first, ...rest] = text.split('\n').filter((line) => line.trim() !== '');
  const { api } = parseLine(name, 1, head, first ?? '');
  const exchanges = rest.map((line, at) => parseLine(name, at + 2, exchange, line));
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

function parseLine<T extends z.ZodMiniType>(name: string, line: number, schema: T, text: string): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TauError('recording', `${name} is not a recording: line ${line} is not what it should be`);
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
