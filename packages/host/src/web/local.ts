/** The web from the machine tau runs on. */
import { TauError } from '@tau/core';
import { isPublicAddress } from './address.ts';
import { exchange, isRedirect, type Received } from './exchange.ts';
import { hostOf, readTarget } from './target.ts';
import { isAddress, type Surroundings, wayTo } from './way.ts';
import type { Web, WebRequest, WebResponse } from './web.ts';
import { whyNot } from './why-not.ts';

const maxRedirects = 5;

/** `privateHosts`: those that may be fetched from although they are private, as `host` or `host:port`. */
export function localWeb(env: NodeJS.ProcessEnv, privateHosts: readonly string[] = []): Web {
  return webIn({ env, lookup: lookUp, allowPrivate: (target) => allowsPrivate(target, privateHosts) });
}

/** Whether the user lets tau connect to a private address: `named` as `host` or `host:port`. No port: any of them. */
export function allowsPrivate(to: { host: string; port?: number }, named: readonly string[] = []): boolean {
  return named.some((name) => {
    const one = readNamed(name.trim());
    return one?.host === to.host && (one.port === undefined || to.port === undefined || one.port === to.port);
  });
}

/** Whether a host is private as it is written, in any spelling. What other names mean is known when they are looked up. */
export function isPrivateHost(written: string): boolean {
  const host = readNamed(written)?.host ?? '';
  return isThisMachine(host) || (isAddress(host) && !isPublicAddress(host));
}

/** A host as its user wrote it, in the spelling that addresses have. Undefined when it is none. */
function readNamed(name: string): { host: string; port?: number } | undefined {
  const [, written = name, port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(name) ?? [];
  const url = `http://${written.includes(':') && !written.startsWith('[') ? `[${written}]` : written}/`;
  if (!URL.canParse(url)) return undefined;
  return { host: hostOf(new URL(url)), ...(port !== undefined && { port: Number(port) }) };
}

export function webIn(world: Surroundings): Web {
  return {
    async get(written, request) {
      const url = readTarget(written);
      const deadline = startDeadline(request);
      try {
        return await follow(url, { ...request, signal: deadline.signal }, world);
      } catch (error) {
        throw deadline.failure() ?? explained(url, error);
      } finally {
        deadline.end();
      }
    },
    async post(written, { body, headers, own, ...request }) {
      const url = readTarget(written);
      const deadline = startDeadline(request);
      const allowPrivate: Surroundings['allowPrivate'] = (target) =>
        own && ((isThisMachine(target.host) && isLoopback(target.address)) || world.allowPrivate(target));
      try {
        const way = await orStop(wayTo(url, { ...world, allowPrivate }, deadline.signal), deadline.signal);
        return await exchange(way, { maxBytes: request.maxBytes, signal: deadline.signal }, { body, headers });
      } catch (error) {
        throw deadline.failure() ?? explained(url, error);
      } finally {
        deadline.end();
      }
    },
  };
}

/** Written so, not found out by a lookup. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}

async function follow(start: URL, request: WebRequest, world: Surroundings): Promise<WebResponse> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const way = await orStop(wayTo(url, world, request.signal), request.signal);
    const received = await exchange(way, request);
    const { status, headers, body, cut } = received;
    const next = redirectOf(received, url);
    if (!next)
      return { kind: 'document', url: url.href, status, contentType: headers['content-type'] ?? '', body, cut };
    const isElsewhere = hostOf(next) !== hostOf(url) || (url.protocol === 'https:' && next.protocol === 'http:');
    if (isElsewhere && !request.mayConnect?.(hostOf(next))) {
      return { kind: 'elsewhere', url: url.href, status, location: next.href };
    }
    if (hops === maxRedirects) {
      throw new TauError('network', `Cannot fetch ${start.href}: it redirects more than ${maxRedirects} times`);
    }
    url = next;
  }
}

function redirectOf({ status, headers }: Received, from: URL): URL | undefined {
  if (!isRedirect(status) || headers.location === undefined) return undefined;
  // Headers come as one character for each byte; what is in them is UTF-8.
  const location = Buffer.from(headers.location, 'latin1').toString();
  return readTarget(URL.canParse(location, from.href) ? new URL(location, from.href).href : location);
}

export async function lookUp(host: string): Promise<string[]> {
  const { promises } = process.getBuiltinModule('node:dns');
  const found = await promises.lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** One signal for whatever ends a request early, and which of them it was. */
function startDeadline({ signal, timeoutMs }: WebRequest) {
  const stop = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop.abort();
  }, timeoutMs);
  const onAbort = () => stop.abort();
  if (signal.aborted) stop.abort();
  signal.addEventListener('abort', onAbort);
  return {
    signal: stop.signal,
    failure(): TauError | undefined {
      if (signal.aborted) return new TauError('network', 'Not fetched: the user interrupted');
      if (!late) return undefined;
      return new TauError('network', `Not fetched: it took longer than ${timeoutMs / 1000} s`);
    },
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

/** A lookup of a name cannot be stopped, only left. */
export async function orStop<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('aborted'));
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([wait, stopped]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function explained(url: URL, error: unknown): TauError {
  if (error instanceof TauError) return error;
  return new TauError('network', `Cannot fetch ${url.href}: ${whyNot(error)}`, { cause: error });
}
