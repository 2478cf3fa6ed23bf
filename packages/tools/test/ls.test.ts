import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolInput } from '@tau/core';
import { expect, test } from 'vitest';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const ls = async (input: ToolInput = {}) => textOf(await bench.call('ls', input));

test('names are sorted, folders end in a slash, links say where they lead, dotfiles are there', async () => {
  await mkdir(join(bench.cwd, 'src/inner'), { recursive: true });
  await writeFile(join(bench.cwd, '.env'), '');
  await writeFile(join(bench.cwd, 'two\nlines'), '');
  await symlink('src', join(bench.cwd, 'link'));
  expect(await ls()).toBe('.env\nlink@ -> src\nsrc/\ntwo\\nlines');
  expect(await ls({ path: 'src' })).toBe('inner/');
  expect(await ls({ path: 'src/inner' })).toBe('src/inner is empty.');
});

test('a long folder is cut, and it is said how much there is', async () => {
  for (let n = 0; n < 6; n++) await writeFile(join(bench.cwd, `f${n}`), '');
  expect(await ls({ limit: 2 })).toBe('f0\nf1\n[2 of 6 entries. Use glob with a pattern for the rest.]');
});

test('a file, and a folder that is not there, are errors with a way out', async () => {
  await writeFile(join(bench.cwd, 'notes.txt'), '');
  await mkdir(join(bench.cwd, 'source'));
  expect(await ls({ path: 'notes.txt' })).toBe('notes.txt is a file, not a folder. Use read to see what is in it.');
  expect(await ls({ path: 'sorce' })).toMatch(/no file sorce.*source/);
  expect(bench.tool('ls').effects({}, { cwd: bench.cwd })).toEqual([{ kind: 'read', path: '.' }]);
});
