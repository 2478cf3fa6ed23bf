/** Files that are opened where they were judged to be, and nowhere else, whoever plants a link meanwhile. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Files, localHost } from '../src/index.ts';

let base: string;
let cwd: string;
let outside: string;
let files: Files;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'tau-pinned-')));
  cwd = join(base, 'project');
  outside = join(base, 'outside');
  await mkdir(join(cwd, 'dir'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(cwd, 'dir/a.txt'), 'inside');
  await writeFile(join(outside, 'a.txt'), 'secret');
  files = localHost({ cwd }).files;
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** As the gate does it: each path with where it leads now. */
async function judged(...paths: string[]): Promise<Files> {
  const places = await Promise.all(paths.map(async (path) => [path, await files.resolve(path)] as const));
  return files.pinned(new Map(places));
}

async function plantFolder(): Promise<void> {
  await rename(join(cwd, 'dir'), join(cwd, 'away'));
  await symlink(outside, join(cwd, 'dir'));
}

const elsewhere = { message: expect.stringContaining('where it leads changed after it was judged') };
const names = () => readdir(outside);

describe('after a folder became a link', () => {
  test('nothing is read, written, moved or removed through it', async () => {
    const pinned = await judged('dir/a.txt', 'dir/new/b.txt');
    await plantFolder();
    await expect(pinned.read('dir/a.txt')).rejects.toMatchObject(elsewhere);
    await expect(pinned.open('dir/a.txt')).rejects.toMatchObject(elsewhere);
    await expect(pinned.write('dir/a.txt', 'x')).rejects.toMatchObject(elsewhere);
    await expect(pinned.write('dir/new/b.txt', 'x')).rejects.toMatchObject(elsewhere);
    await expect(pinned.move('dir/a.txt', 'dir/new/b.txt')).rejects.toMatchObject(elsewhere);
    await expect(pinned.remove('dir/a.txt')).rejects.toMatchObject(elsewhere);
    expect(await names()).toEqual(['a.txt']);
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('secret');
  });

  test('a path that nobody judged leads where it leads', async () => {
    await plantFolder();
    await files.write('dir/a.txt', 'through');
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('through');
  });
});

test('a file that became a link is not read or replaced', async () => {
  const pinned = await judged('dir/a.txt');
  await rm(join(cwd, 'dir/a.txt'));
  await symlink(join(outside, 'a.txt'), join(cwd, 'dir/a.txt'));
  await expect(pinned.read('dir/a.txt')).rejects.toMatchObject(elsewhere);
  await expect(pinned.write('dir/a.txt', 'x')).rejects.toMatchObject({ code: 'file' });
  expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('secret');
});

test('a link that was there when it was judged leads where it led then', async () => {
  await symlink('dir', join(cwd, 'link'));
  const pinned = await judged('link/a.txt', 'link/new.txt');
  await rm(join(cwd, 'link'));
  await symlink(outside, join(cwd, 'link'));
  expect((await pinned.read('link/a.txt')).toString()).toBe('inside');
  await pinned.write('link/new.txt', 'x');
  expect(await readdir(join(cwd, 'dir'))).toEqual(['a.txt', 'new.txt']);
  expect(await names()).toEqual(['a.txt']);
});

test('what was not judged is not touched, and its place is what was judged', async () => {
  const pinned = await judged('dir/a.txt');
  await writeFile(join(cwd, 'b.txt'), 'b');
  const unjudged = { message: expect.stringContaining('not part of what was judged') };
  await expect(pinned.read('b.txt')).rejects.toMatchObject(unjudged);
  await expect(pinned.write('b.txt', 'x')).rejects.toMatchObject(unjudged);
  await expect(pinned.remove('./dir/a.txt')).rejects.toMatchObject(unjudged);
  await expect(pinned.move('dir/a.txt', 'b2.txt')).rejects.toMatchObject(unjudged);
  expect(await pinned.resolve('dir/a.txt')).toBe(join(cwd, 'dir/a.txt'));
  const more = pinned.pinned(new Map([['b.txt', join(cwd, 'b.txt')]]));
  expect((await more.read('b.txt')).toString() + (await more.read('dir/a.txt'))).toBe('binside');
});

test('a file with another name is written where it was judged to be', async () => {
  await writeFile(join(outside, 'rc'), 'rc');
  await link(join(outside, 'rc'), join(cwd, 'dir/innocent'));
  const pinned = files.pinned(new Map([['dir/innocent', join(outside, 'rc')]]));
  await pinned.write('dir/innocent', 'changed');
  expect(await readFile(join(outside, 'rc'), 'utf8')).toBe('changed');
  expect(await readFile(join(cwd, 'dir/innocent'), 'utf8')).toBe('rc');
});

/** Swaps `dir` for a link to outside and back until it is killed; what a write made meanwhile is cleared away. */
const swapper = `
  const { renameSync, symlinkSync, unlinkSync, rmSync } = require('node:fs');
  const [cwd, outside] = process.argv.slice(1);
  const dir = cwd + '/dir', away = cwd + '/away';
  const end = Date.now() + 60000;
  process.stdout.write('ready');
  while (Date.now() < end) {
    try {
      renameSync(dir, away);
      try { symlinkSync(outside, dir); } catch { rmSync(dir, { recursive: true, force: true }); }
      try { unlinkSync(dir); } catch { rmSync(dir, { recursive: true, force: true }); }
      renameSync(away, dir);
    } catch {
      try { rmSync(dir, { recursive: true, force: true }); renameSync(away, dir); } catch {}
    }
  }
`;

test('in 300 rounds beside a process that swaps the folder for a link, nothing outside is read or written', async () => {
  const pinned = await judged('dir/a.txt', 'dir/deep/b.txt', 'dir/c.txt');
  const other = spawn(process.execPath, ['-e', swapper, cwd, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => other.once('exit', resolve));
  await new Promise((resolve) => other.stdout.once('data', resolve));
  const refused = () => {};
  try {
    for (let round = 0; round < 300; round++) {
      await pinned.write('dir/a.txt', `round ${round}`).catch(refused);
      await pinned.write('dir/deep/b.txt', 'b').catch(refused);
      await pinned.move('dir/a.txt', 'dir/c.txt').catch(refused);
      await pinned.remove('dir/c.txt').catch(refused);
      const seen = await pinned.read('dir/a.txt').catch(() => undefined);
      expect(seen?.toString() ?? '').not.toContain('secret');
    }
  } finally {
    other.kill('SIGKILL');
    await gone;
  }
  expect(await names()).toEqual(['a.txt']);
  expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('secret');
  // Which of both happened meanwhile was luck: here is the one, and the other.
  if (existsSync(join(cwd, 'away'))) {
    await rm(join(cwd, 'dir'), { recursive: true, force: true });
    await rename(join(cwd, 'away'), join(cwd, 'dir'));
  }
  await pinned.write('dir/a.txt', 'calm');
  expect(await readFile(join(cwd, 'dir/a.txt'), 'utf8')).toBe('calm');
  await plantFolder();
  await expect(pinned.write('dir/a.txt', 'evil')).rejects.toMatchObject(elsewhere);
  expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('secret');
});
