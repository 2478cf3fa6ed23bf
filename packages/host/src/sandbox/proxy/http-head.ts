/**
 * The head of a request to the proxy, read strictly: what two readers could understand in two ways is refused. After it
 * every byte belongs to the one destination that it names, so nothing behind it can lead elsewhere.
 */
import { type Destination, readAuthority, readDestination, writeDestination } from './destination.ts';

export interface Header {
  name: string;
  value: string;
}

export interface HttpHead {
  /** `tunnel` is CONNECT. */
  kind: 'tunnel' | 'request';
  method: string;
  to: Destination;
  /** Of a request, from the path on. */
  path: string;
  headers: readonly Header[];
  /** How many bytes of the request follow; `open`: its own words say where it ends. */
  body: number | 'open';
  /** It asks for another protocol. Where it gets one, everything behind it is open too. */
  upgrade: boolean;
  /** What came in `Proxy-Authorization: Basic`, as `user:password`. */
  credentials: string | undefined;
}

export type ReadHead =
  | { kind: 'more' }
  | { kind: 'bad'; status: number; why: string }
  /** `rest`: where in the bytes it ended. */
  | { kind: 'head'; head: HttpHead; rest: number };

const maxHeaders = 100;
const end = '\r\n\r\n';

/** `maxBytes` is what a head may have; a longer one is refused, whether or not it ends. */
export function readHttpHead(bytes: Buffer, maxBytes: number): ReadHead {
  const at = bytes.subarray(0, maxBytes).indexOf(end);
  if (at < 0) return bytes.length < maxBytes ? { kind: 'more' } : bad('The request head is too long', 431);
  const [first = '', ...lines] = bytes.toString('latin1', 0, at).split('\r\n');
  const headers = readHeaders(lines);
  if (!headers) return bad('The request head has a line that is not a header');
  const [, method = '', target = '', version] = /^([A-Z]{1,20}) ([\x21-\x7e]+) HTTP\/1\.([01])$/.exec(first) ?? [];
  if (version === undefined) return bad('The request line is not HTTP/1.1');
  const hosts = valuesOf(headers, 'host');
  if (hosts.length > 1) return bad('The request names more than one Host');
  const body = bodyOf(headers);
  if (body === undefined) return bad('The request says in two ways how long it is');
  const parts = method === 'CONNECT' ? readTunnel(target) : readAddress(target);
  if (typeof parts === 'string') return bad(parts);
  const credentials = readCredentials(valuesOf(headers, 'proxy-authorization'));
  const upgrade = valuesOf(headers, 'upgrade').length > 0;
  return { kind: 'head', head: { method, headers, body, upgrade, credentials, ...parts }, rest: at + end.length };
}

/**
 * `origin`: to the server itself; otherwise to another proxy, which wants the whole address. That one is asked for no other
 * protocol: it would keep the connection, and serve whatever request comes next.
 */
export function writeRequest(
  { method, to, path, headers, upgrade: asked }: HttpHead,
  { origin, added = [] }: { origin: boolean; added?: readonly Header[] },
): string {
  const host = to.port === 80 ? writeDestination(to).replace(/:80$/, '') : writeDestination(to);
  const upgrade = asked && origin;
  const named = valuesOf(headers, 'connection').flatMap((value) => value.toLowerCase().split(/\s*,\s*/));
  const dropped = new Set([...named, 'host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization']);
  if (upgrade) dropped.delete('upgrade');
  else for (const name of ['upgrade', 'http2-settings']) dropped.add(name);
  // How long the request is must stay known, whoever calls it a matter of the connection.
  for (const name of ['content-length', 'transfer-encoding']) dropped.delete(name);
  const kept = headers.filter(({ name }) => !dropped.has(name.toLowerCase()));
  const lines = [
    `${method} ${origin ? path : `http://${host}${path}`} HTTP/1.1`,
    // The judged destination, whatever Host the command wrote.
    `Host: ${host}`,
    ...[...kept, ...added].map(({ name, value }) => `${name}: ${value}`),
    `Connection: ${upgrade ? 'upgrade' : 'close'}`,
  ];
  return `${lines.join('\r\n')}${end}`;
}

/** An answer of the proxy itself: the sentence is its reason phrase, for who shows only that, and its body. */
export function writeAnswer(status: number, sentence: string, headers: readonly Header[] = []): string {
  const line = sentence.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300);
  return [
    `HTTP/1.1 ${status} ${line}`,
    'Content-Type: text/plain',
    `Content-Length: ${line.length + 1}`,
    'Connection: close',
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    '',
    `${line}\n`,
  ].join('\r\n');
}

function readHeaders(lines: readonly string[]): Header[] | undefined {
  if (lines.length > maxHeaders) return undefined;
  const headers: Header[] = [];
  for (const line of lines) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    headers.push({ name, value: value.trimEnd() });
  }
  return headers;
}

function readTunnel(target: string): string | { kind: 'tunnel'; to: Destination; path: string } {
  const to = readAuthority(target);
  return to ? { kind: 'tunnel', to, path: '' } : 'CONNECT wants host:port';
}

function readAddress(target: string): string | { kind: 'request'; to: Destination; path: string } {
  const [, authority = '', path = ''] = /^http:\/\/([^/?#\\]+)([^#\\]*)$/i.exec(target) ?? [];
  if (authority === '') return 'The proxy wants CONNECT host:port, or a request for http://host/path';
  if (authority.includes('@')) return 'A user name or password in an address is not sent';
  const to = readAuthority(authority) ?? (/:\d*$/.test(authority) ? undefined : readDestination(authority, 80));
  if (!to) return 'The address names no host';
  return { kind: 'request', to, path: path.startsWith('/') ? path : `/${path}` };
}

function bodyOf(headers: readonly Header[]): number | 'open' | undefined {
  const lengths = valuesOf(headers, 'content-length');
  const codings = valuesOf(headers, 'transfer-encoding');
  if (lengths.length + codings.length > 1) return undefined;
  const [coding] = codings;
  if (coding !== undefined) return coding.toLowerCase() === 'chunked' ? 'open' : undefined;
  const [length = '0'] = lengths;
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function readCredentials(values: readonly string[]): string | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(values[0] ?? '') ?? [];
  return encoded === undefined || values.length > 1 ? undefined : Buffer.from(encoded, 'base64').toString('latin1');
}

function valuesOf(headers: readonly Header[], name: string): string[] {
  return headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value);
}

function bad(why: string, status = 400): ReadHead {
  return { kind: 'bad', status, why };
}
