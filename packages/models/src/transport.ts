/**
 * One HTTP exchange with a provider, as a seam: the real network here, a recording in `replay.ts`. Requests go through
 * `node:http(s)` because `fetch` alone costs Node 20 most of the start-up budget.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { TauError } from '@tau/core';
import { afterReading } from './after-reading.ts';
import { ConnectTimeout, IdleTimeout, ProxyError, refusal } from './transport/errors.ts';
import { createPool, directRoute, type Pool, type Route } from './transport/route.ts';

export interface WireRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Leaving it before its end closes the connection, unless the response was released. */
  body: AsyncIterable<Uint8Array>;
  /** The message is complete: what is left of the body does not matter, and the connection can serve the next turn. */
  release?(): void;
  /** Closes the connection of a response whose body is not wanted. */
  discard?(): void;
}

/** Rejects when no response could be had. An abort closes the socket at once, also while the body is read. */
export type Transport = (request: WireRequest, signal: AbortSignal) => Promise<WireResponse>;

export interface TransportOptions {
  /** How long the provider may stay silent. 0 or Infinity: for ever. */
  idleMs?: number;
  /** How long it may take to get through to it. 0 or Infinity: for ever. */
  connectMs?: number;
  /** Certificates in PEM form that are trusted beside the system's. */
  ca?: string;
  /** Where the proxy variables are. */
  env?: NodeJS.ProcessEnv;
  /** Is handed what closes the connections that are kept for the next turn. */
  onOpen?(close: () => void): void;
}

export function httpTransport(options: TransportOptions = {}): Transport {
  const { ca, env = process.env } = options;
  const waits = { idleMs: waitOf(options.idleMs ?? 120_000), connectMs: waitOf(options.connectMs ?? 30_000) };
  const plain = createPool(undefined);
  let trusted: Promise<Pool> | undefined;

  /** Certificates are read when something is to be encrypted: it takes longer than a whole start without. */
  async function poolFor(url: URL): Promise<Pool> {
    if (ca === undefined || (url.protocol !== 'https:' && !namesProxy(env))) return plain;
    trusted ??= openTrusted(ca, env);
    return trusted;
  }

  options.onOpen?.(() => {
    plain.close();
    trusted?.then((pool) => pool.close()).catch(() => {});
  });
  return async (wire, signal) => {
    const url = new URL(wire.url);
    const pool = await poolFor(url);
    for (;;) {
      const giveUp = new AbortController();
      const route = await routeTo(url, env, pool, giveUp.signal);
      try {
        return await exchange(wire, route, waits, signal, giveUp);
      } catch (error) {
        // As many as were kept: the last of them leaves a connection that is new.
        if (!(error instanceof StaleConnection)) throw error;
      }
    }
  };
}

/** Throws when what the user wrote about the network cannot be used for these addresses. Where nothing is, nothing is loaded. */
export async function checkNetwork(
  { ca, env = process.env }: Pick<TransportOptions, 'ca' | 'env'>,
  addresses: readonly string[],
): Promise<void> {
  if (ca !== undefined) {
    const { checkCertificates } = await import('./transport/trust.ts');
    checkCertificates(ca);
  }
  if (!namesProxy(env)) return;
  const { proxyFor } = await import('./transport/proxy-choice.ts');
  for (const address of addresses) if (URL.canParse(address)) proxyFor(new URL(address), env);
}

async function openTrusted(ca: string, env: NodeJS.ProcessEnv): Promise<Pool> {
  const { trusting } = await import('./transport/trust.ts');
  return createPool(trusting(ca, env));
}

async function routeTo(url: URL, env: NodeJS.ProcessEnv, pool: Pool, giveUp: AbortSignal): Promise<Route> {
  if (!namesProxy(env)) return directRoute(url, pool);
  const { proxyRoute } = await import('./transport/proxy.ts');
  return proxyRoute(url, env, pool, giveUp) ?? directRoute(url, pool);
}

function namesProxy(env: NodeJS.ProcessEnv): boolean {
  const names = ['https_proxy', 'http_proxy', 'all_proxy'];
  return names.some((name) => env[name] || env[name.toUpperCase()]);
}

/** 0 when there is no limit; a timer takes no more than 31 bits. */
function waitOf(ms: number): number {
  return ms > 0 && ms < 2 ** 31 ? ms : 0;
}

interface Waits {
  idleMs: number;
  connectMs: number;
}

async function exchange(
  wire: WireRequest,
  route: Route,
  waits: Waits,
  signal: AbortSignal,
  giveUp: AbortController,
): Promise<WireResponse> {
  const { request } = process.getBuiltinModule(route.secure ? 'node:https' : 'node:http');
  const body = Buffer.from(wire.body);
  const headers = { ...route.headers, ...wire.headers, 'content-length': body.length };
  signal.throwIfAborted();
  const outgoing = request({ ...route.options, method: 'POST', headers, timeout: waits.idleMs });
  // Not the request's own `signal`: an abort in the very moment a response ends would be an error nobody can catch.
  let abort = () => {};
  const onAbort = () => abort();
  const letGo = () => signal.removeEventListener('abort', onAbort);
  signal.addEventListener('abort', onAbort);
  let silence: IdleTimeout | undefined;
  let connecting: NodeJS.Timeout | undefined;
  let response: IncomingMessage;
  try {
    response = await new Promise<IncomingMessage>((resolve, reject) => {
      // A request that still waits for its connection does not tell of its end, so it is told here.
      const fail = (error: Error) => {
        reject(error);
        giveUp.abort();
        outgoing.destroy(error);
      };
      abort = () => fail(new Error('aborted'));
      outgoing.on('timeout', () => {
        const heard = outgoing.socket?.bytesRead;
        afterReading(() => {
          if (outgoing.socket?.bytesRead !== heard) return;
          silence = new IdleTimeout(waits.idleMs);
          fail(silence);
        });
      });
      if (waits.connectMs > 0) {
        let isConnected = false;
        const tooLate = () => !isConnected && fail(new ConnectTimeout(waits.connectMs, route.proxy));
        connecting = setTimeout(() => afterReading(tooLate), waits.connectMs);
        whenConnected(outgoing, route.secure, () => {
          isConnected = true;
          clearTimeout(connecting);
        });
      }
      outgoing.once('response', resolve);
      outgoing.once('close', letGo);
      outgoing.on('error', (error) => reject(blamed(error, outgoing, route)));
      outgoing.end(body);
    });
  } catch (error) {
    letGo();
    throw error;
  } finally {
    clearTimeout(connecting);
  }
  // Whoever reads hears of an error; one that comes when nobody reads any more must not end the process.
  response.on('error', () => {});
  const { statusCode: status = 0 } = response;
  if (route.proxy && route.byProxy && isOfProxy(status, response)) {
    response.destroy();
    throw refusal(route.proxy, status, 'the request');
  }
  const content = await plain(response);
  let released = false;
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* content;
    } catch (error) {
      throw silence ?? error;
    } finally {
      if (released) drain(response);
      else response.destroy();
    }
  }
  return {
    status,
    headers: response.headers,
    body: read(),
    release() {
      released = true;
      letGo();
    },
    discard: () => response.destroy(),
  };
}

/** Whether the proxy itself said no. Providers say why in JSON, a proxy with a page. */
function isOfProxy(status: number, { headers }: IncomingMessage): boolean {
  return status === 407 || (status === 403 && !/\bjson\b/i.test(headers['content-type'] ?? ''));
}

function whenConnected(outgoing: ClientRequest, secure: boolean, then: () => void): void {
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket) then();
    else socket.once(secure ? 'secureConnect' : 'connect', then);
  });
}

/** The body without its compression, if it has one. */
async function plain(response: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return response.iterator({ destroyOnReturn: false });
  const { decoded } = await import('./transport/encoding.ts');
  const body = decoded(response, encoding);
  if (body) return body;
  response.destroy();
  throw new TauError('configuration', `The answer is compressed as "${encoding.slice(0, 40)}", which tau cannot undo`, {
    remedy: 'Check what stands between tau and the provider',
  });
}

/** A kept connection that the server had closed in the meantime. Nothing was said on it, so another one may be tried. */
class StaleConnection extends Error {}

/** Whose fault it is that a request got no answer. */
function blamed(error: Error, outgoing: ClientRequest, route: Route): Error {
  if (outgoing.reusedSocket && isReset(error)) return new StaleConnection();
  return route.proxy && route.byProxy ? new ProxyError(route.proxy, error.message, { cause: error }) : error;
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Reads away what is left, without keeping the process waiting for it. */
function drain(response: IncomingMessage): void {
  response.socket?.unref();
  response.unpipe();
  response.resume();
}
