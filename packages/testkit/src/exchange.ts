/** One request and the playing of its step: replies, errors and the faults a network has. Knows sockets, no vendor. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliver } from './faults.ts';
import type { Protocol } from './protocol.ts';
import type { RecordedRequest, ScriptedReply, ScriptStep } from './script.ts';

/** What a stream that hangs was saying. */
const unfinished: ScriptedReply = { blocks: [{ text: 'This sentence will never be' }] };

export interface Exchange {
  protocol: Protocol;
  request: RecordedRequest;
  response: ServerResponse;
  /** Resolves when the response is over, however it ended. */
  closed: Promise<void>;
  /** Set before this side destroys the socket, so that it does not count as the client's doing. */
  endedHere: boolean;
}

export function openExchange(
  protocol: Protocol,
  incoming: IncomingMessage,
  response: ServerResponse,
  raw: string,
): Exchange {
  // Writing to a client that has just left is an error event; `closed` tells the same story.
  response.on('error', () => {});
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  const aborted = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished && !exchange.endedHere) resolve();
    });
  });
  const { method = '', url: path = '', headers } = incoming;
  const request = { method, path, headers, body: parseJson(raw), raw, aborted };
  const exchange: Exchange = { protocol, request, response, closed, endedHere: false };
  return exchange;
}

export async function play(step: ScriptStep, number: number, exchange: Exchange): Promise<void> {
  const { protocol, request, response } = exchange;
  if (typeof step === 'function') return play(decide(step, request), number, exchange);
  if ('status' in step) {
    const body = step.body ?? protocol.errorBody(step.status, `scripted error ${step.status}`);
    return sendBody(response, step.status, body, step.headers);
  }
  if ('hang' in step && step.hang === 'beforeHeaders') return;
  const refused = protocol.refuses?.(request);
  if (refused !== undefined) return sendBody(response, 400, protocol.errorBody(400, refused));
  const events = protocol.stream('blocks' in step ? step : unfinished, {
    number,
    path: request.path,
    body: request.body,
  });
  const middle = Math.floor(events.length / 2);
  const faults = 'faults' in step ? (step.faults ?? []) : [];
  const delivery = await deliver(events, faults, String(request.headers['accept-encoding'] ?? ''));
  if (delivery.unheard) return reset(exchange);
  response.writeHead(200, { ...delivery.headers, ...('headers' in step ? step.headers : {}) });
  // Headers wait for the first byte of a body, and here none may come.
  if (delivery.ending) response.flushHeaders();
  if ('hang' in step) return writeEach(exchange, events.slice(0, middle));
  if ('cut' in step) {
    const event = events[middle] ?? '';
    await writeEach(exchange, [...events.slice(0, middle), event.slice(0, event.length / 2)]);
    exchange.endedHere = true;
    response.destroy();
    return;
  }
  await writeEach(exchange, delivery.pieces);
  if (delivery.ending === 'silence') return;
  if (delivery.ending === 'reset') return reset(exchange);
  response.end();
}

function reset(exchange: Exchange): void {
  exchange.endedHere = true;
  exchange.response.socket?.resetAndDestroy();
}

/** A body that is a string goes out as it is: proxies answer in plain text or HTML. */
export function sendBody(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A step that throws is answered, so that the client fails with the reason instead of waiting. */
function decide(step: (request: RecordedRequest) => ScriptStep, request: RecordedRequest): ScriptStep {
  try {
    return step(request);
  } catch (error) {
    return { status: 500, body: `the script threw: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Each event is its own write, awaited, so that it reaches the socket alone as a vendor's do. */
async function writeEach({ response, closed }: Exchange, events: readonly (string | Buffer)[]): Promise<void> {
  for (const event of events) {
    if (response.destroyed) return;
    const written = new Promise<void>((resolve) => {
      response.write(event, () => resolve());
    });
    await Promise.race([written, closed]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
