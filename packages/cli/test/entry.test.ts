/** `bin/tau.cjs`, copied into a folder with another build, or none. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

function install(build?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tau-entry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const here = join(import.meta.dirname, '..');
  for (const name of ['bin', 'dist']) mkdirSync(join(folder, name));
  for (const name of ['bin/tau.cjs', 'bin/load.cjs', 'package.json'])
    copyFileSync(join(here, name), join(folder, name));
  if (build !== undefined) {
    const first = `(function(exports,require,module,__filename,__dirname){${build}\n})`;
    writeFileSync(join(folder, 'dist/start.cjs'), first);
  }
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
  const { entry } = install("require('./chunk-gone.cjs');");
  const { status, stderr } = start([entry, '--help']);
  expect(status).toBe(1);
  expect(stderr).toContain('chunk-gone.cjs');
  expect(stderr).not.toContain('not built');
});

/** Loads a build as the entry does and tells which of its parts V8 refused to take from the cache. */
const report = `
  const { scripts, start } = require(FOLDER + '/bin/load.cjs');
  process.argv = [process.argv[0], 'tau', '--help'];
  const write = process.stdout.write;
  process.stdout.write = () => true;
  process.once('exit', () => {
    process.stdout.write = write;
    console.log(JSON.stringify([...scripts.values()].map((script) => script.cachedDataRejected ?? 'none')));
  });
  start(FOLDER + '/dist');
`;

function cacheUse(folder: string): unknown[] {
  const code = report.replaceAll('FOLDER', JSON.stringify(folder));
  return JSON.parse(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' }));
}

test('the build has compiled code for this Node, and V8 takes it', () => {
  const refused = cacheUse(join(import.meta.dirname, '..'));
  // What every run needs comes first. A part that no trained run needs has none.
  expect(refused[0]).toBe(false);
  expect(refused).not.toContain(true);
});

test('the build is plain ASCII, because the entry reads it one byte a character', () => {
  const dist = join(import.meta.dirname, '../dist');
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.cjs'));
  expect(scripts.length).toBeGreaterThan(10);
  const odd = scripts.filter((name) => readFileSync(join(dist, name)).some((byte) => byte > 127));
  expect(odd).toEqual([]);
});

test('without compiled code, or with some that does not fit, it starts all the same', () => {
  const { folder, entry } = install("console.log('started');");
  expect(cacheUse(folder)).toEqual(['none']);
  mkdirSync(join(folder, 'dist/code'));
  writeFileSync(join(folder, `dist/code/start.cjs.${process.version}-${process.arch}`), 'not compiled code');
  expect(cacheUse(folder)).toEqual([true]);
  expect(start([entry, '--help'])).toEqual({ status: 0, stdout: 'started\n', stderr: '' });
});
