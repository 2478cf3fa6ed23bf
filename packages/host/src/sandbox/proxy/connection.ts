/** One connection to the proxy, from its first byte: who it is, where it wants to go, whether it may, and the way there. */
import type { Socket } from 'node:net';
import { describeError, TauError } from '@tau/core';
import type { Surroundings } from '../../web/way.ts';
import { whyNot } from '../../web/why-not.ts';
import { type Destination, writeDestination } from './destination.ts';
import { type Hello, hello } from './hello.ts';
import { type HttpHead, readHttpHead, writeAnswer, writeRequest } from './http-head.ts';
import type { Verdict } from './judge.ts';
import {
  readGreeting,
  readLogin,
  readWish,
  type SocksReply,
  socksVersion,
  writeLogin,
  writeMethod,
  writeReply,
} from './socks.ts';
import { splice } from './splice.ts';
import { openUpstream, type Upstream } from './upstream.ts';

export interface Limits {
  /** Of a request head. */
  headBytes: number;
  /** From the first byte to the end of the head. */
  helloMs: number;
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  connections: number;
  connectionsEach: number;
  /** Different hosts that one command can have asked about. */
  hostsEach: number;
  /** Refusals of one command that are told. */
  refusalsEach: number;
}

const lingerMs = 2000;
const halfOpenMs = 2 * 60_000;

/** Who speaks, as far as it matters here. */
export interface Speaker {
  judge(to: Destination): Promise<Verdict>;
  /** Tells that it was not let through. */
  refuse(to: Destination, reason: string): void;
  /** False: it has too many connections already. Its connections end with it. */
  hold(socket: Socket): boolean;
  signal: AbortSignal;
}

export type Found =
  | { kind: 'speaker'; speaker: Speaker }
  /** Said nothing, and more than one could be it: it may what everybody may. */
  | { kind: 'nobody'; speaker: Speaker }
  /** Its credentials belong to no command that runs. */
  | { kind: 'unknown' };

export interface Surrounded {
  limits: Limits;
  world: Surroundings;
  find(credentials: string | undefined): Found;
}

/** Never rejects: what goes wrong ends the connection. */
export async function serveClient(socket: Socket, place: Surrounded): Promise<void> {
  const words = hello(socket, place.limits.helloMs);
  try {
    const first = await words.take((bytes) =>
      bytes[0] === undefined ? { kind: 'more' } : { kind: 'read', value: bytes[0], rest: 0 },
    );
    if (first === socksVersion) await serveSocks(socket, words, place);
    else await serveHttp(socket, words, place);
  } catch {
    // The client left in the middle of a word, or was too slow; there is nobody to tell.
    socket.destroy();
  }
}

async function serveHttp(socket: Socket, words: Hello, place: Surrounded): Promise<void> {
  const read = await words.take((bytes) => {
    const found = readHttpHead(bytes, place.limits.headBytes);
    if (found.kind === 'more') return found;
    return { kind: 'read', value: found, rest: found.kind === 'head' ? found.rest : 0 };
  });
  const rest = words.leave();
  const answer = (status: number, sentence: string, headers: Parameters<typeof writeAnswer>[2] = []) =>
    finish(socket, writeAnswer(status, sentence, headers));
  if (read.kind === 'bad') return answer(read.status, `${read.why}.`);

  const { head } = read;
  const who = place.find(head.credentials);
  if (who.kind === 'unknown')
    return answer(403, 'The sandbox refused: this proxy address is of a command that is over.');
  if (who.kind === 'nobody' && !(await who.speaker.judge(head.to)).allowed) {
    const challenge = { name: 'Proxy-Authenticate', value: 'Basic realm="tau"' };
    const sentence = 'Several commands run: use the whole proxy address of HTTP_PROXY, with its user and password.';
    return answer(407, sentence, [challenge]);
  }
  const way = await passage(socket, { to: head.to, plain: head.kind === 'request' }, who.speaker, place);
  switch (way.kind) {
    case 'refused':
      return answer(403, way.sentence);
    case 'failed':
      return answer(502, way.sentence);
    case 'crowded':
      return answer(503, way.sentence);
    case 'open':
      return passOn(socket, head, rest, way);
  }
}

/** From here on the bytes are the client's and the server's own. */
function passOn(socket: Socket, head: HttpHead, rest: Buffer, way: Open): void {
  const { socket: server, proxied } = way;
  const upload = head.kind === 'tunnel' || (head.upgrade && proxied === undefined) ? 'open' : head.body;
  const sent = upload === 'open' ? rest : rest.subarray(0, upload);
  if (head.kind === 'tunnel') socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  else server.write(writeRequest(head, { origin: proxied === undefined, ...(proxied && { added: proxied }) }));
  if (sent.length > 0) server.write(sent);
  splice(socket, way, upload === 'open' ? 'open' : upload - sent.length);
}

async function serveSocks(socket: Socket, words: Hello, place: Surrounded): Promise<void> {
  const offered = await words.take(orThrow(readGreeting));
  if (!offered.password && !offered.nothing) return finish(socket, writeMethod('none'));
  socket.write(writeMethod(offered.password ? 'password' : 'nothing'));
  const credentials = offered.password ? await words.take(orThrow(readLogin)) : undefined;
  const who = place.find(credentials);
  if (offered.password) {
    if (who.kind === 'unknown') return finish(socket, writeLogin(false));
    socket.write(writeLogin(true));
  }
  const { command, to } = await words.take(orThrow(readWish));
  const rest = words.leave();
  const answer = (reply: SocksReply) => finish(socket, writeReply(reply));
  if (command !== 'connect') return answer('unknownCommand');
  if (who.kind === 'unknown' || !to) return answer('notAllowed');
  const way = await passage(socket, { to, plain: false }, who.speaker, place);
  switch (way.kind) {
    case 'refused':
      return answer('notAllowed');
    case 'failed':
      return answer(way.reply);
    case 'crowded':
      return answer('failed');
    case 'open':
      socket.write(writeReply('done'));
      if (rest.length > 0) way.socket.write(rest);
      return splice(socket, way, 'open');
  }
}

type Open = Extract<Upstream, { kind: 'open' }>;
type Passage =
  | Open
  | { kind: 'refused' | 'crowded'; sentence: string }
  | { kind: 'failed'; sentence: string; reply: SocksReply };

/** Judges first: the name of a host that is not allowed is not even looked up. */
async function passage(
  socket: Socket,
  { to, plain }: { to: Destination; plain: boolean },
  speaker: Speaker,
  { limits, world }: Surrounded,
): Promise<Passage> {
  const where = writeDestination(to);
  const refused = (reason: string): Passage => {
    speaker.refuse(to, reason);
    return { kind: 'refused', sentence: `The sandbox refused ${where}: ${reason}.` };
  };
  if (!speaker.hold(socket)) {
    return { kind: 'crowded', sentence: `The sandbox refused ${where}: too many connections are open at once.` };
  }
  const verdict = await speaker.judge(to);
  if (!verdict.allowed) return refused(verdict.reason);
  const patience = AbortSignal.any([speaker.signal, AbortSignal.timeout(limits.connectMs)]);
  try {
    const way = await openUpstream(to, { plain, world, signal: patience });
    if (way.kind === 'private') return refused(privateReason(to, way.address));
    follow(socket, way, limits);
    return way;
  } catch (error) {
    const why = patience.aborted ? 'there was no connection in time' : whyNot(error);
    const sentence = error instanceof TauError ? describeError(error) : `Cannot connect to ${where}: ${why}.`;
    return { kind: 'failed', sentence, reply: replyOf(error) };
  }
}

/** Both ends die together, and of silence. */
function follow(socket: Socket, { socket: server }: Open, { idleMs }: Limits): void {
  socket.setTimeout(idleMs, () => socket.destroy());
  // Who has ended its side may be gone for good: a dead client looks the same.
  socket.once('end', () => socket.setTimeout(Math.min(idleMs, halfOpenMs)));
  if ('unref' in server && typeof server.unref === 'function') server.unref();
  if (socket.destroyed) server.destroy();
  else socket.once('close', () => server.destroy());
}

function privateReason({ host }: Destination, address: string): string {
  const inside = 'the servers of other commands in the sandbox are reached without a proxy';
  if (address === host) return `it is not a public address; ${inside}`;
  return `it leads to ${address}, which is not a public address, and only webFetch.privateHosts opens it`;
}

function replyOf(error: unknown): SocksReply {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ENETUNREACH') return 'noNetwork';
  return code === 'ENOTFOUND' || code === 'EHOSTUNREACH' ? 'noHost' : 'failed';
}

/** What a client said wrong ends the connection, as what it does not say does. */
function orThrow<Value>(
  read: (bytes: Buffer) => { kind: 'more' } | { kind: 'bad' } | { kind: 'read'; value: Value; rest: number },
) {
  return (bytes: Buffer) => {
    const found = read(bytes);
    if (found.kind === 'bad') throw new Error('this is not SOCKS5');
    return found;
  };
}

/** The last words. Reads what is still coming for a while, so that closing does not cut them off. */
function finish(socket: Socket, words: string | Buffer): void {
  socket.end(words);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
