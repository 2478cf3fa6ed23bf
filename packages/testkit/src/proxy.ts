/**
 * A proxy that writes down what passed. Whatever host it is asked for, it leads to the one server of the test, so names
 * that do not exist can be asked for.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from './tls.ts';

export interface ProxyOptions {
  /** Where everything leads. */
  target: string;
  /** `user:password` that must be given. */
  credentials?: string;
  /** Answers every request with this status. */
  refuse?: number;
  /** Takes connections and never answers. */
  hang?: boolean;
  /** Speaks TLS itself. */
  certificate?: Certificate;
}

export interface TestProxy {
  /** Without credentials. */
  url: string;
  /** `CONNECT host:port` or `POST http://host/path`, in order. */
  passed: string[];
  /** How many connections are open to it now. */
  open(): number;
  /** Resolves when the n-th request line (0-based) has come. */
  arrival(n: number): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const { certificate, hang = false, credentials, refuse } = options;
  const target = new URL(options.target);
  const passed: string[] = [];
  const sockets = new Set<Duplex>();
  const waiting = new Set<() => void>();

  /** Undefined: it may pass. */
  const judge = (incoming: IncomingMessage): number | undefined => {
    passed.push(`${incoming.method} ${incoming.url}`);
    for (const wake of waiting) wake();
    if (refuse !== undefined) return refuse;
    const given = Buffer.from((incoming.headers['proxy-authorization'] ?? '').replace('Basic ', ''), 'base64');
    return credentials === undefined || given.toString() === credentials ? undefined : 407;
  };
  const track = <Kind extends Duplex>(socket: Kind): Kind => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    return socket;
  };

  const pass = (incoming: IncomingMessage, response: ServerResponse) => {
    const refused = judge(incoming);
    if (hang) return;
    if (refused !== undefined) {
      incoming.resume();
      response.writeHead(refused, { 'content-type': 'text/plain' }).end('no');
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '/', target);
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const onward = request({
      host: target.hostname,
      port: target.port,
      path: pathname + search,
      method: incoming.method,
      headers,
      agent: false,
    });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy()).pipe(response);
    });
    onward.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const server = certificate ? createTlsServer(certificate, pass) : createServer(pass);
  server.on('connection', (socket: Socket) => track(socket));
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const refused = judge(incoming);
    socket.on('error', () => {});
    if (hang) {
      // Nobody else listens for the client's leaving.
      socket.resume().once('end', () => socket.destroy());
      return;
    }
    if (refused !== undefined) {
      socket.end(`HTTP/1.1 ${refused} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const onward = track(connect(Number(target.port), target.hostname));
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.once('close', () => socket.destroy());
    socket.once('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    passed,
    open: () => sockets.size,
    arrival: (n) =>
      new Promise((resolve) => {
        const look = () => {
          if (passed.length <= n) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
