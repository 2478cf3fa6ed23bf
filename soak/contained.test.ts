/** A thousand contained commands, several at a time, leave nothing behind. SOAK_CONTAINED: how many. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { localHost } from '../packages/host/src/index.ts';
import { findSandbox, openSandbox } from '../packages/host/src/sandbox/open.ts';
import { makePlace, processesOf } from '../packages/host/test/contained.ts';
import { amount, report } from './amount.ts';

const commands = [
  'echo a',
  'sleep 100 &',
  '(setsid sh -c "sleep 100" >/dev/null 2>&1 &)',
  'mkdir .git .tau; exit 1',
  'echo x > f$$; rm f$$; echo t > /tmp/t',
  'kill -9 $$',
  'trap "" TERM; sleep 100',
];

test('a thousand contained commands leave no process, no mount and no file behind', async () => {
  const wanted = amount('SOAK_CONTAINED', 1000);
  const place = makePlace();
  onTestFinished(place.dispose);
  const temp = join(place.root, 'tmp');
  mkdirSync(temp);
  vi.stubEnv('TMPDIR', temp);
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { PATH: process.env.PATH, TAU_PLACE: place.root };
  const found = await findSandbox({ env, project: place.project });
  if (!found.works) throw new Error(found.reason);
  const host = localHost({ cwd: place.project, env, sandbox: async () => openSandbox(found.facts, { env }) });
  const contain = {
    writable: [place.project],
    readOnly: ['.git', '.tau'].map((name) => join(place.project, name)),
    unreadable: [],
    network: 'none' as const,
  };
  const run = (index: number) =>
    host.processes.run({
      command: commands[index % commands.length] ?? 'true',
      // Now and then it is stopped in the middle, whatever it does.
      timeoutMs: index % 10 === 9 ? index % 37 : 200,
      signal: new AbortController().signal,
      onOutput() {},
      onViolation() {},
      contain: { ...contain, witness: index % 3 === 0 },
    });
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const open = () => readdirSync('/proc/self/fd').length;
  await run(0);
  const descriptors = open();
  const started = Date.now();
  for (let done = 0; done < wanted; done += 4) await Promise.all([0, 1, 2, 3].map((more) => run(done + more)));
  const tookMs = Date.now() - started;
  // What a command had made itself when it was stopped in the middle is its work, and nobody takes it away.
  expect(readdirSync(place.project).filter((name) => !/^f\d+$/.test(name))).toEqual([]);
  expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(mounts);
  await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(descriptors + 2), { timeout: 5000 });
  await host.processes.end();
  expect(readdirSync(temp)).toEqual([]);
  await vi.waitFor(() => expect(processesOf(place)).toEqual([]), { timeout: 5000 });
  report('contained', { commands: wanted, msEach: Math.round((10 * tookMs) / wanted) / 10 });
});
