/** Where paths lead when somebody wants them to lead astray. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Files, localHost } from '../src/index.ts';

let cwd: string;
let files: Files;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'tau-resolve-')));
  files = localHost({ cwd }).files;
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

test.each([
  ['/proc/self/root/etc/passwd', '/proc/self/root/etc/passwd'],
  ['/proc/self/cwd/x', '/proc/self/cwd/x'],
  ['/proc/self/cwd/../../x', '/proc/self/cwd/x'],
  ['/proc/self/./fd/../cwd/x', '/proc/self/cwd/x'],
  ['/proc/thread-self/../../environ', '/proc/thread-self/environ'],
  ['/proc/self/../self/environ', '/proc/self/environ'],
  ['/proc/1/root/x', '/proc/1/root/x'],
  ['/dev/fd/0', '/proc/self/fd/0'],
  ['/dev/stdin', '/proc/self/fd/0'],
  ['/dev/fd/7/x', '/proc/self/fd/7/x'],
])('the links of a process are not followed: %s is %s', async (path, place) => {
  expect(await files.resolve(path)).toBe(place);
});

test('a link of the project to such a place leads to it, and not to what it is for this process', async () => {
  await symlink('/proc/self/cwd', join(cwd, 'here'));
  await symlink('/proc/self', join(cwd, 'me'));
  expect(await files.resolve('here/x')).toBe('/proc/self/cwd/x');
  expect(await files.resolve('here/../x')).toBe('/proc/self/cwd/x');
  expect(await files.resolve('me/environ')).toBe('/proc/self/environ');
  expect(await files.resolve('me/root/etc/shadow')).toBe('/proc/self/root/etc/shadow');
});

test('a way up after a link is taken from where the link leads, through several of them', async () => {
  await mkdir(join(cwd, 'a/b/c'), { recursive: true });
  await mkdir(join(cwd, 'x'));
  await symlink('../a/b/c', join(cwd, 'x/one'));
  await symlink('x/one', join(cwd, 'two'));
  await writeFile(join(cwd, 'a/file'), '');
  expect(await files.resolve('two/../../file')).toBe(join(cwd, 'a/file'));
  expect(await files.resolve('two/../../new')).toBe(join(cwd, 'a/new'));
  expect(await files.resolve('two/../../../new')).toBe(join(cwd, 'new'));
  expect(await files.resolve('x/one/..//./../b/c/../new')).toBe(join(cwd, 'a/b/new'));
});

test('links that form a loop are an error for whoever opens them', async () => {
  await symlink('two', join(cwd, 'one'));
  await symlink('one', join(cwd, 'two'));
  await expect(files.read('one')).rejects.toMatchObject({ message: expect.stringContaining('form a loop') });
  await expect(files.write('one', 'x')).rejects.toMatchObject({ message: expect.stringContaining('form a loop') });
});

test('a path that no system opens is refused before it is followed', async () => {
  await expect(files.resolve('a/'.repeat(500_000))).rejects.toMatchObject({
    message: expect.stringContaining('too long'),
  });
  expect(await files.resolve('a/'.repeat(1000))).toContain('/a/a');
});
