/** Ignore files that have no end: ripgrep reads them by itself, so it has bounds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localHost } from '../src/index.ts';

const { signal } = new AbortController();

function place(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tau-endless-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.git'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.txt'), 'needle\n');
  return folder;
}

test('a .gitignore that is a pipe nobody writes to ends the search when its time is over', async () => {
  const cwd = place();
  execFileSync('mkfifo', [join(cwd, 'src/.gitignore')]);
  const { search } = localHost({ cwd, searchEngine: 'ripgrep', searchTimeoutMs: 300 });
  await expect(search.grep({ root: '.', pattern: 'needle', limit: 9, signal })).rejects.toMatchObject({
    code: 'process',
    message: 'The search was not done after 0.3 s',
    remedy: expect.stringContaining('.gitignore'),
  });
  await expect(search.files({ root: '.', limit: 9, signal })).rejects.toMatchObject({ code: 'process' });
});

test('a .gitignore that is a device without an end does not take the memory of the machine', async () => {
  const cwd = place();
  symlinkSync('/dev/zero', join(cwd, 'src/.gitignore'));
  const { search } = localHost({ cwd, searchEngine: 'ripgrep' });
  await expect(search.grep({ root: '.', pattern: 'needle', limit: 9, signal })).rejects.toMatchObject({
    code: 'process',
    message: expect.stringMatching(/^The search failed: memory allocation/),
  });
});

test('without ripgrep such files are no rules', async () => {
  const cwd = place();
  symlinkSync('/dev/zero', join(cwd, 'src/.gitignore'));
  execFileSync('mkfifo', [join(cwd, '.gitignore')]);
  const { search } = localHost({ cwd, searchEngine: 'plain' });
  expect((await search.grep({ root: '.', pattern: 'needle', limit: 9, signal })).matches).toBe(1);
});
