/**
 * A model server that follows a script, on a real socket. Step n answers request n, in the wire protocol the
 * request's path names; requests outside the script (documents, unknown paths) are neither recorded nor counted.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { anthropicMessages } from './anthropic-messages.ts';
import { type Exchange, openExchange, play, sendBody } from './exchange.ts';
import { googleGenerativeAi } from './google-generative-ai.ts';
import { openaiCompletions } from './openai-completions.ts';
import { openaiResponses } from './openai-responses.ts';
import type { Protocol } from './protocol.ts';
import type { RecordedRequest, ScriptStep } from './script.ts';
import { makeCertificate } from './tls.ts';

const protocols: readonly Protocol[] = [anthropicMessages, openaiCompletions, openaiResponses, googleGenerativeAi];

export interface ScriptedModel {
  /** Without a path: OpenAI clients append `/v1`. */
  url: string;
  requests: RecordedRequest[];
  /** How many connections were opened so far. */
  connections(): number;
  /** How many of them are open now. */
  open(): number;
  /** Over TLS: what a client must trust. */
  ca?: string;
  /** Resolves when request number n (0-based) has arrived. */
  arrival(n: number): Promise<RecordedRequest>;
  /** Destroys what is still open. */
  close(): Promise<void>;
}

export async function startScriptedModel(steps: ScriptStep[], options: { tls?: boolean } = {}): Promise<ScriptedModel> {
  const requests: RecordedRequest[] = [];
  const open = new Set<Exchange>();
  const waiting: { n: number; resolve: (request: RecordedRequest) => void }[] = [];

  const record = (request: RecordedRequest): number => {
    const number = requests.push(request) - 1;
    for (const waiter of waiting) if (waiter.n === number) waiter.resolve(request);
    return number;
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    const document = protocols.map(({ documents }) => documents[pathname]).find((found) => found !== undefined);
    if (incoming.method === 'GET' && document !== undefined) return sendBody(response, 200, document);

    const protocol = protocols.find(({ serves }) => serves(pathname));
    if (incoming.method !== 'POST' || protocol === undefined) {
      return sendBody(response, 404, { error: { message: `nothing is served at ${incoming.method} ${pathname}` } });
    }
    const raw = await readBody(incoming);
    if (raw === undefined) return;
    const exchange = openExchange(protocol, incoming, response, raw);
    open.add(exchange);
    response.once('close', () => open.delete(exchange));
    const number = record(exchange.request);
    const step = steps[number] ?? { status: 500, body: protocol.errorBody(500, beyond(number, steps.length)) };
    await play(step, number, exchange);
  };
  const certificate = options.tls ? await makeCertificate() : undefined;
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    open: () => sockets.size,
    ...(certificate && { ca: certificate.cert }),
    arrival(n) {
      const arrived = requests[n];
      return arrived ? Promise.resolve(arrived) : new Promise((resolve) => waiting.push({ n, resolve }));
    },
    close() {
      for (const exchange of open) exchange.endedHere = true;
      return new Promise((resolve) => {
        // A second close finds the server stopped already, which is what it wanted.
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function beyond(number: number, steps: number): string {
  return `the script has ${steps} ${steps === 1 ? 'step' : 'steps'} and this is request ${number + 1}`;
}

/** The whole body, or undefined when the client left while sending it. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of incoming) parts.push(part);
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString('utf8');
}
