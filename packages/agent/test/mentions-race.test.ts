/** Files the user hands over beside a process that swaps their folder for a link to keys: no key is ever attached. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '@tau/core';
import { expect, test } from 'vitest';
import { says, workbench } from './workbench.ts';

/** Swaps a folder for a link and back until it is killed. */
const swapper = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
  const [dir, outside] = process.argv.slice(1);
  const rest = new Int32Array(new SharedArrayBuffer(4));
  const end = Date.now() + 60000;
  process.stdout.write('ready');
  while (Date.now() < end) {
    renameSync(dir, dir + '-away');
    symlinkSync(outside, dir);
    Atomics.wait(rest, 0, 0, Math.random());
    unlinkSync(dir);
    renameSync(dir + '-away', dir);
    Atomics.wait(rest, 0, 0, Math.random());
  }
`;

test('what was judged to be in the project is attached from there, or not at all', async () => {
  const { agent, project, home, write } = await workbench([says('ok')]);
  write('dir/a.txt', 'inside');
  mkdirSync(join(home, '.ssh'));
  for (const name of ['a.txt', 'id_secret']) write(join(home, '.ssh', name), 'the-secret');
  const other = spawn(process.execPath, ['-e', swapper, join(project, 'dir'), join(home, '.ssh')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => other.once('exit', resolve));
  await new Promise((resolve) => other.stdout.once('data', resolve));
  const given = new Set<string>();
  const why = new Set<string>();
  try {
    for (let round = 0; round < 300; round++) {
      const { attachments, left } = await agent.expandMentions('@dir/a.txt and @dir');
      for (const block of attachments) given.add(JSON.stringify(block));
      for (const one of left) why.add(one);
      await agent.attach('dir/a.txt').then(
        (blocks) => given.add(JSON.stringify(blocks)),
        (error: unknown) => why.add(describeError(error)),
      );
    }
  } finally {
    other.kill('SIGKILL');
    await gone;
  }
  const all = [...given].join('\n');
  expect(all).not.toMatch(/secret/);
  expect(all).toContain('<file name=\\"dir/a.txt\\">\\ninside');
  expect(all).toContain('<folder name=\\"dir\\">\\na.txt\\n</folder>');
  const reasons = [...why].join('\n');
  expect(reasons).toContain('holds credentials');
  expect(reasons).toContain('where it leads changed after it was judged');
});
