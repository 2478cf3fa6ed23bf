/** tau, or the whole machine, stands still while a command ends: what was said meanwhile is heard, though the time is over. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readStatus } from '../src/sandbox/bubblewrap/status.ts';
import type { Violation } from '../src/sandbox/sandbox.ts';
import { readWitness } from '../src/sandbox/witness/reports.ts';

async function openPipe(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    for (const one of [near, far]) one.destroy();
    server.close();
  });
  return { near, far };
}

/** For longer than anybody waits, with this to be read; what comes next are the timers. */
function standStill(far: Socket, text: string): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      far.write(`${text}\n`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      resolve();
    });
  });
}

test('that the command began', async () => {
  const { near, far } = await openPipe();
  const status = readStatus(near);
  const { ended } = status;
  await standStill(far, '{ "exit-code": 0 }');
  await ended;
  expect([status.began(), status.succeeded()]).toEqual([true, true]);
});

test('what was refused', async () => {
  const { near, far } = await openPipe();
  const heard: Violation[] = [];
  const { ended } = readWitness(near, (violation) => heard.push(violation));
  await standStill(far, 'call ptrace');
  await ended;
  expect(heard).toEqual([{ what: 'call', call: 'ptrace' }]);
});
