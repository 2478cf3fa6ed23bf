/**
 * The way from the proxy to a destination. Its name is looked up once, every address is checked, and the connection goes
 * to exactly those; where tau itself is behind a proxy, that one leads on.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { orStop } from '../../web/local.ts';
import { authorization, dig, endOf } from '../../web/proxy.ts';
import { fixed, routeTo, type Surroundings } from '../../web/way.ts';
import { type Destination, writeDestination } from './destination.ts';
import type { Header } from './http-head.ts';
import { pour } from './pour.ts';

export type Upstream =
  | { kind: 'private'; address: string }
  /**
   * `proxied`: at its other end is a proxy, which wants whole addresses and these headers. `pour`: what is read of it goes
   * there; without that it is read as every other.
   */
  | { kind: 'open'; socket: Duplex; proxied?: readonly Header[]; pour?(to: Socket): void };

/** `plain`: for one request that is not in a tunnel. */
export async function openUpstream(
  to: Destination,
  { plain, world, signal }: { plain: boolean; world: Surroundings; signal: AbortSignal },
): Promise<Upstream> {
  const url = new URL(`${plain ? 'http' : 'https'}://${writeDestination(to)}/`);
  const route = await orStop(routeTo(url, world), signal);
  switch (route.kind) {
    case 'private':
      return route;
    case 'direct':
      return connect({ ...to, addresses: route.addresses }, signal);
    case 'proxy': {
      if (!plain) return { kind: 'open', socket: await dig(writeDestination(to), route.proxy, signal) };
      const headers = Object.entries(authorization(route.proxy)).map(([name, value]) => ({ name, value }));
      return { kind: 'open', socket: await connectToProxy(route.proxy, signal), proxied: headers };
    }
  }
}

async function connect(
  { host, port, addresses }: Destination & { addresses: readonly string[] },
  signal: AbortSignal,
): Promise<Upstream> {
  const net = process.getBuiltinModule('node:net');
  const options = { host, port, lookup: fixed(addresses), autoSelectFamily: addresses.length > 1 };
  const { onread, into } = pour();
  const socket = net.connect({ ...options, allowHalfOpen: true, onread });
  await connected(socket, 'connect', signal);
  return { kind: 'open', socket, pour: (to) => into(socket, to) };
}

function connectToProxy(proxy: URL, signal: AbortSignal): Promise<Duplex> {
  if (proxy.protocol === 'https:') {
    return connected(process.getBuiltinModule('node:tls').connect(endOf(proxy)), 'secureConnect', signal);
  }
  const { host, port } = endOf(proxy);
  const { connect } = process.getBuiltinModule('node:net');
  return connected(connect({ host, port, allowHalfOpen: true }), 'connect', signal);
}

function connected(socket: Duplex, event: string, signal: AbortSignal): Promise<Duplex> {
  const stop = () => void socket.destroy(new Error('the command is over'));
  signal.addEventListener('abort', stop);
  const waited = new Promise<Duplex>((resolve, reject) => {
    socket.once(event, () => resolve(socket));
    // It stays: an error that comes when nobody waits any more must not end the process.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
  });
  return waited.finally(() => signal.removeEventListener('abort', stop));
}
