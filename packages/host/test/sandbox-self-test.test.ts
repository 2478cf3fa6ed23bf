/** Whether there is a sandbox is found out by trying it, and the answer says what to do. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { findSandbox } from '../src/sandbox/open.ts';
import { makePlace } from './contained.ts';

let bin: string;
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'tau-bin-'));
});
afterEach(() => rmSync(bin, { recursive: true, force: true }));

function program(name: string, text: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, name), 0o755);
}

const find = (project = '/nowhere') =>
  findSandbox({ env: { PATH: `${bin}:${process.env.PATH}` }, project, backend: 'bubblewrap' });

test('here it works, and leaves nothing behind', async () => {
  // Its own: others try it at the same time, in the temporary folder of the machine.
  const temp = join(bin, 'tmp');
  mkdirSync(temp);
  vi.stubEnv('TMPDIR', temp);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await find()).toMatchObject({
    works: true,
    facts: { backend: 'bubblewrap', canLimitMemory: expect.any(Boolean) },
  });
  expect(readdirSync(temp)).toEqual([]);
});

test('a socket of somebody else that is gone when the sandbox is made is no reason against it', async () => {
  const place = makePlace();
  onTestFinished(() => place.dispose());
  const socket = join(place.outside, 'agent.sock');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const real = await find();
  if (!real.works || real.facts.backend !== 'bubblewrap') throw new Error('there is no bubblewrap here');
  program('bwrap', `[ "$1" = --version ] || rm -f ${socket}; exec ${real.facts.path} "$@"`);
  expect(await find()).toMatchObject({ works: true, facts: { perl: real.facts.perl, unshare: real.facts.unshare } });
});

test.each([
  ['that contains nothing', 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"', /can be written/],
  ['that is not allowed to', 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1', /uid map/],
  ['that says nothing', 'exit 1', /without a word/],
])('a program %s is not trusted', async (_, text, reason) => {
  program('bwrap', `[ "$1" = --version ] && { echo bubblewrap 0.9.0; exit; }; ${text}`);
  const found = await find();
  expect(found).toMatchObject({
    works: false,
    reason: expect.stringMatching(reason),
    remedy: expect.stringMatching(/./),
  });
});

test('a program that is too old is not used, and one of the project never', async () => {
  program('bwrap', 'echo bubblewrap 0.3.1');
  expect(await find()).toMatchObject({ works: false, reason: expect.stringMatching(/too old/) });
  expect(await find(bin)).toMatchObject({ works: true });
});

test('an unshare that does not work is not used, and the sandbox works without it', async () => {
  expect(await find()).toMatchObject({ works: true, facts: { unshare: expect.stringMatching(/unshare$/) } });
  program('unshare', 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1');
  const found = await find();
  expect(found.works && found.facts).toMatchObject({ backend: 'bubblewrap' });
  expect(found.works && found.facts).not.toHaveProperty('unshare');
});

test('a witness that does not work is none, and the sandbox works without it', async () => {
  program('perl', 'while [ "$1" != -- ]; do shift; done; shift 6; exec "$@"');
  const found = await find();
  expect(found.works && found.facts).toMatchObject({ backend: 'bubblewrap' });
  expect(found.works && found.facts).not.toHaveProperty('perl');
});
