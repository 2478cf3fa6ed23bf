/**
 * The way through a proxy: https in a tunnel that the proxy opens on CONNECT, http by asking it for the whole address.
 * Loaded only when the environment names a proxy. Written by hand; docs/decisions/0005-proxies.md says why.
 */
import { type AgentOptions, type ClientRequest, request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { connect as startTls, type TLSSocket } from 'node:tls';
import { ProxyError, refusal } from './errors.ts';
import { portOf, proxyFor } from './proxy-choice.ts';
import { agentFor, type Pool, type Route } from './route.ts';

/** Undefined when the environment leads straight there. `giveUp` ends a tunnel that is still being dug. */
export function proxyRoute(url: URL, env: NodeJS.ProcessEnv, pool: Pool, giveUp: AbortSignal): Route | undefined {
  const proxy = proxyFor(url, env);
  if (!proxy) return undefined;
  return url.protocol === 'https:' ? tunnelRoute(url, proxy, pool, giveUp) : absoluteRoute(url, proxy, pool);
}

function absoluteRoute(url: URL, proxy: URL, pool: Pool): Route {
  const secure = proxy.protocol === 'https:';
  return {
    secure,
    proxy: nameOf(proxy),
    byProxy: true,
    options: {
      ...endOf(proxy),
      path: `http://${url.host}${url.pathname}${url.search}`,
      agent: agentFor(secure, pool),
    },
    headers: { ...authorization('authorization', url), ...authorization('proxy-authorization', proxy), host: url.host },
  };
}

/** An agent hands the options of a request on to whoever makes its connection. */
interface TunnelOptions extends RequestOptions {
  giveUp: AbortSignal;
}

function tunnelRoute(url: URL, proxy: URL, pool: Pool, giveUp: AbortSignal): Route {
  const options: TunnelOptions = {
    host: hostOf(url),
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    agent: pool.agent(`through ${proxy.href}`, (kept) => tunnelAgent(proxy, pool, kept)),
    giveUp,
  };
  return { secure: true, proxy: nameOf(proxy), options, headers: authorization('authorization', url) };
}

/** Keeps connections as every agent does, but makes them through the proxy. */
function tunnelAgent(proxy: URL, pool: Pool, kept: AgentOptions): Agent {
  const agent = new Agent(kept);
  return Object.assign(agent, {
    createConnection(options: TunnelOptions, done: (error: Error | null, socket?: TLSSocket) => void) {
      dig(proxy, pool, options).then((socket) => done(null, socket), done);
    },
  });
}

/** Asks the proxy for a tunnel and begins TLS with the provider inside it. */
function dig(proxy: URL, pool: Pool, { giveUp, ...target }: TunnelOptions): Promise<TLSSocket> {
  const { port = 443, servername = '', timeout = 0 } = target;
  const host = target.host ?? '';
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const asking = askFor(authority, proxy, pool);
  let stop = () => void asking.destroy();
  const onGiveUp = () => stop();
  giveUp.addEventListener('abort', onGiveUp);
  const letGo = () => giveUp.removeEventListener('abort', onGiveUp);
  return new Promise((resolve, reject) => {
    asking.once('connect', ({ statusCode: status = 0 }, socket, head) => {
      if (status < 200 || status > 299) {
        letGo();
        socket.destroy();
        return reject(refusal(nameOf(proxy), status, `a tunnel to ${authority}`));
      }
      socket.unshift(head);
      const inside = startTls({ socket, servername, host, ...(pool.trust && { secureContext: pool.trust }) });
      // An agent takes for granted that its own limit holds on what it is given.
      inside.setTimeout(timeout);
      stop = () => void inside.destroy();
      inside.once('secureConnect', letGo).once('close', letGo);
      return resolve(inside);
    });
    asking.once('error', (cause) => {
      letGo();
      reject(new ProxyError(nameOf(proxy), cause.message, { cause }));
    });
    asking.end();
  });
}

function askFor(authority: string, proxy: URL, pool: Pool): ClientRequest {
  const request = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return request({
    method: 'CONNECT',
    ...endOf(proxy),
    path: authority,
    headers: { host: authority, ...authorization('proxy-authorization', proxy) },
    agent: false,
    ...(pool.trust && { secureContext: pool.trust }),
  });
}

function nameOf(proxy: URL): string {
  return `${proxy.hostname}:${portOf(proxy)}`;
}

/** Left alone, TLS would look for the name in the `host` header, which is the provider's. */
function endOf(proxy: URL) {
  const host = hostOf(proxy);
  return { host, port: portOf(proxy), servername: isIP(host) ? '' : host };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Credentials written into an address. What is no percent code stands for itself. */
function authorization(header: string, { username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const text = [username, password].map(plainText).join(':');
  return { [header]: `Basic ${Buffer.from(text).toString('base64')}` };
}

function plainText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
