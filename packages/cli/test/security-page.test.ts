/** docs/security.md names the test of every promise: those tests are there, and say what the page says of them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const textOf = (path: string) => readFileSync(join(root, 'packages', path), 'utf8');

test('every test that the page names is there', () => {
  const named = [...page.matchAll(/`(\w+\/test\/[\w-]+\.(?:test|trial)\.ts)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, 'packages', path)))).toEqual([]);
});

test('every class of attack has a test of that name', () => {
  const table = page.slice(page.indexOf('<!-- attacks -->'), page.indexOf('<!-- end of attacks -->'));
  const rows = table.split('\n').filter((line) => /^\| (?!class|-)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  const wrong = rows.filter((row) => {
    const [, path = '', words = ''] = /`(\w+\/test\/[\w-]+\.(?:test|trial)\.ts)`(?:: ([^|]*?))? *\|$/.exec(row) ?? [];
    // Incident 1 is not incident 10.
    return (
      path === '' ||
      !textOf(path)
        .split(words)
        .some((rest, at) => at > 0 && !/^\d/.test(rest))
    );
  });
  expect(wrong).toEqual([]);
});

test('what the page says the bundle is made of is what its licences name', () => {
  const licences = readFileSync(join(root, 'packages/cli/dist/THIRD_PARTY_LICENSES.txt'), 'utf8');
  const packed = [...licences.matchAll(/^(@?[a-z][\w./-]*) \d+\.\d+\.\d+\S* \(/gm)].map(([, name = '']) => name);
  expect(packed.length).toBeGreaterThan(10);
  expect(packed.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
