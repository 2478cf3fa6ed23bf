import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Files, localHost } from '../src/index.ts';

let cwd = '';
let files: Files;
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'tau-move-')));
  ({ files } = localHost({ cwd }));
  await writeFile(join(cwd, 'a'), 'a');
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

test('a moved file keeps its mode and gets its folders', async () => {
  await chmod(join(cwd, 'a'), 0o750);
  await files.move('a', 'x/y/b');
  expect(await readFile(join(cwd, 'x/y/b'), 'utf8')).toBe('a');
  expect((await stat(join(cwd, 'x/y/b'))).mode & 0o777).toBe(0o750);
  expect(await readdir(cwd)).toEqual(['x']);
});

test('a file is not moved onto another', async () => {
  await writeFile(join(cwd, 'b'), 'b');
  await expect(files.move('a', 'b')).rejects.toThrow('Cannot move a: b exists');
  expect(await readFile(join(cwd, 'b'), 'utf8')).toBe('b');
});

test('a file is removed', async () => {
  await files.remove('a');
  expect(await readdir(cwd)).toEqual([]);
});

test.each(['move', 'remove'] as const)('%s refuses links, folders and what is not there', async (verb) => {
  await symlink('a', join(cwd, 'link'));
  await mkdir(join(cwd, 'folder'));
  const act = (path: string) => (verb === 'move' ? files.move(path, 'new') : files.remove(path));
  await expect(act('link')).rejects.toThrow(`Cannot ${verb} link: it is a symbolic link`);
  await expect(act('folder')).rejects.toThrow(`Cannot ${verb} folder: it is a folder`);
  await expect(act('nothing')).rejects.toThrow(`Cannot ${verb} nothing: there is no such file`);
  expect(await readdir(cwd)).toEqual(['a', 'folder', 'link']);
});
