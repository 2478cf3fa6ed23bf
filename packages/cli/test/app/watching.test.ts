/** What changes outside while the app waits: it follows without being asked. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { converse, says } from '../conversation.ts';
import { openApp } from './at-screen.ts';
import { keys } from './desk.ts';

test('a branch switched in another window and keys saved in an editor count at once', async () => {
  const scene = await converse([says('one')]);
  const { tauHome, write, project: cwd } = scene;
  const git = (...args: string[]) => execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: cwd } });
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
