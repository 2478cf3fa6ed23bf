/** Where the paths of a call lead, when a file has two names and when a tree is to be removed. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Effect } from '@tau/core';
import { localHost } from '@tau/host';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHome } from '../src/config/home.ts';
import { pathScope } from '../src/place.ts';
import { resolveEffects } from '../src/resolve-effects.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-resolve-')));
  for (const name of ['home/.tau', 'project', 'tmp']) mkdirSync(join(root, name), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text = 'x'): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return join(root, path);
}

function resolve(effects: Effect[], trusted = true) {
  const cwd = join(root, 'project');
  const env = { PATH: process.env.PATH, HOME: join(root, 'home'), TMPDIR: join(root, 'tmp') };
  const place = { scope: pathScope(cwd, findHome(env)), env, trustedPath: () => trusted };
  return resolveEffects(effects, localHost({ cwd, env }), place);
}

test.each(['.ssh/id_ed25519', '.aws/sso/token', '.netrc', '.tau/auth.json', '.bashrc'])(
  'a second name of ~/%s is judged by that one',
  async (name) => {
    const secret = write(`home/${name}`);
    linkSync(secret, join(root, 'project/notes.txt'));
    expect(await resolve([{ kind: 'read', path: 'notes.txt' }])).toEqual([
      { kind: 'read', path: 'notes.txt', resolved: secret },
    ]);
    symlinkSync('notes.txt', join(root, 'project/link'));
    expect(await resolve([{ kind: 'write', path: 'link' }])).toMatchObject([{ resolved: secret }]);
  },
);

test('a second name of any other file is a name like the first', async () => {
  write('home/.ssh/id_ed25519');
  linkSync(write('project/store/a'), join(root, 'project/a'));
  expect(await resolve([{ kind: 'read', path: 'a' }])).toMatchObject([{ resolved: join(root, 'project/a') }]);
});

test('a path that no file can have is left to whoever judges it', async () => {
  const [nul] = await resolve([{ kind: 'read', path: 'a\0b' }]);
  expect(nul).toMatchObject({ resolved: join(root, 'project/a\0b') });
  await expect(resolve([{ kind: 'read', path: 'x'.repeat(5000) }])).resolves.toHaveLength(1);
});

test('what a tree that is removed holds is looked at, and only then', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: join(root, 'project'), stdio: 'pipe' });
  git('init', '-q');
  write('project/src/a');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'c');
  write('project/notes/mine');
  const trees: Effect[] = ['src', 'notes', 'nothing'].map((path) => ({ kind: 'write', path, removes: 'tree' }));
  expect((await resolve(trees)).map((effect) => effect.recoverable)).toEqual([true, false, true]);
  const [file] = await resolve([{ kind: 'write', path: 'src/a', removes: 'file' }]);
  expect(file).not.toHaveProperty('recoverable');
  // A git that the project may have brought is not asked.
  expect((await resolve(trees, false)).map((effect) => effect.recoverable)).toEqual([undefined, undefined, undefined]);
});
