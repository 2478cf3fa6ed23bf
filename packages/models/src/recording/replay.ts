/**
 * Answers from a recording instead of the network. A request is answered by its place in the run and compared only by
 * how far the conversation had got; where the conversation leaves the recording, that is an error which says where.
 */
import { TauError } from '@tau/core';
import type { Transport, WireRequest } from '../transport.ts';
import { firstDifference } from './difference.ts';
import { replayedFailure } from './failure.ts';
import { type Ending, type Exchange, parseRecording, type RecordedModel } from './format.ts';
import { messagesOf, parseBody, progressOf, verbOf } from './progress.ts';
import { type Clean, scrubbedJson } from './scrubbed.ts';

export interface Recording {
  /** The protocol of the first exchange. */
  api: string;
  /** Who was asked, each once, in the order of their first exchange. */
  models: readonly RecordedModel[];
  transport: Transport;
}

export interface ReplayOptions {
  /** Compares the whole body of each request, cleaned as the recorded one was. For tests of what is sent. */
  strict?: Clean;
}

export function replay(name: string, text: string, options: ReplayOptions = {}): Recording {
  const { version, exchanges, api: headApi } = parseRecording(name, text);
  const byNumber = new Map(exchanges.map((exchange) => [exchange.number, exchange]));
  const last = exchanges.at(-1)?.number ?? 0;
  const models = distinct(exchanges);
  const api = headApi ?? models[0]?.api;
  if (api === undefined) {
    throw new TauError('recording', `${name} holds no exchange: no model had answered when it ended`, {
      remedy: 'Record it again',
    });
  }
  let asked = 0;
  return {
    api,
    models,
    transport: async (wire, signal) => {
      signal.throwIfAborted();
      asked += 1;
      const number = asked;
      const leaves: Leaves = (why) =>
        new TauError('recording', `The conversation leaves the recording ${name} at exchange ${number}: ${why}`, {
          remedy: 'Record it again if it should go this way',
        });
      const recorded = byNumber.get(number);
      if (!recorded) {
        const held = `the recording has ${last} ${last === 1 ? 'exchange' : 'exchanges'}`;
        throw leaves(number < last ? 'it was not over when the recording ended' : `${held}, and one more was begun`);
      }
      const why =
        mismatch(recorded, wire, version === 1) ?? (options.strict && difference(recorded, wire, options.strict));
      if (why !== undefined) throw leaves(why);
      if (recorded.status === undefined) throw endOf(recorded, leaves) ?? leaves('it has no response');
      return { status: recorded.status, headers: recorded.headers, body: play(recorded, signal, leaves) };
    },
  };
}

type Leaves = (why: string) => TauError;

async function* play(recorded: Exchange, signal: AbortSignal, leaves: Leaves): AsyncGenerator<Uint8Array> {
  for (const piece of recorded.body) {
    signal.throwIfAborted();
    yield Buffer.from(piece);
  }
  signal.throwIfAborted();
  const end = endOf(recorded, leaves);
  if (end) throw end;
}

/** What was expected and what came, when they are not at the same point. */
function mismatch(recorded: Exchange, wire: WireRequest, countsSystem: boolean): string | undefined {
  const { api, request, messages, tools } = recorded;
  const body = parseBody(wire.body);
  const came = progressOf(body);
  const path = URL.canParse(wire.url) ? new URL(wire.url).pathname : wire.url;
  if (request && verbOf(request.path) !== verbOf(path)) {
    return `it was in ${api} (${request.path}), and this request goes to ${path}`;
  }
  const count = countsSystem ? messagesOf(body).length : came.messages;
  if (count !== messages) {
    const much = Math.abs(count - messages);
    const what = `${much === 1 ? 'one is' : `${much} are`} ${count > messages ? 'new' : 'missing'}`;
    return `it was recorded with ${messages} ${messages === 1 ? 'message' : 'messages'}, and ${count} came: ${what}`;
  }
  return tools && toolDifference(tools, came.tools);
}

function toolDifference(expected: readonly string[], came: readonly string[]): string | undefined {
  const added = came.filter((name) => !expected.includes(name));
  const missing = expected.filter((name) => !came.includes(name));
  if (added.length + missing.length === 0) return undefined;
  const parts = [
    ...(added.length > 0 ? [`${added.join(', ')} ${added.length === 1 ? 'is' : 'are'} new`] : []),
    ...(missing.length > 0 ? [`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`] : []),
  ];
  return `other tools were offered when it was recorded: ${parts.join(' and ')}`;
}

function difference({ request }: Exchange, wire: WireRequest, clean: Clean): string | undefined {
  if (request?.body === undefined) return 'its request was not recorded, so it cannot be compared';
  const path = firstDifference(request.body, scrubbedJson(parseBody(wire.body), clean));
  return path === undefined ? undefined : `the request differs from the recorded one at ${path}`;
}

/** How the exchange went out, after everything that was recorded of it; undefined when it came to its end. */
function endOf({ end, failure }: Exchange, leaves: Leaves): Error | undefined {
  if (end === 'complete') return undefined;
  return end === 'failed' ? replayedFailure(failure ?? { kind: 'network' }) : leaves(beyond[end]);
}

/** Nobody knows what would have come next. */
const beyond: Record<Exclude<Ending, 'complete' | 'failed'>, string> = {
  aborted: 'the recorded run was aborted here',
  left: 'the recorded run stopped listening here',
  tooLarge: 'the answer was larger than a recording takes, so its rest is missing',
};

function distinct(exchanges: readonly Exchange[]): RecordedModel[] {
  const found = new Map<string, RecordedModel>();
  for (const { api, provider, model } of exchanges) {
    const key = JSON.stringify([api, provider, model]);
    found.set(key, { api, ...(provider !== undefined && { provider }), ...(model !== undefined && { model }) });
  }
  return [...found.values()];
}
