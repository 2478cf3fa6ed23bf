/** Files the user hands over beside a process that swaps their folder for a link to keys: no key is ever attached. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
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
  // In the storm it is luck which of them are given at all, and why others are not; so that is seen in calm.
  const dir = join(project, 'dir');
  if (existsSync(`${dir}-away`)) {
    rmSync(dir, { force: true });
    renameSync(`${dir}-away`, dir);
  }
  const calm = await agent.expandMentions('@dir/a.txt and @dir');
  expect(calm.left).toEqual([]);
  const seen = JSON.stringify(calm.attachments);
  expect(seen).toContain('<file name=\\"dir/a.txt\\">\\ninside');
  expect(seen).toContain('<folder name=\\"dir\\">\\na.txt\\n</folder>');
  renameSync(dir, `${dir}-away`);
  symlinkSync(join(home, '.ssh'), dir);
  const turned = await agent.expandMentions('@dir/a.txt and @dir');
  expect(turned.attachments).toEqual([]);
  expect(turned.left).toEqual([
    expect.stringContaining('holds credentials'),
    expect.stringContaining('holds credentials'),
  ]);
  await expect(agent.attach('dir/a.txt')).rejects.toThrow('holds credentials');
  expect([...given, ...why].join('\n')).not.toMatch(/secret/);
});
