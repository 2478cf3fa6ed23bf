/** Whether something is a link, or has links below it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdsLinks } from '../src/links.ts';

let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tau-links-'));
  for (const folder of ['plain/deep', 'linked/deep', 'empty', 'vast'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'plain/deep/file'), '');
  symlinkSync('nowhere', join(root, 'linked/deep/link'));
  symlinkSync('plain', join(root, 'link'));
  for (let at = 0; at <= 5_000; at++) writeFileSync(join(root, 'vast', String(at)), '');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each(['plain', 'plain/deep/file', 'empty', 'missing'])('%s holds none', (name) => {
  expect(holdsLinks(join(root, name))).toBe(false);
});

test.each(['link', 'linked', 'linked/deep', 'linked/deep/link'])('%s holds one', (name) => {
  expect(holdsLinks(join(root, name))).toBe(true);
});

test('what is too much to look through may hold one', () => {
  expect(holdsLinks(join(root, 'vast'))).toBe(true);
});
