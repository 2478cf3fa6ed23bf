/** SOCKS5 as bytes (RFC 1928, and RFC 1929 for the name and password): what a client says, and the proxy's answers. */
import { type Destination, readDestination } from './destination.ts';

type Read<Value> = { kind: 'more' } | { kind: 'bad' } | { kind: 'read'; value: Value; rest: number };

export const socksVersion = 5;

/** The ways a client offers to say who it is. */
export function readGreeting(bytes: Buffer): Read<{ password: boolean; nothing: boolean }> {
  const [version, count] = bytes;
  if (version !== undefined && version !== socksVersion) return { kind: 'bad' };
  if (count === undefined || bytes.length < 2 + count) return { kind: 'more' };
  const methods = bytes.subarray(2, 2 + count);
  return { kind: 'read', value: { password: methods.includes(2), nothing: methods.includes(0) }, rest: 2 + count };
}

/** As `user:password`. */
export function readLogin(bytes: Buffer): Read<string> {
  const [version, nameLength] = bytes;
  if (version !== undefined && version !== 1) return { kind: 'bad' };
  if (nameLength === undefined) return { kind: 'more' };
  const passwordLength = bytes[2 + nameLength];
  if (passwordLength === undefined) return { kind: 'more' };
  const rest = 3 + nameLength + passwordLength;
  if (bytes.length < rest) return { kind: 'more' };
  const name = bytes.toString('latin1', 2, 2 + nameLength);
  return { kind: 'read', value: `${name}:${bytes.toString('latin1', 3 + nameLength, rest)}`, rest };
}

/** Who waits for connections or sends datagrams wishes something `other`. `to` undefined: no connection can mean it. */
export function readWish(bytes: Buffer): Read<{ command: 'connect' | 'other'; to: Destination | undefined }> {
  const [version, command, reserved, type] = bytes;
  if ((version ?? socksVersion) !== socksVersion || (reserved ?? 0) !== 0) return { kind: 'bad' };
  if (type === undefined) return { kind: 'more' };
  const named = type === 3;
  const length = named ? bytes[4] : { 1: 4, 4: 16 }[type];
  if (length === undefined) return named ? { kind: 'more' } : { kind: 'bad' };
  const from = named ? 5 : 4;
  const rest = from + length + 2;
  if (bytes.length < rest) return { kind: 'more' };
  const address = bytes.subarray(from, from + length);
  const host = named ? address.toString('latin1') : addressText(address);
  const to = readDestination(host, bytes.readUInt16BE(from + length));
  return { kind: 'read', value: { command: command === 1 ? 'connect' : 'other', to }, rest };
}

const replies = {
  done: 0,
  failed: 1,
  notAllowed: 2,
  noNetwork: 3,
  noHost: 4,
  refused: 5,
  unknownCommand: 7,
} as const;

export type SocksReply = keyof typeof replies;

/** The address in it is the proxy's end of the connection, which nobody needs to know. */
export function writeReply(reply: SocksReply): Buffer {
  return Buffer.from([socksVersion, replies[reply], 0, 1, 0, 0, 0, 0, 0, 0]);
}

export function writeMethod(method: 'password' | 'nothing' | 'none'): Buffer {
  return Buffer.from([socksVersion, { password: 2, nothing: 0, none: 255 }[method]]);
}

export function writeLogin(known: boolean): Buffer {
  return Buffer.from([1, known ? 0 : 1]);
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}
