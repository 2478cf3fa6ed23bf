/** What changes outside while the app waits: it follows without being asked. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Sandbox } from '@tau/testkit';
import { expect, test } from 'vitest';
import { converse, says } from '../conversation.ts';
import { openApp } from './at-screen.ts';
import { keys } from './desk.ts';

const gitIn =
  ({ project: cwd }: Pick<Sandbox, 'project'>) =>
  (...args: string[]) =>
    execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: cwd } });

test('a branch switched in another window and keys saved in an editor count at once', async () => {
  const scene = await converse([says('one')]);
  const { tauHome, write } = scene;
  const git = gitIn(scene);
  git('init', '-q', '-b', 'before');
  const app = openApp(scene);
  await app.shows('before');
  git('symbolic-ref', 'HEAD', 'refs/heads/after');
  await app.shows('after');
  expect(app.screen()).not.toContain('before');
  write(join(tauHome, 'keybindings.json'), '{ "app.help": "alt+h" }');
  await app.shows('The keys are read again');
  app.type('\u001bh');
  await app.shows('Write what you want and press Enter');
  app.type(`q${keys.ctrlD}`);
  expect(await app.done).toBe(0);
});

test('a branch that is switched between the first look and the watching is seen too', async () => {
  const scene = await converse([]);
  gitIn(scene)('init', '-q', '-b', 'before');
  // Loaded before tau: it is switched when tau is about to watch.
  scene.write(
    'switch.cjs',
    `const fs = require('node:fs');
    const { watch } = fs;
    fs.watch = (folder, ...rest) => {
      if (folder.endsWith('/.git')) fs.writeFileSync(folder + '/HEAD', 'ref: refs/heads/after\\n');
      return watch(folder, ...rest);
    };
    require('node:module').syncBuiltinESMExports();`,
  );
  const app = openApp(scene, [], { NODE_OPTIONS: `--require ${join(scene.project, 'switch.cjs')}` });
  await app.shows('⎇ after');
  app.type(keys.ctrlD);
  expect(await app.done).toBe(0);
});
