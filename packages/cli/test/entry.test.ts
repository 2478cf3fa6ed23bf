/** `bin/tau.cjs`, copied into a folder with another build, or none. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

function install(build?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tau-entry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const here = join(import.meta.dirname, '..');
  for (const name of ['bin', 'dist']) mkdirSync(join(folder, name));
  for (const name of ['bin/tau.cjs', 'package.json']) copyFileSync(join(here, name), join(folder, name));
  if (build !== undefined) writeFileSync(join(folder, 'dist/tau.js'), build);
  return { folder, entry: join(folder, 'bin/tau.cjs') };
}

const start = (args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('without a build it says how to make one', () => {
  const { entry } = install();
  expect(start([entry, '--help'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'tau is not built yet: run "npm run build" in its folder.\n',
  });
});

test('a build that lacks a part is not told as no build', () => {
  const { entry } = install("import './chunk-gone.js';");
  const { status, stderr } = start([entry, '--help']);
  expect(status).toBe(1);
  expect(stderr).toContain('chunk-gone.js');
  expect(stderr).not.toContain('not built');
});

test('compiled code is not taken from a folder that others can write to', () => {
  const { entry, folder } = install("console.log('started');");
  const spy = join(folder, 'spy.cjs');
  writeFileSync(
    spy,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.22.0' } });
     require('node:module').enableCompileCache = () => console.log('cached');`,
  );
  expect(execFileSync(process.execPath, ['--require', spy, entry, '--help'], { encoding: 'utf8' })).toBe('started\n');
});
