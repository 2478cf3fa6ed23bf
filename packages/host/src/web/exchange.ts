/** One request and its response, on a way that was checked. Nothing of `node:http` is loaded before the first one. */
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { TauError } from '@tau/core';

/** How to get to a document. */
export interface Way {
  secure: boolean;
  options: RequestOptions;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  /** Empty for a redirect: nobody wants it. */
  body: Buffer;
  cut: boolean;
}

const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; tau)',
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en, *;q=0.5',
  connection: 'close',
};
const maxEncodings = 2;

/** `sent`: a text to send instead of asking for a document. */
export async function exchange(
  way: Way,
  limits: { maxBytes: number; signal: AbortSignal },
  sent?: { body: string; headers: Readonly<Record<string, string>> },
): Promise<Received> {
  const { signal } = limits;
  signal.throwIfAborted();
  const { request } = process.getBuiltinModule(way.secure ? 'node:https' : 'node:http');
  const outgoing = request({
    ...way.options,
    method: sent ? 'POST' : 'GET',
    headers: { ...headers, ...(sent && { accept: 'application/json', ...sent.headers }), ...way.options.headers },
  });
  const stop = () => void outgoing.destroy(new Error('aborted'));
  signal.addEventListener('abort', stop);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      // Without a listener the connection would be dropped and nobody told.
      outgoing.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new TauError('network', 'Cannot fetch it: the server wants to speak another protocol'));
      });
      // It stays: an error that comes when nobody waits any more must not end the process.
      outgoing.on('error', reject);
      outgoing.once('close', () => reject(new Error('the connection was closed')));
      outgoing.end(sent?.body);
    });
    response.on('error', () => {});
    const { statusCode: status = 0, headers: received } = response;
    if (isRedirect(status)) return { status, headers: received, body: Buffer.alloc(0), cut: false };
    return { status, headers: received, ...(await bodyOf(response, limits.maxBytes)) };
  } finally {
    signal.removeEventListener('abort', stop);
    outgoing.destroy();
  }
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Read only as far as it is wanted, so that a few bytes cannot unfold into gigabytes. */
async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  for await (const chunk of plain(response)) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes.subarray(0, room));
    room -= bytes.length;
    if (room < 0) return { body: Buffer.concat(chunks), cut: true };
  }
  return { body: Buffer.concat(chunks), cut: false };
}

/** The body without its compression. The encoding that was put on last is named last. */
function plain(response: IncomingMessage): Readable {
  const names = (response.headers['content-encoding'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const encodings = names.filter((name) => name !== '' && name !== 'identity').reverse();
  if (encodings.length > maxEncodings) throw unknownEncoding(encodings.join(', '));
  let source: Readable = response;
  for (const encoding of encodings) {
    const from = source;
    const decoder = decoderFor(encoding);
    if (from.errored) decoder.destroy(from.errored);
    from.once('error', (error) => decoder.destroy(error));
    decoder.once('close', () => from.destroy());
    source = from.pipe(decoder);
  }
  return source;
}

function decoderFor(name: string): Transform {
  const { createBrotliDecompress, createUnzip } = process.getBuiltinModule('node:zlib');
  switch (name) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw unknownEncoding(name);
  }
}

function unknownEncoding(name: string): TauError {
  return new TauError('network', `The answer is compressed as "${name.slice(0, 40)}", which tau cannot undo`);
}
