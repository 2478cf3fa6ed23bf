/** The first words of a connection, read step by step, within a time for all of them. */
import type { Socket } from 'node:net';

type Step<Value> = { kind: 'more' } | { kind: 'read'; value: Value; rest: number };

export interface Hello {
  /** Reads on until the step has what it needs. Rejects when the client leaves or is too slow. */
  take<Value>(step: (bytes: Buffer) => Step<Value>): Promise<Value>;
  /** What came after the steps. The connection is somebody else's to read from now on. */
  leave(): Buffer;
}

export function hello(socket: Socket, timeoutMs: number): Hello {
  let bytes = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs).unref();
  socket.once('close', () => clearTimeout(timer));

  return {
    async take(step) {
      for (;;) {
        const found = step(bytes);
        if (found.kind === 'read') {
          bytes = bytes.subarray(found.rest);
          return found.value;
        }
        bytes = Buffer.concat([bytes, await nextChunk(socket)]);
      }
    },
    leave() {
      clearTimeout(timer);
      return bytes;
    },
  };
}

function nextChunk(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (chunk?: Buffer) => {
      socket.off('readable', look).off('end', left).off('close', left);
      if (chunk) resolve(chunk);
      else reject(new Error('the client left'));
    };
    const look = () => {
      const chunk: Buffer | null = socket.read();
      if (chunk) done(chunk);
    };
    const left = () => done();
    socket.on('readable', look).once('end', left).once('close', left);
    if (socket.destroyed || socket.readableEnded) left();
    else look();
  });
}
