/** tau in a container without a privilege of its own, made here as container programs make them: the sandbox works inside, or says why not. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  expect(doctor.stdout).toMatch(/^ok\s+Sandbox\s+bubblewrap /m);
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

test('keys are hidden in the home of the list of users too, whatever HOME says', async () => {
  const scene = await converse([work, says('done')], contained);
  const account = join(scene.home, 'account');
  scene.write(join(account, '.ssh/id'), 'key of the account');
  scene.write(join(scene.home, 'users'), `root:x:0:0::${account}:/bin/sh\n`);
  scene.write('work.sh', 'cat ~root/.ssh/id; echo ~root');
  await scene.tau(['-p', 'go'], { within: container('mount --bind "$HOME/users" /etc/passwd') });
  const told = resultsIn(request(scene.model, 1))[0]?.text;
  expect(told).toContain(account);
  expect(told).not.toContain('key of the account');
});

test('a key is hidden at every place where its folder is mounted', async () => {
  const scene = await converse([work, says('done')], contained);
  scene.write(join(scene.home, '.ssh/id'), 'key at home');
  scene.write(join(scene.home, 'plain'), 'seen again');
  const again = ['again', 'keys'].map((name) => join(scene.home, name));
  for (const folder of again) mkdirSync(folder);
  scene.write('work.sh', 'cat ~/.ssh/id ~/again/.ssh/id ~/keys/id; cat ~/again/plain');
  const mounts = 'mount --bind "$HOME" "$HOME/again" && mount --bind "$HOME/.ssh" "$HOME/keys"';
  await scene.tau(['-p', 'go'], { within: container(mounts) });
  const told = resultsIn(request(scene.model, 1))[0]?.text;
  expect(told).toContain('seen again');
  expect(told).not.toContain('key at home');
});

/** Before tau's own words: as a user without rights, in the same mounts. */
const users = { root: [], ordinary: ['unshare', '--user', '--map-user=1000', '--map-group=1000'] };

test.each(Object.entries(users))(
  'what is mounted on the machine while a command runs is not seen by it, as %s',
  async (_, user) => {
    const scene = await converse([work, says('done')], contained);
    const late = join(scene.home, 'late');
    mkdirSync(late);
    scene.write(
      'work.sh',
      'touch up; until [ -e go ]; do sleep 0.02; done; cat ~/late/file; echo x > ~/late/made || echo kept out; ls ~/late',
    );
    const mounter = [
      `cd '${scene.project}'; until [ -e up ]; do sleep 0.02; done`,
      `mount -t tmpfs -o mode=1777 late '${late}'; echo came later > '${late}/file'; touch go`,
    ].join('; ');
    const machine = ['--user', '--map-root-user', '--mount', '--propagation', 'shared'];
    const within = [
      'unshare',
      ...machine,
      'bash',
      '-c',
      `(${mounter}) </dev/null >/dev/null 2>&1 & exec "$@"`,
      'machine',
    ];
    await scene.tau(['-p', 'go'], { within: [...within, ...user] });
    const told = resultsIn(request(scene.model, 1))[0]?.text;
    expect(told).toContain('kept out');
    expect(told).not.toMatch(/came later|^made$|^file$/m);
  },
);

test('where later mounts cannot be kept out, commands run all the same, and doctor says so', async () => {
  const scene = await converse([work, says('done')], contained);
  const unshare = join(scene.home, 'programs/unshare');
  scene.write(unshare, '#!/bin/sh\necho "unshare: Operation not permitted" >&2; exit 1\n');
  chmodSync(unshare, 0o755);
  const env = { PATH: `${dirname(unshare)}:${process.env.PATH}` };
  scene.write('work.sh', 'echo ran');
  await scene.tau(['-p', 'go', '--sandbox'], { env });
  expect(resultsIn(request(scene.model, 1))[0]?.text).toBe('ran');
  expect((await scene.tau(['doctor'], { env })).stdout).toMatch(
    /Sandbox mounts +no unshare that works[^→]*→ Install util-linux/,
  );
  expect((await scene.tau(['doctor'])).stdout).not.toContain('Sandbox mounts');
});
