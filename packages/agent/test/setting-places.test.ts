/** Where the places of the sandbox's settings are, whatever links come later. */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settingPlaces } from '../src/sandbox/setting-places.ts';

/** A home, and a project beside it. What is known is known for one turn of the loop. */
function makePlaces() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-places-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [home, cwd] = [join(root, 'home'), join(root, 'project')];
  for (const folder of [home, cwd]) mkdirSync(folder);
  const places = settingPlaces({ cwd, home, roots: () => [cwd] });
  const at = (path: string) => join(root, path);
  const below = (paths: readonly string[]) => paths.map((path) => path.slice(root.length + 1));
  return {
    at,
    use: (sandbox: { writable?: string[]; unreadable?: string[] }) => places.use({ sandbox }),
    writable: () => below(places.writable()),
    unreadable: () => below(places.unreadable()),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

test('what is not there yet is opened when it comes, but no link in its place', async () => {
  const { at, use, writable, turn } = makePlaces();
  expect(use({ writable: ['~/one', '~/two', '~/deep/three'] })).toEqual([]);
  expect(writable()).toEqual([]);
  await turn();
  mkdirSync(at('home/one'));
  symlinkSync('/', at('home/two'));
  mkdirSync(at('elsewhere/three'), { recursive: true });
  symlinkSync(at('elsewhere'), at('home/deep'));
  expect(writable()).toEqual(['home/one']);
});

test('what was named before keeps its place when the settings change, until it is taken out', async () => {
  const { at, use, writable, turn } = makePlaces();
  for (const name of ['home/one', 'home/two', 'home/new']) mkdirSync(at(name));
  use({ writable: ['~/one'] });
  renameSync(at('home/one'), at('home/was'));
  symlinkSync('two', at('home/one'));
  expect(use({ writable: ['~/one', '~/new'] })).toEqual([]);
  expect(writable()).toEqual(['home/new']);
  use({});
  use({ writable: ['~/one'] });
  await turn();
  expect(writable()).toEqual(['home/two']);
});

test('a link where commands can write is not followed, though a link of the user leads there', () => {
  const { at, use, writable } = makePlaces();
  mkdirSync(at('project/in'));
  symlinkSync(at('home'), at('project/out'));
  symlinkSync('in', at('project/same'));
  symlinkSync(at('project/out'), at('home/mine'));
  for (const name of ['one', 'two']) mkdirSync(at(`home/${name}`));
  symlinkSync('../two', at('home/one/sub'));
  const [first, second, third, ...more] = use({ writable: ['out', '~/mine/x', 'same', 'in', '~/one/sub', '~/one'] });
  expect(first).toMatch(/^sandbox\.writable: out is left out: a link leads from it to .*home,/);
  expect(second).toMatch(/^sandbox\.writable: ~\/mine\/x is left out/);
  expect(third).toMatch(/^sandbox\.writable: ~\/one\/sub is left out/);
  expect(more).toEqual([]);
  expect(writable()).toEqual(['project/in', 'home/one']);
});

test('home, and what holds it, is opened with a word to the user', () => {
  const { use } = makePlaces();
  expect(use({ writable: ['~', '/', '~/one'] })).toEqual([
    expect.stringContaining('sandbox.writable: ~ is your home'),
    expect.stringContaining('sandbox.writable: / holds your home'),
  ]);
});

test('what is hidden is known by what it was called, where it was, and where it is', async () => {
  const { at, use, unreadable, turn } = makePlaces();
  for (const name of ['one', 'two']) writeFileSync(at(`home/${name}`), '');
  symlinkSync('one', at('home/link'));
  use({ unreadable: ['~/link', 'absent'] });
  expect(unreadable()).toEqual(['home/link', 'home/one', 'project/absent']);
  await turn();
  rmSync(at('home/link'));
  symlinkSync('two', at('home/link'));
  expect(unreadable()).toEqual(['home/link', 'home/two', 'home/one', 'project/absent']);
});
