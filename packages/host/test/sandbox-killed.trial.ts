/** tau is killed while a sandbox is being made, at many instants: nobody goes on without it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testBubblewrap } from '../src/sandbox/bubblewrap/self-test.ts';
import { makePlace, type Place, processesOf } from './contained.ts';
import { bundleScript } from './script.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.dispose());

test('whoever was just about to be contained ends with tau too', async () => {
  const found = await testBubblewrap({ PATH: process.env.PATH }, '/nowhere');
  if (!found.works) throw new Error(found.reason);
  const { project, root } = place;
  const owner = await bundleScript(
    root,
    `const { openSandbox } = await import(${JSON.stringify(join(import.meta.dirname, '../src/sandbox/open.ts'))});
     const env = { PATH: process.env.PATH, TAU_PLACE: ${JSON.stringify(root)} };
     const facts = ${JSON.stringify(found.facts)};
     const inside = localHost({ cwd: ${JSON.stringify(project)}, env, sandbox: async () => openSandbox(facts, { env }) });
     const contain = { writable: [${JSON.stringify(project)}], readOnly: [], unreadable: [], network: 'none', witness: process.argv[3] === 'true' };
     const run = (command) => inside.processes.run({ command, timeoutMs: 60000, signal: new AbortController().signal, onOutput() {}, contain });
     await run('true');
     void run('sleep 60; echo late > late');
     const until = process.hrtime.bigint() + BigInt(process.argv[2]) * 1000n;
     const die = () => (process.hrtime.bigint() > until ? process.kill(process.pid, 'SIGKILL') : setImmediate(die));
     die();`,
  );
  const instants = Array.from({ length: 24 }, (_, index) => index * 700);
  for (const [index, instant] of instants.entries()) {
    const child = spawn(process.execPath, [owner, String(instant), String(index % 2 === 0)], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('close', resolve));
    expect(child.signalCode).toBe('SIGKILL');
  }
  await expect.poll(() => processesOf(place)).toEqual([]);
  expect(existsSync(join(project, 'late'))).toBe(false);
});
