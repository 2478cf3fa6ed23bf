/** What stands in a project while commands run contained, so that nobody makes it: gone afterwards, and never taken for real. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, resultsIn, says } from './conversation.ts';

const contained = { contained: true, settings: { permissionMode: 'auto' } };
const bash = (command: string, more: object = {}) => calls(call('bash', { command, ...more }));
const background = { background: true };

test('two commands at once leave no repository behind, whichever ends first', async () => {
  const scene = await converse(
    [bash('sh first.sh', background), bash('sh second.sh'), bash('sh third.sh', background), says('done')],
    contained,
  );
  scene.write('first.sh', 'until [ -e go ]; do sleep 0.02; done; touch over');
  // What stood there for the first is let go of while the second runs on.
  scene.write('second.sh', 'touch go; until [ -e over ]; do sleep 0.02; done; sleep 1; ls -A .git');
  scene.write('third.sh', 'sleep 60');
  const run = await scene.tau(['-p', 'go']);
  expect(run.code).toBe(0);
  const last = scene.model.requests.at(-1);
  expect(last && resultsIn(last)[1]?.text).not.toMatch(/hooks/);
  // What the third needed is cleared by the helper, a moment after tau has ended it.
  const names = () => readdirSync(scene.project).sort();
  await expect.poll(names).toEqual(['first.sh', 'go', 'over', 'second.sh', 'third.sh']);
});

test('nor do they when tau is killed', async () => {
  const scene = await converse([bash('sh wait.sh one', background), bash('sh wait.sh two')], contained);
  scene.write('wait.sh', 'touch $1; sleep 60');
  const run = scene.start(['-p', 'go']);
  const names = () => readdirSync(scene.project).sort();
  await expect.poll(names).toEqual(['.git', '.tau', 'one', 'two', 'wait.sh']);
  run.kill('SIGKILL');
  await run.done;
  await expect.poll(names).toEqual(['one', 'two', 'wait.sh']);
});

test('one command makes no repository of what stands there for another, and git runs nothing of it', async () => {
  const scene = await converse(
    [
      bash('sh wait.sh', background),
      bash('bash evil.sh', background),
      bash('until [ -e tried ]; do sleep 0.02; done; touch go'),
      says('done'),
    ],
    contained,
  );
  const { write, home, project } = scene;
  const proof = join(home, 'proof');
  write('wait.sh', 'until [ -e go ]; do sleep 0.02; done');
  write(
    'evil.sh',
    `mkdir .git/objects .git/refs; echo 'ref: refs/heads/main' > .git/HEAD; exec 9<.git
printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=touch %s;false\\n' "${proof}" > /dev/fd/9/config
touch tried`,
  );
  await scene.tau(['-p', 'go']);
  // What the first needed is cleared by the helper, if tau has ended before it.
  await expect.poll(() => existsSync(join(project, '.git'))).toBe(false);
  const git = () =>
    execFileSync('git', ['status'], { cwd: project, stdio: 'pipe', env: { ...process.env, HOME: home } });
  expect(git).toThrow();
  expect(existsSync(proof)).toBe(false);
});

test('where home is the project and a folder in it is a link, what is guarded behind it stays, and so does the link', async () => {
  const scene = await converse([bash('sh w.sh'), says('one')], contained);
  const { write, read, home } = scene;
  write(join(home, 'dotfiles/config/nvim/init.lua'), 'mine');
  symlinkSync('dotfiles/config', join(home, '.config'));
  write(
    join(home, 'w.sh'),
    `echo evil > .config/nvim/init.lua; mkdir -p .config/fish; mkdir dotfiles/config/autostart
mkdir dotfiles/config/other && echo works > dotfiles/config/other/file
rm .config; mkdir -p .config/nvim; echo evil > .config/nvim/init.lua; mv dotfiles old; true`,
  );
  expect((await scene.tau(['-p', 'go'], { cwd: home })).code).toBe(0);
  expect(readlinkSync(join(home, '.config'))).toBe('dotfiles/config');
  expect(read(join(home, '.config/nvim/init.lua'))).toBe('mine');
  expect(readdirSync(join(home, 'dotfiles/config')).sort()).toEqual(['nvim', 'other']);
  expect(read(join(home, 'dotfiles/config/other/file'))).toBe('works\n');
});
