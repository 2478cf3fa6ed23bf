/** Searches through the built command, beside a process that swaps folders of the project for links to outside. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, calls, converse, request, resultsIn, says } from './conversation.ts';
import { calmDown } from './swapping.ts';

/** Swaps a folder for a link and back until it is asked to stop; then the folder is in its place. */
const swapper = `
  const { existsSync, renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs');
  const [dir, outside, ask] = process.argv.slice(1);
  const rest = new Int32Array(new SharedArrayBuffer(4));
  const end = Date.now() + 60000;
  while (Date.now() < end && !existsSync(ask)) {
    renameSync(dir, dir + '-away');
    symlinkSync(outside, dir);
    Atomics.wait(rest, 0, 0, Math.random() * 2);
    unlinkSync(dir);
    renameSync(dir + '-away', dir);
    Atomics.wait(rest, 0, 0, Math.random() * 4);
  }
  writeFileSync(ask + 'ed', '');
`;

test('nothing outside is found by a search whose folder, or one below it, becomes a link meanwhile', async () => {
  const batch = () =>
    calls(
      call('grep', { pattern: 'needle', path: 'dir' }),
      call('grep', { pattern: 'needle', path: 'dir/same.txt' }),
      call('glob', { pattern: '*.txt', path: 'dir' }),
      call('ls', { path: 'dir' }),
      call('grep', { pattern: 'needle' }),
      call('grep', { pattern: 'needle', output: 'count' }),
      call('glob', { pattern: '**/*.txt' }),
    );
  const storm = Array.from({ length: 12 }, batch);
  const last = () => {
    calmDown(ask);
    return batch();
  };
  const { tau, model, project, write } = await converse([...storm, last, says('done')]);
  const [outside, ask] = [join(project, '../outside'), join(project, '../stop')];
  for (const name of ['same.txt', 'deep/same.txt']) write(`dir/${name}`, 'needle\n');
  for (const name of ['same.txt', 'secret.txt', 'deep/same.txt']) write(join(outside, name), 'needle secret\nneedle\n');
  write('calm.txt', 'needle\n');
  const other = spawn(process.execPath, ['-e', swapper, join(project, 'dir'), outside, ask], { stdio: 'ignore' });
  const gone = new Promise((resolve) => other.once('exit', resolve));
  try {
    await tau(['-p', 'go']);
  } finally {
    other.kill('SIGKILL');
    await gone;
  }
  const results = resultsIn(request(model, storm.length + 1)).map(({ text }) => text);
  expect(results).toHaveLength(13 * 7);
  for (const text of results) expect(text).not.toMatch(/secret|same\.txt:2/);
  expect(results.slice(0, -7).join('\n')).toContain('calm.txt:1:needle');
  const found = ['dir/same.txt:1:needle', 'dir/deep/same.txt:1:needle', 'calm.txt:1:needle'];
  for (const line of found) expect(results.slice(-7).join('\n')).toContain(line);
});
