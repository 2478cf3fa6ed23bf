/**
 * Undoes the compression of a response. tau never asks for any, but some proxies compress unasked. Loaded only then,
 * because zlib would cost every start.
 */
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

const maxLayers = 2;

/** The plain bytes of a body, or undefined for an encoding that tau does not know. The innermost name comes first. */
export function decoded(body: Readable, encoding: string): Readable | undefined {
  const decoders = namesIn(encoding).reverse().map(decoderFor);
  if (decoders.length > maxLayers) return undefined;
  let source = body;
  for (const decoder of decoders) {
    if (!decoder) return undefined;
    const from = source;
    if (from.errored) decoder.destroy(from.errored);
    from.once('error', (error) => decoder.destroy(error));
    source = from.pipe(decoder);
  }
  return source;
}

function namesIn(encoding: string): string[] {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity');
}

/** What comes in must go out at once: a model's words are shown as they arrive. */
function decoderFor(name: string): Transform | undefined {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ flush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
