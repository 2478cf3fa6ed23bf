/** tau in a container without a privilege of its own, made here as container programs make them: the sandbox works inside, or says why not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';

/** Its own users, mounts, processes and names. `before` is done in it first. */
function container(before = ':'): string[] {
  const spaces = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
  return ['unshare', ...spaces, '--mount-proc', 'bash', '-c', `${before} && exec "$@"`, 'container'];
}

/** What most of them do with parts of /proc; whoever sees only parts may not mount the whole. */
const masked = container('mount -t tmpfs none /proc/bus');

const work = calls(call('bash', { command: 'sh work.sh' }));
const writes = 'echo in > made; echo out > "$HOME/made" || echo kept out';
const contained = { contained: true, settings: { permissionMode: 'auto' } };

test('where the kernel allows it, commands are contained in a container too', async () => {
  const scene = await converse([work, says('done')], contained);
  scene.write('work.sh', writes);
  const run = await scene.tau(['-p', 'go', '--output-format', 'stream-json'], { within: container() });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const start = run.events().find(({ type }) => type === 'agent_start');
  expect(start?.sandbox).toEqual({ on: true, backend: 'bubblewrap' });
  expect(resultsIn(request(scene.model, 1))[0]?.text).toMatch(/kept out\n.*The sandbox refused: write .*\/home\/made/s);
  expect([existsSync(join(scene.project, 'made')), existsSync(join(scene.home, 'made'))]).toEqual([true, false]);
  const doctor = await scene.tau(['doctor'], { within: container() });
  expect(doctor.stdout).toMatch(/sandbox.*bubblewrap/i);
});

test('where parts of /proc are hidden, nothing runs that was to be contained, and the way to one is told', async () => {
  const scene = await converse([says('ready'), work, says('done')], contained);
  scene.write('work.sh', writes);
  // What was found out beside the container, with the same home, does not count in it.
  const beside = await scene.tau(['-p', 'go', '--sandbox']);
  expect(beside).toMatchObject({ code: 0, stderr: '' });
  const run = await scene.tau(['-p', 'go', '--sandbox', '--allow', 'bash'], { within: masked });
  expect(resultsIn(request(scene.model, 2))[0]?.text).toMatch(
    /^Not run: commands run in a sandbox or not at all: .*mount proc/,
  );
  expect(run.stderr).toContain('systempaths=unconfined');
  expect(existsSync(join(scene.project, 'made'))).toBe(false);
  const doctor = await scene.tau(['doctor'], { within: masked });
  expect(doctor.stdout).toMatch(/mount proc[\s\S]*systempaths=unconfined/);
});
