/**
 * The way through a proxy that the environment names: https in a tunnel the proxy opens on CONNECT, http by asking it for
 * the whole address.
 */
import type { Duplex } from 'node:stream';
import { TauError } from '@tau/core';
import type { Way } from './exchange.ts';
import { hostOf, portOf } from './target.ts';

/** Undefined: straight there. Lower case wins, as it does in curl. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  if (isExcepted(url, variable(env, 'no_proxy')?.value ?? '')) return undefined;
  const found = variable(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? variable(env, 'all_proxy');
  if (!found) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(found.value) ? found.value : `http://${found.value}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  // The value may hold a password, so the variable alone is named.
  throw new TauError('network', `Cannot fetch ${url.host}: ${found.name} names no http:// or https:// proxy`, {
    remedy: 'Except the host with NO_PROXY, or name such a proxy.',
  });
}

export async function throughProxy(url: URL, proxy: URL, signal: AbortSignal): Promise<Way> {
  if (url.protocol === 'https:') return tunnel(url, proxy, signal);
  const headers = { ...authorization(proxy), host: url.host };
  return { secure: proxy.protocol === 'https:', options: { ...endOf(proxy), path: url.href, agent: false, headers } };
}

async function tunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Way> {
  const socket = await dig(`${url.hostname}:${portOf(url)}`, proxy, signal);
  const host = hostOf(url);
  const servername = isAddress(host) ? '' : host;
  const { connect } = process.getBuiltinModule('node:tls');
  const createConnection = () => connect({ socket, host, servername });
  return { secure: true, options: { host, port: portOf(url), path: `${url.pathname}${url.search}`, createConnection } };
}

export function dig(authority: string, proxy: URL, signal: AbortSignal): Promise<Duplex> {
  const { request } = process.getBuiltinModule(proxy.protocol === 'https:' ? 'node:https' : 'node:http');
  const headers = { host: authority, ...authorization(proxy) };
  const asking = request({ method: 'CONNECT', ...endOf(proxy), path: authority, headers, agent: false });
  const stop = () => void asking.destroy(new Error('aborted'));
  signal.addEventListener('abort', stop);
  const asked = new Promise<Duplex>((resolve, reject) => {
    asking.once('connect', ({ statusCode: status = 0 }, socket, head) => {
      if (status >= 200 && status < 300) {
        socket.unshift(head);
        // A reset before TLS listens must not end the process.
        socket.on('error', () => {});
        return resolve(socket);
      }
      socket.destroy();
      return reject(new TauError('network', `The proxy refused a tunnel to ${authority}: it answered ${status}`));
    });
    asking.on('error', (cause) => reject(new TauError('network', `The proxy failed: ${cause.message}`, { cause })));
    asking.end();
  });
  return asked.finally(() => signal.removeEventListener('abort', stop));
}

/** Left alone, TLS would look for the name in the `host` header, which is the document's. */
export function endOf(proxy: URL) {
  const host = hostOf(proxy);
  return { host, port: portOf(proxy), servername: isAddress(host) ? '' : host };
}

function isAddress(host: string): boolean {
  return process.getBuiltinModule('node:net').isIP(host) !== 0;
}

export function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const text = [username, password].map(plainText).join(':');
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}

/** What is no percent code stands for itself. */
function plainText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function variable(env: NodeJS.ProcessEnv, lower: string): { name: string; value: string } | undefined {
  for (const name of [lower, lower.toUpperCase()]) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

/** NO_PROXY: names and their subdomains, with or without a leading dot, `*`, `name:port`, addresses. */
function isExcepted(url: URL, list: string): boolean {
  const host = hostOf(url);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((item) => {
      if (item === '*') return true;
      const [, name = item, port] = /^(.*[^:]):(\d+)$/.exec(item) ?? [];
      if (port !== undefined && Number(port) !== portOf(url)) return false;
      const suffix = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
      return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
    });
}
