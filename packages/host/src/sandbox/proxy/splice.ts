/** Two connections made one: bytes both ways at the pace of the slower, each end told on, and no end left open. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Upstream } from './upstream.ts';

type Open = Extract<Upstream, { kind: 'open' }>;

/** `upload`: how many bytes of the client belong there. What it sends beyond them is read and dropped. */
export function splice(
  client: Socket,
  { socket: server, pour }: Pick<Open, 'socket' | 'pour'>,
  upload: number | 'open',
): void {
  if (upload === 'open') client.pipe(server);
  else pipeSome(client, server, upload);
  if (pour) pour(client);
  else server.pipe(client);
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => other.destroy());
    // After its end a connection closes by itself when the other has ended too; before it, something broke.
    one.once('close', () => {
      if (!one.readableEnded || !one.writableFinished) other.destroy();
    });
  }
}

function pipeSome(from: Duplex, to: Duplex, bytes: number): void {
  let room = bytes;
  from.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, room);
    room -= part.length;
    if (part.length === 0 || to.write(part)) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
  from.once('end', () => to.end());
}
