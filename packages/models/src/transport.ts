/**
 * One HTTP exchange with a provider, as a seam: the real network here, a recording in `replay.ts`. Requests go through
 * `node:http(s)` because `fetch` alone costs Node 20 most of the start-up budget.
 */
import type { IncomingMessage } from 'node:http';

export interface WireRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface WireResponse {
  status: number;
  contentType?: string | undefined;
  /** Leaving it before its end closes the connection, unless the response was released. */
  body: AsyncIterable<Uint8Array>;
  /** The message is complete: what is left of the body does not matter, and the connection can serve the next turn. */
  release?(): void;
  /** Closes the connection of a response whose body is not wanted. */
  discard?(): void;
}

/** Rejects when no response could be had. An abort closes the socket at once, also while the body is read. */
export type Transport = (request: WireRequest, signal: AbortSignal) => Promise<WireResponse>;

/** Thrown when no byte came for `idleMs`. */
export class IdleTimeout extends Error {
  constructor(idleMs: number) {
    super(`no byte from the provider for ${idleMs / 1000} s`);
    this.name = 'IdleTimeout';
  }
}

export function httpTransport(options: { idleMs?: number } = {}): Transport {
  const idleMs = options.idleMs ?? 120_000;
  return async (wire, signal) => {
    const url = new URL(wire.url);
    const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    const body = Buffer.from(wire.body);
    let silence: IdleTimeout | undefined;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(
        url,
        { method: 'POST', headers: { ...wire.headers, 'content-length': body.length }, signal },
        resolve,
      );
      outgoing.setTimeout(idleMs, () => {
        silence = new IdleTimeout(idleMs);
        outgoing.destroy(silence);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    let released = false;
    const release = () => {
      released = true;
    };
    async function* read(): AsyncGenerator<Uint8Array> {
      try {
        yield* response.iterator({ destroyOnReturn: false });
      } catch (error) {
        throw silence ?? error;
      } finally {
        if (released) drain(response);
        else response.destroy();
      }
    }
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers['content-type'],
      body: read(),
      release,
      discard: () => response.destroy(),
    };
  };
}

/** Reads away what is left, without keeping the process waiting for it. */
function drain(response: IncomingMessage): void {
  response.socket?.unref();
  response.resume();
}
