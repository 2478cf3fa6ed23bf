import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TauError } from '@tau/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Files, localHost } from '../src/index.ts';
import { bundleScript } from './script.ts';

let cwd: string;
let files: Files;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'tau-host-')));
  files = localHost({ cwd }).files;
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

async function failure(action: Promise<unknown>): Promise<TauError> {
  const error = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TauError)) throw new Error(`expected a TauError, got ${String(error)}`);
  return error;
}

describe('resolve', () => {
  test('a relative path is taken from the host folder, and what is missing is appended', async () => {
    await mkdir(join(cwd, 'src'));
    expect(await files.resolve('src')).toBe(join(cwd, 'src'));
    expect(await files.resolve('./src/new/deep/../file.ts')).toBe(join(cwd, 'src/new/file.ts'));
    expect(await files.resolve('')).toBe(cwd);
  });

  test('a tilde is home, as a shell takes it, wherever a path is given', async () => {
    const home = join(cwd, 'home');
    await mkdir(home);
    await writeFile(join(home, 'a.txt'), 'mine');
    const { files: ours } = localHost({ cwd, env: { HOME: home } });
    expect(await ours.resolve('~')).toBe(home);
    expect(await ours.resolve('~/new')).toBe(join(home, 'new'));
    expect(await ours.resolve('~other')).toBe(join(cwd, '~other'));
    expect((await ours.read('~/a.txt')).toString()).toBe('mine');
    await ours.write('~/b.txt', 'new');
    expect(await readdir(home)).toEqual(['a.txt', 'b.txt']);
  });

  test('a link in the middle of a path is followed, also when the end is missing', async () => {
    await mkdir(join(cwd, 'real'));
    await symlink('real', join(cwd, 'link'));
    expect(await files.resolve('link/new.txt')).toBe(join(cwd, 'real/new.txt'));
  });

  test('a dangling link leads to its target', async () => {
    await symlink('/nowhere/at/all', join(cwd, 'absolute'));
    await symlink('later/file', join(cwd, 'relative'));
    expect(await files.resolve('absolute')).toBe('/nowhere/at/all');
    expect(await files.resolve('absolute/x')).toBe('/nowhere/at/all/x');
    expect(await files.resolve('relative')).toBe(join(cwd, 'later/file'));
  });

  test('dot-dot after a link is the parent of where the link leads, as in the kernel', async () => {
    await mkdir(join(cwd, 'a/b'), { recursive: true });
    await symlink('a/b', join(cwd, 'link'));
    await writeFile(join(cwd, 'a/here'), '');
    expect(await files.resolve('link/../here')).toBe(join(cwd, 'a/here'));
    expect(await files.resolve('link/../missing')).toBe(join(cwd, 'a/missing'));
    expect(await files.resolve('missing/../link/x')).toBe(join(cwd, 'a/b/x'));
  });

  test('a loop of links ends at one of them, and cannot be read or written', async () => {
    await symlink('two', join(cwd, 'one'));
    await symlink('one', join(cwd, 'two'));
    expect([join(cwd, 'one'), join(cwd, 'two')]).toContain(await files.resolve('one'));
    expect((await failure(files.read('one'))).message).toBe('Cannot read one: its symbolic links form a loop');
    expect((await failure(files.write('one', 'x'))).message).toBe('Cannot write one: its symbolic links form a loop');
    expect(await readdir(cwd)).toEqual(['one', 'two']);
  });

  test('a path through a file does not throw', async () => {
    await writeFile(join(cwd, 'file'), '');
    expect(await files.resolve('file/below')).toBe(join(cwd, 'file/below'));
  });
});

describe('stat, names and read', () => {
  test('stat tells files from folders, and missing is undefined', async () => {
    await writeFile(join(cwd, 'file'), 'four');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    expect(await files.stat('file')).toEqual({ kind: 'file', size: 4, mtimeMs: expect.any(Number) });
    expect(await files.stat('.')).toMatchObject({ kind: 'directory' });
    expect(await files.stat('pipe')).toMatchObject({ kind: 'other' });
    expect(await files.stat('none')).toBeUndefined();
    expect(await files.stat('file/below')).toBeUndefined();
  });

  test('names are sorted, and a missing folder is an error', async () => {
    await writeFile(join(cwd, 'b'), '');
    await writeFile(join(cwd, 'a'), '');
    expect(await files.names('.')).toEqual(['a', 'b']);
    expect((await failure(files.names('none'))).code).toBe('file');
  });

  test('read returns the bytes as they are', async () => {
    await writeFile(join(cwd, 'file'), Buffer.from([0, 255, 10]));
    expect(await files.read('file')).toEqual(Buffer.from([0, 255, 10]));
  });

  test('a failed read is one plain sentence with a way out', async () => {
    const missing = await failure(files.read('none.txt'));
    expect(missing).toMatchObject({ code: 'file', message: 'Cannot read none.txt: there is no such file' });
    expect(missing.remedy).toBe('Check the path.');
    expect((await failure(files.read('.'))).message).toBe('Cannot read .: it is a folder');
  });

  test('a pipe is refused instead of waited for', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    expect((await failure(files.read('pipe'))).message).toContain('not a regular file');
  });
});

describe('open', () => {
  test('a file is read in parts, from anywhere in it, and a short part is its end', async () => {
    await writeFile(join(cwd, 'file'), '0123456789');
    const file = await files.open('file');
    const buffer = Buffer.alloc(4);
    expect(file.stat).toMatchObject({ kind: 'file', size: 10 });
    expect([await file.read(buffer, 3), buffer.toString()]).toEqual([4, '3456']);
    expect([await file.read(buffer, 8), buffer.toString('utf8', 0, 2)]).toEqual([2, '89']);
    expect(await file.read(buffer, 20)).toBe(0);
    await file.close();
  });

  test('what was opened stays the same, whatever is put at its path', async () => {
    await writeFile(join(cwd, 'file'), 'old');
    const file = await files.open('file');
    await files.write('file', 'something new');
    const buffer = Buffer.alloc(20);
    expect(buffer.toString('utf8', 0, await file.read(buffer, 0))).toBe('old');
    expect(file.stat.size).toBe(3);
    await file.close();
  });

  test('a pipe, a folder and what is missing are refused, also behind a link', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    await symlink('pipe', join(cwd, 'link'));
    expect((await failure(files.open('pipe'))).message).toContain('not a regular file');
    expect((await failure(files.open('link'))).message).toContain('not a regular file');
    expect((await failure(files.open('.'))).message).toBe('Cannot read .: it is a folder');
    expect((await failure(files.open('none'))).message).toBe('Cannot read none: there is no such file');
  });
});

describe('write', () => {
  test('a new file is created with its parent folders', async () => {
    expect(await files.write('a/b/c.txt', 'héllo')).toEqual({ created: true, bytes: 6 });
    expect(await readFile(join(cwd, 'a/b/c.txt'), 'utf8')).toBe('héllo');
    expect(await readdir(join(cwd, 'a/b'))).toEqual(['c.txt']);
  });

  test('an existing file keeps its mode', async () => {
    await writeFile(join(cwd, 'run.sh'), 'old');
    await chmod(join(cwd, 'run.sh'), 0o751);
    expect(await files.write('run.sh', new Uint8Array([110, 101, 119]))).toEqual({ created: false, bytes: 3 });
    expect((await stat(join(cwd, 'run.sh'))).mode & 0o7777).toBe(0o751);
    expect(await readFile(join(cwd, 'run.sh'), 'utf8')).toBe('new');
  });

  test('a write through a link changes the target and leaves the link', async () => {
    await mkdir(join(cwd, 'deep'));
    await writeFile(join(cwd, 'deep/target'), 'old');
    await symlink('deep/target', join(cwd, 'link'));
    await symlink('deep/later', join(cwd, 'dangling'));
    await files.write('link', 'new');
    expect(await files.write('dangling', 'made')).toMatchObject({ created: true });
    expect(await readFile(join(cwd, 'deep/target'), 'utf8')).toBe('new');
    expect(await readFile(join(cwd, 'deep/later'), 'utf8')).toBe('made');
    expect(await files.resolve('link')).toBe(join(cwd, 'deep/target'));
  });

  test('a write that cannot be made leaves everything as it was', async () => {
    await mkdir(join(cwd, 'folder'));
    await writeFile(join(cwd, 'file'), 'old');
    expect((await failure(files.write('folder', 'x'))).message).toBe('Cannot write folder: it is a folder');
    expect((await failure(files.write('file/below', 'x'))).message).toContain('is a file, not a folder');
    expect((await failure(files.write('n'.repeat(300), 'x'))).message).toContain('the name is too long');
    expect(await readdir(cwd)).toEqual(['file', 'folder']);
    expect(await readFile(join(cwd, 'file'), 'utf8')).toBe('old');
  });

  test('a write that breaks off leaves the old content and no temporary file', async () => {
    await mkdir(join(cwd, 'folder'));
    await writeFile(join(cwd, 'folder/file'), 'old');
    const script = await bundleScript(cwd, `await host.files.write('folder/file', 'x'.repeat(1_000_000));`);
    // The system lets no file of this shell grow beyond 64 KB.
    const limited = `ulimit -f 64; exec "${process.execPath}" "${script}"`;
    expect(() => execFileSync('bash', ['-c', limited], { stdio: 'pipe' })).toThrow('Cannot write folder/file');
    expect(await readdir(join(cwd, 'folder'))).toEqual(['file']);
    expect(await readFile(join(cwd, 'folder/file'), 'utf8')).toBe('old');
  });

  test('a file that may not be written is not replaced, although its folder would let it', async () => {
    await mkdir(join(cwd, 'folder'));
    await writeFile(join(cwd, 'folder/file'), 'old', { mode: 0o444 });
    const script = await bundleScript(cwd, `await host.files.write('folder/file', 'new');`);
    for (const folder of [cwd, join(cwd, 'folder'), dirname(script)]) await chmod(folder, 0o777);
    // The superuser is refused nothing.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const run = () => execFileSync(process.execPath, [script], { cwd, stdio: 'pipe', ...user });
    expect(run).toThrow('Cannot write folder/file: permission was denied');
    expect(await readFile(join(cwd, 'folder/file'), 'utf8')).toBe('old');
  });

  test.each([
    ['a.txt/', 'it names a folder'],
    ['a.txt/.', 'it names a folder'],
    ['b.txt/../a.txt', 'a part of the path is a file, not a folder'],
    ['missing/../a.txt', 'there is no such file'],
    ['new/', 'it names a folder'],
  ])('a path that the system would not open is not written either: %s', async (path, why) => {
    await writeFile(join(cwd, 'a.txt'), 'old');
    await writeFile(join(cwd, 'b.txt'), 'old');
    expect(await files.stat(path)).toBeUndefined();
    expect((await failure(files.write(path, 'new'))).message).toBe(`Cannot write ${path}: ${why}`);
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('old');
    expect(await readdir(cwd)).toEqual(['a.txt', 'b.txt']);
  });

  test('a path with a NUL character is refused in plain words', async () => {
    const { message } = await failure(files.write('a\0b', 'x'));
    expect(message).toBe('Cannot write a\0b: the path holds a NUL character');
    expect((await failure(files.read('a\0b'))).message).toContain('the path holds a NUL character');
  });

  test('what is not a regular file is not replaced by one', async () => {
    // A pipe of our own: should the check ever fail, no device of the machine is lost.
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    expect((await failure(files.write('pipe', 'x'))).message).toContain('not a regular file');
    expect((await stat(join(cwd, 'pipe'))).isFIFO()).toBe(true);
  });

  test('writers at the same time leave one whole content and no temporary file', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(200_000));
    await Promise.all(contents.map((content) => files.write('shared', content)));
    expect(contents).toContain(await readFile(join(cwd, 'shared'), 'utf8'));
    expect(await readdir(cwd)).toEqual(['shared']);
  });
});
