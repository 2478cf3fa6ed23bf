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

  async function exchange(wire: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    const url = new URL(wire.url);
    const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
    const body = Buffer.from(wire.body);
    const headers = { ...wire.headers, 'content-length': body.length };
    signal.throwIfAborted();
    const outgoing = request(url, { method: 'POST', headers });
    // Not the request's own `signal`: an abort in the very moment a response ends would be an error nobody can catch.
    const abort = () => outgoing.destroy(new Error('aborted'));
    const letGo = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    let silence: IdleTimeout | undefined;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.setTimeout(idleMs, () => {
        silence = new IdleTimeout(idleMs);
        outgoing.destroy(silence);
      });
      outgoing.once('response', resolve);
      outgoing.once('close', letGo);
      outgoing.on('error', (error) => reject(outgoing.reusedSocket && isReset(error) ? new StaleConnection() : error));
      outgoing.end(body);
    });
    // Whoever reads hears of an error; one that comes when nobody reads any more must not end the process.
    response.on('error', () => {});
    let released = false;
    const release = () => {
      released = true;
      letGo();
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
  }

  return async (wire, signal) => {
    for (;;) {
      try {
        return await exchange(wire, signal);
      } catch (error) {
        // As many as were kept: the last of them leaves a connection that is new.
        if (!(error instanceof StaleConnection)) throw error;
      }
    }
  };
}

/** A kept connection that the server had closed in the meantime. Nothing was said on it, so another one may be tried. */
class StaleConnection extends Error {}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Reads away what is left, without keeping the process waiting for it. */
function drain(response: IncomingMessage): void {
  response.socket?.unref();
  response.resume();
}
