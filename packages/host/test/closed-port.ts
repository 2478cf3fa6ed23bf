/** Where nobody listens, and nobody begins to: a port that was only let go is given to the next server that starts. */
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** The near end of a connection, held until the test is over: taken, and not listened at. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Bound first, so that it is none of the ports from which others call: who called it from itself would be answered.
  const near = connect({ port: portOf(server), host: '127.0.0.1', localAddress: '127.0.0.1' });
  await new Promise<void>((resolve, reject) => near.once('connect', resolve).once('error', reject));
  onTestFinished(async () => {
    near.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return near.localPort ?? 0;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
