/**
 * Bytes of a server on their way to a client, through one piece of memory that is used again for each read: a download is
 * what the proxy carries most of, and a new piece for every read would cost as much as the copying itself.
 */
import type { Socket } from 'node:net';

/** Untouched memory costs nothing: of a short answer only the beginning is used. */
const bytes = 512 * 1024;

export interface Pour {
  /** For the options of the connection that is read from. */
  onread: { buffer: Uint8Array; callback(count: number, buffer: Uint8Array): boolean };
  /** From here on it goes there. What came before is kept until then. */
  into(from: Socket, to: Socket): void;
}

export function pour(): Pour {
  let way: { from: Socket; to: Socket } | undefined;
  let early: Buffer | undefined;
  let waits = false;
  const written = () => {
    if (!waits) return;
    waits = false;
    way?.from.resume();
  };
  return {
    onread: {
      buffer: Buffer.allocUnsafeSlow(bytes),
      callback(count, buffer) {
        const chunk = buffer.subarray(0, count);
        if (!way) {
          early = Buffer.from(chunk);
          return false;
        }
        way.to.write(chunk, written);
        // What the system has not taken yet is still in that memory.
        waits = way.to.writableLength > 0;
        return !waits;
      },
    },
    into(from, to) {
      way = { from, to };
      if (early) to.write(early);
      if (from.readableEnded) to.end();
      else from.once('end', () => to.end()).resume();
    },
  };
}
