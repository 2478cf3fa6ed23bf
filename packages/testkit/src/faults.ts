/**
 * What a network, a proxy or a careless server does to a stream. Faults act on the list of event strings and on bytes:
 * they know no vendor, so each works over every protocol.
 */
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';

export type Fault =
  /** Every byte is a write of its own. */
  | 'singleBytes'
  /** Cut at random places, in the middle of characters too; the same seed cuts at the same places. */
  | { splits: number }
  /** All of it in one write. */
  | 'oneWrite'
  | 'crlf'
  | 'bom'
  /** Comments between the events, as servers send them to keep a connection alive. */
  | 'comments'
  /** Lines between the events that are nothing. */
  | 'garbageLines'
  /** In the middle, an event whose data is no JSON. */
  | 'notJson'
  /** In the middle, an event of a kind that nobody knows, of so many million bytes. */
  | { hugeEvent: number }
  /** The event in the middle comes twice. */
  | 'duplicate'
  /** The event in the middle comes after its successor. Only where both carry a number in the order of the stream. */
  | 'outOfOrder'
  | { contentType: string }
  | { encoding: 'gzip' | 'deflate' | 'br'; unasked?: boolean }
  /** Nothing more comes, and the connection stays. */
  | { silence: 'afterHeaders' | 'midStream' }
  /** The connection is reset. */
  | { reset: 'beforeHeaders' | 'afterHeaders' | 'midStream' };

export interface Delivery {
  headers: Record<string, string>;
  /** Each is a write of its own. */
  pieces: Buffer[];
  /** How it ends when it does not end well. */
  ending?: 'silence' | 'reset';
  /** Not even the headers are sent. */
  unheard: boolean;
}

/** What is sent instead of the events as they are. */
export async function deliver(
  events: readonly string[],
  faults: readonly Fault[],
  accepted: string,
): Promise<Delivery> {
  const headers: Record<string, string> = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  };
  let damaged = [...events];
  for (const fault of faults) damaged = onEvents(damaged, fault);
  // Of the whole stream, so after whatever was put into it.
  if (faults.includes('crlf')) damaged = damaged.map((text) => text.replaceAll('\n', '\r\n'));
  if (faults.includes('bom')) damaged = ['\ufeff', ...damaged];
  let pieces: Buffer[] = damaged.map((event) => Buffer.from(event));
  for (const fault of faults) {
    if (typeof fault === 'string') continue;
    if ('contentType' in fault) headers['content-type'] = fault.contentType;
    if ('encoding' in fault && (fault.unasked || accepted.includes(fault.encoding))) {
      headers['content-encoding'] = fault.encoding;
      pieces = await compressed(pieces, fault.encoding);
    }
  }
  for (const fault of faults) pieces = onPieces(pieces, fault);
  const end = endingOf(faults);
  return {
    headers,
    pieces: pieces.slice(0, end.at === 'midStream' ? Math.ceil(pieces.length / 2) : end.at ? 0 : pieces.length),
    unheard: end.at === 'beforeHeaders',
    ...(end.ending && { ending: end.ending }),
  };
}

function onEvents(events: string[], fault: Fault): string[] {
  const middle = Math.floor(events.length / 2);
  if (typeof fault === 'object') {
    if (!('hugeEvent' in fault)) return events;
    return events.toSpliced(middle, 0, event({ type: 'padding', padding: 'x'.repeat(fault.hugeEvent * 1e6) }));
  }
  switch (fault) {
    case 'comments':
      return events.flatMap((text) => [': keep-alive\n\n', text]);
    case 'garbageLines':
      return events.flatMap((text) => [`what is this?\nfield: 7\n${text}`]);
    case 'notJson':
      return events.toSpliced(middle, 0, 'data: {"is": not JSON\n\n');
    case 'duplicate':
      return events.toSpliced(middle, 0, events[middle] ?? '');
    case 'outOfOrder': {
      const pair = events.slice(middle, middle + 2);
      return pair.every(isNumbered) ? events.toSpliced(middle, 2, ...pair.toReversed()) : events;
    }
    default:
      return events;
  }
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** True of an event that says its place in the stream, so that a client could put it back there. */
function isNumbered(text: string): boolean {
  return /"sequence_number":\d+/.test(text);
}

function onPieces(pieces: Buffer[], fault: Fault): Buffer[] {
  if (fault === 'oneWrite') return [Buffer.concat(pieces)];
  if (fault === 'singleBytes') return pieces.flatMap((piece) => Array.from(piece, (byte) => Buffer.of(byte)));
  return typeof fault === 'object' && 'splits' in fault ? split(Buffer.concat(pieces), fault.splits) : pieces;
}

function split(bytes: Buffer, seed: number): Buffer[] {
  const random = randomFrom(seed);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * 40);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

/** A linear congruential generator: nothing but repeatable. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Flushed after each piece, so that what was said can be read before the end. */
async function compressed(pieces: readonly Buffer[], encoding: 'gzip' | 'deflate' | 'br'): Promise<Buffer[]> {
  const encoder =
    encoding === 'gzip' ? createGzip() : encoding === 'deflate' ? createDeflate() : createBrotliCompress();
  const result: Buffer[] = [];
  let collected: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => collected.push(chunk));
  const take = () => {
    result.push(Buffer.concat(collected));
    collected = [];
  };
  for (const piece of pieces) {
    encoder.write(piece);
    const kind = encoding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH;
    await new Promise<void>((resolve) => encoder.flush(kind, resolve));
    take();
  }
  await new Promise<void>((resolve) => encoder.once('end', resolve).end());
  take();
  return result.filter((piece) => piece.length > 0);
}

type At = 'beforeHeaders' | 'afterHeaders' | 'midStream';

function endingOf(faults: readonly Fault[]): { ending?: 'silence' | 'reset'; at?: At } {
  for (const fault of faults) {
    if (typeof fault === 'string') continue;
    if ('silence' in fault) return { ending: 'silence', at: fault.silence };
    if ('reset' in fault) return { ending: 'reset', at: fault.reset };
  }
  return {};
}
