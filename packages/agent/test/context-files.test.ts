/** What a repository may put before the model without anybody being asked. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHome } from '../src/config/home.ts';
import { findContextFiles } from '../src/prompt/context-files.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-context-')));
  mkdirSync(join(root, 'home/.tau'), { recursive: true });
  mkdirSync(join(root, 'repo/.git'), { recursive: true });
  writeFileSync(join(root, 'secret'), 'TOP SECRET');
});
afterEach(() => rmSync(root, { recursive: true }));

const find = () => findContextFiles(join(root, 'repo'), findHome({ HOME: join(root, 'home') }));

test.each(['../secret', '/proc/self/environ'])('a link to %s is left out, and said so', (target) => {
  symlinkSync(target, join(root, 'repo/AGENTS.md'));
  const { files, warnings } = find();
  expect(files).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('AGENTS.md is left out')]);
});

test('a link that stays in the repository is followed', () => {
  mkdirSync(join(root, 'repo/docs'));
  writeFileSync(join(root, 'repo/docs/rules.md'), 'be kind');
  symlinkSync('docs/rules.md', join(root, 'repo/AGENTS.md'));
  expect(find()).toEqual({ files: [{ path: join(root, 'repo/AGENTS.md'), text: 'be kind' }], warnings: [] });
});

test('a pipe is left out instead of waited for', () => {
  execFileSync('mkfifo', [join(root, 'repo/AGENTS.md')]);
  expect(find()).toEqual({ files: [], warnings: [expect.stringContaining('not a regular file')] });
});

test('a huge file is cut, and said so', () => {
  writeFileSync(join(root, 'repo/AGENTS.md'), 'x'.repeat(1_000_000));
  const { files, warnings } = find();
  expect(files[0]?.text).toMatch(/^x{65536}\n\[cut: the first 65536 of 1000000 bytes\]$/);
  expect(warnings).toEqual([expect.stringContaining('is cut')]);
});

test.each(['', 'relative'])('a HOME of "%s" is not taken for a folder of the project', (HOME) => {
  expect(findHome({ HOME }).tau).toMatch(/^\//);
});
