import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf, useWorkbench } from './workbench.ts';

const bench = useWorkbench();

test('a file is delivered with where it really is, its size and what it is', async () => {
  writeFileSync(join(bench.cwd, 'report.csv'), 'a,b\n');
  symlinkSync('report.csv', join(bench.cwd, 'latest.csv'));
  const result = await bench.call('send_file', { path: 'latest.csv', description: 'the figures' });
  expect(textOf(result)).toBe('Delivered latest.csv (4 bytes) to the user.');
  expect(result.isError).toBeUndefined();
  expect(result.details).toEqual({ path: join(bench.cwd, 'report.csv'), bytes: 4, description: 'the figures' });
});

test('without a description there is none', async () => {
  writeFileSync(join(bench.cwd, 'a.txt'), '');
  const result = await bench.call('send_file', { path: join(bench.cwd, 'a.txt') });
  expect(result.details).toEqual({ path: join(bench.cwd, 'a.txt'), bytes: 0 });
});

test('a file that is not there is told with the names near it', async () => {
  writeFileSync(join(bench.cwd, 'report.csv'), '');
  const result = await bench.call('send_file', { path: 'raport.csv' });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('There is no file raport.csv');
  expect(textOf(result)).toContain('report.csv');
});

test('a folder is not delivered', async () => {
  mkdirSync(join(bench.cwd, 'out'));
  const result = await bench.call('send_file', { path: 'out' });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('out is a folder');
});

test('it claims to read the file and nothing else, and waits to be looked for', async () => {
  const tool = bench.tool('send_file');
  expect(await tool.effects({ path: 'a.txt' }, { cwd: bench.cwd })).toEqual([{ kind: 'read', path: 'a.txt' }]);
  expect(tool.deferred).toBe(true);
  expect(tool.parameters.additionalProperties).toBe(false);
  for (const target of Object.values(tool.aliases ?? {})) expect(tool.parameters.properties).toHaveProperty(target);
});
