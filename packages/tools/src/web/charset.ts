/** The text of a document, in whatever character set it says it is. */

/** A page may name its own within so many bytes. */
const probeBytes = 1024;

export function decodeText(body: Buffer, contentType: string): string {
  const named = markOf(body) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? charsetInside(body);
  return decode(body, named ?? 'utf-8');
}

function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 'utf-8' : undefined;
}

function charsetInside(body: Buffer): string | undefined {
  const start = body.subarray(0, probeBytes).toString('latin1');
  return /<meta[^>]{0,300}charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1];
}

/** An unknown name must not cost the page. */
function decode(body: Buffer, name: string): string {
  try {
    return new TextDecoder(name).decode(body);
  } catch {
    return new TextDecoder('utf-8').decode(body);
  }
}
