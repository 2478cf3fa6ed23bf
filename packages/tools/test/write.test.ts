import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

test('a new file is created, with its folders', async () => {
  const result = await bench.call('write', { path: 'a/b.txt', content: 'é\n' });
  expect(textOf(result)).toBe('Created a/b.txt (3 bytes)');
  expect(result.details).toEqual({ path: 'a/b.txt', bytes: 3, created: true });
  expect(await readFile(join(bench.cwd, 'a/b.txt'), 'utf8')).toBe('é\n');
});

test('a replaced text file comes with its diff', async () => {
  await writeFile(join(bench.cwd, 'a.txt'), 'one\ntwo\n');
  await bench.call('read', { path: 'a.txt' });
  const result = await bench.call('write', { path: 'a.txt', content: 'one\nTWO\n' });
  expect(textOf(result)).toBe('Wrote a.txt (8 bytes)');
  expect(result.details).toMatchObject({ created: false, diff: expect.stringContaining('-two\n+TWO\n') });
});

test('a replaced image has no diff', async () => {
  const image = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  await writeFile(join(bench.cwd, 'a.gif'), Buffer.from(image, 'base64'));
  await bench.call('read', { path: 'a.gif' });
  const result = await bench.call('write', { path: 'a.gif', content: 'text' });
  expect(result.details).toEqual({ path: 'a.gif', bytes: 4, created: false });
});

test('mode and symlink are kept', async () => {
  const file = join(bench.cwd, 'run.sh');
  await writeFile(file, 'old\n', { mode: 0o750 });
  await symlink('run.sh', join(bench.cwd, 'link'));
  await bench.call('read', { path: 'link' });
  await bench.call('write', { path: 'link', content: 'new\n' });
  expect(await readFile(file, 'utf8')).toBe('new\n');
  expect((await stat(file)).mode & 0o777).toBe(0o750);
  expect((await lstat(join(bench.cwd, 'link'))).isSymbolicLink()).toBe(true);
});

test('an object given as content is the JSON of the file', () => {
  const prepare = bench.tool('write').prepare ?? expect.fail();
  const content = { a: [1] };
  const json = '{\n  "a": [\n    1\n  ]\n}\n';
  expect(prepare({ path: 'a.json', content })).toEqual({ path: 'a.json', content: json });
  expect(prepare({ path: 'a.json', contents: content })).toEqual({ path: 'a.json', contents: json });
  for (const same of [{ content: 'text' }, { content: null }, {}]) expect(prepare(same)).toEqual(same);
});

test.each(['a.txt/', 'b.txt/../a.txt', 'missing/../a.txt'])(
  'no spelling of a path gets around the look: %s',
  async (path) => {
    await writeFile(join(bench.cwd, 'a.txt'), 'precious\n');
    await writeFile(join(bench.cwd, 'b.txt'), '');
    const input = ['*** Begin Patch', `*** Add File: ${path}`, '+x', '*** End Patch'].join('\n');
    for (const result of [
      await bench.call('write', { path, content: 'x' }),
      await bench.call('apply_patch', { input }),
    ]) {
      expect(result.isError).toBe(true);
    }
    expect(await readFile(join(bench.cwd, 'a.txt'), 'utf8')).toBe('precious\n');
  },
);

test('a folder is not replaced', async () => {
  await mkdir(join(bench.cwd, 'src'));
  const result = await bench.call('write', { path: 'src', content: 'x' });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('Cannot write src: it is a folder. Name a file in it.');
});

test.each([
  ['write', { path: 'a.txt', content: 'new\n' }],
  ['edit', { path: 'a.txt', old_string: 'old', new_string: 'new' }],
])('%s leaves the file alone when the user interrupted', async (tool, input) => {
  await writeFile(join(bench.cwd, 'a.txt'), 'old\n');
  await bench.call('read', { path: 'a.txt' });
  const result = await bench.call(tool, input, { signal: AbortSignal.abort() });
  expect(textOf(result)).toBe('Not written: the user interrupted');
  expect(await readFile(join(bench.cwd, 'a.txt'), 'utf8')).toBe('old\n');
});
