/** A proxy of contained commands on loopback, and servers behind it that count as public under names of the test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type NetworkOptions, openNetwork, type SandboxNetwork } from '../src/sandbox/network/network.ts';
import type { Refusal } from '../src/sandbox/proxy/proxy.ts';

/** Names below `.public` lead to this machine and may be connected to, as if that were the wide world. */
function worldOfTest(): Pick<NetworkOptions, 'lookup' | 'allowPrivate'> & { looked: string[] } {
  const looked: string[] = [];
  return {
    looked,
    lookup: async (host) => {
      looked.push(host);
      if (host.endsWith('.public')) return ['127.0.0.1'];
      if (host.endsWith('.private')) return ['10.1.2.3'];
      if (host.endsWith('.mixed')) return ['93.184.216.34', '169.254.169.254'];
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    },
    allowPrivate: ({ host }) => host.endsWith('.public'),
  };
}

export function openPlace(options: Partial<NetworkOptions> = {}) {
  const refusals: Refusal[] = [];
  const world = worldOfTest();
  const network = openNetwork({
    way: { kind: 'loopback' },
    env: {},
    hosts: [],
    onRefused: (refusal) => refusals.push(refusal),
    ...world,
    ...options,
  });
  onTestFinished(() => network.close());
  return { network, refusals, looked: world.looked };
}

export async function joinAs(network: SandboxNetwork, id: string, ...hosts: string[]) {
  const joined = await network.join({ id, hosts });
  const url = new URL(joined.env.http_proxy ?? '');
  const credentials = `${url.username}:${url.password}`;
  const authorization = `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;
  return { ...joined, credentials, authorization };
}

async function listening<Kind extends Server>(server: Kind): Promise<{ port: number }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port };
}

/** A web server that writes down what came. */
export async function serveWeb(answer?: (incoming: IncomingMessage, response: ServerResponse) => void) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    seen.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body });
    if (answer) answer(incoming, response);
    else response.end('hello from outside');
  });
  return { ...(await listening(server)), seen };
}

export async function serveTcp(onConnection: (socket: Socket) => void) {
  return listening(createTcpServer({ allowHalfOpen: true }, onConnection));
}

/** A client that says some bytes and hears the rest. */
export async function dial(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  const wake = () => {
    for (const look of waiting) look();
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    wake();
  });
  socket.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true;
      wake();
      resolve();
    };
    socket.once('end', end).once('close', end);
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  onTestFinished(() => void socket.destroy());
  const heard = () => Buffer.concat(chunks);
  return {
    socket,
    say: (words: string | readonly number[]) =>
      void socket.write(typeof words === 'string' ? Buffer.from(words, 'latin1') : Buffer.from(words)),
    heard,
    /** All it hears until the other side has said everything. */
    async toEnd() {
      await ended;
      return heard().toString('latin1');
    },
    /** Waits for so many bytes, or for the end. */
    atLeast: (bytes: number) =>
      new Promise<Buffer>((resolve) => {
        const look = () => {
          if (heard().length < bytes && !over) return;
          waiting.delete(look);
          resolve(heard());
        };
        waiting.add(look);
        look();
      }),
  };
}
