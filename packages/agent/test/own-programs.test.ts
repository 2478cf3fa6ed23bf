/** Whose programs plain names mean, by what a PATH holds. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findHome } from '../src/config/home.ts';
import { ownPath, programsProject } from '../src/own-programs.ts';

function place(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tau-own-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'project/.git'), { recursive: true });
  mkdirSync(join(folder, 'project/bin'));
  mkdirSync(join(folder, 'project/src'));
  symlinkSync('project/bin', join(folder, 'tools'));
  return folder;
}

test('entries that are relative, empty, in the project, or lead there by a link are left out', () => {
  const folder = place();
  const entries = [
    '.',
    '',
    'bin',
    '/usr/bin',
    join(folder, 'project/bin'),
    join(folder, 'tools'),
    '/bin',
    join(folder, 'gone'),
  ];
  expect(ownPath(entries.join(':'), join(folder, 'project'))).toBe(`/usr/bin:/bin:${join(folder, 'gone')}`);
});

test('a folder that only begins like the project is not in it', () => {
  expect(ownPath('/work/app-tools:/work/app/bin', '/work/app')).toBe('/work/app-tools');
});

test('at the root of the disk, and where there is no folder, only entries that are relative are left out', () => {
  for (const project of ['/', undefined]) expect(ownPath('.:/usr/bin::/bin', project)).toBe('/usr/bin:/bin');
});

test('the project is the repository around a folder; one of the home itself is none', () => {
  const folder = place();
  expect(programsProject(join(folder, 'project/src'), findHome({ HOME: '/home/me' }))).toBe(join(folder, 'project'));
  const repositoryOfHome = findHome({ HOME: join(folder, 'project') });
  expect(programsProject(join(folder, 'project/src'), repositoryOfHome)).toBe(join(folder, 'project/src'));
});
