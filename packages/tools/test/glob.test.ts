import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ToolInput } from '@tau/core';
import { expect, test } from 'vitest';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();
const glob = async (input: ToolInput) => textOf(await bench.call('glob', input));

async function put(path: string, age = 0): Promise<void> {
  const full = join(bench.cwd, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, '');
  await utimes(full, 1_700_000_000, 1_700_000_000 - age);
}

test('files are found by name at any depth, the newest first, without the ignored', async () => {
  await writeFile(join(bench.cwd, '.gitignore'), 'dist/\n');
  await put('old.ts', 30);
  await put('src/new.ts', 10);
  await put('.hidden/mid.ts', 20);
  await put('dist/out.ts');
  expect(await glob({ pattern: '*.ts' })).toBe('src/new.ts\n.hidden/mid.ts\nold.ts');
  expect(await glob({ pattern: '*.ts', path: 'src' })).toBe('src/new.ts');
});

test('a pattern may begin with a folder, a parent or the root of the system', async () => {
  await put('src/deep/a.ts');
  await put('src/b.ts', 1);
  expect(await glob({ pattern: 'src/**/*.ts' })).toBe('src/deep/a.ts\nsrc/b.ts');
  const absolute = { pattern: `${bench.cwd}/src/*.ts` };
  expect(await glob(absolute)).toBe(`${bench.cwd}/src/b.ts`);
  expect(bench.tool('glob').effects(absolute, { cwd: bench.cwd })).toEqual([
    { kind: 'read', path: `${bench.cwd}/src` },
  ]);
  expect(await glob({ pattern: '../*.ts', path: 'src/deep' })).toBe('src/deep/../b.ts');
  expect(bench.tool('glob').effects({ pattern: '../*.ts' }, { cwd: bench.cwd })).toEqual([
    { kind: 'read', path: '..' },
  ]);
  expect(bench.tool('glob').effects({ pattern: '*.ts' }, { cwd: bench.cwd })).toEqual([{ kind: 'read', path: '.' }]);
});

test('too many files are cut with their number', async () => {
  for (let n = 0; n < 12; n++) await put(`f${n}`, n);
  expect(await glob({ pattern: 'f*', limit: 2 })).toBe(
    'f0\nf1\n[2 of 12 files, the newest. Narrow the pattern or path, or raise limit (at most 1000).]',
  );
});

test('nothing found, a missing folder and an unreadable pattern say so', async () => {
  expect(await glob({ pattern: '*.md' })).toBe('No file matches *.md. Ignored files are left out.');
  expect(await bench.call('glob', { pattern: '*', path: 'nowhere' })).toMatchObject({ isError: true });
  expect(await glob({ pattern: 'a[' })).toMatch(/The glob a\[ cannot be used/);
});
