/** The names a pattern may stand for: at least those that bash finds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { globNames } from '../src/glob.ts';

let box = '';
let root = '';
const files = [
  'a',
  'ab',
  'b.ts',
  'c.tsx',
  '.hidden',
  'x y',
  '-n',
  'é',
  'dir/a.ts',
  'dir/b',
  'dir/sub/c.ts',
  '.d/e',
  '*',
];

beforeAll(() => {
  box = realpathSync(mkdtempSync(join(tmpdir(), 'tau-glob-')));
  root = join(box, 'root');
  for (const name of files) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '');
  }
  symlinkSync('dir', join(root, 'link'));
});
afterAll(() => rmSync(box, { recursive: true, force: true }));

/** What bash makes of each pattern; nothing where it finds nothing. */
function bash(patterns: readonly string[], locale: string): string[][] {
  const script = 'shopt -s nullglob; IFS=; for one; do printf "%s\\0" $one; printf "|\\0"; done';
  const env = { PATH: process.env.PATH, LC_ALL: locale };
  const said = execFileSync('bash', ['--norc', '-c', script, 'bash', ...patterns], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return said.split('|\0').map((names) => names.split('\0').filter((name) => name !== ''));
}

test.each([
  ['*', ['*', '-n', 'a', 'ab', 'b.ts', 'c.tsx', 'dir', 'link', 'x y', 'é']],
  ['*.ts*', ['b.ts', 'c.tsx']],
  ['dir/*', ['dir/a.ts', 'dir/b', 'dir/sub']],
  ['*/a.ts', ['dir/a.ts', 'link/a.ts']],
  ['.h*', ['.hidden']],
  ['./?', ['./*', './a', './é']],
  ['dir/*/c.ts', ['dir/sub/c.ts']],
  ['nothing*', []],
  ['missing/*', []],
])('%s stands for %j', (pattern, names) => {
  expect(globNames(pattern, root)).toEqual(names);
});

test('an absolute pattern gives absolute names, and a way up is left to the system', () => {
  expect(globNames(`${root}/dir/*.ts`, '/')).toEqual([`${root}/dir/a.ts`]);
  expect(globNames('link/../dir/*.ts', root)).toEqual(['link/../dir/a.ts']);
});

test.each(['[ab]', '{a,b}*', '@(a|b)', 'a\\*', '', 'a\0*'])('nobody can say what %j stands for', (pattern) => {
  expect(globNames(pattern, root)).toBeUndefined();
});

test('too many names are none', () => {
  const many = join(root, 'many');
  mkdirSync(many);
  for (let index = 0; index <= 500; index++) writeFileSync(join(many, `f${index}`), '');
  expect(globNames('many/*', root)).toBeUndefined();
  expect(globNames('many/f1*', root)).toHaveLength(111);
  rmSync(many, { recursive: true });
});

test('a pattern made to be slow is not', () => {
  const name = 'a'.repeat(200);
  writeFileSync(join(root, name), '');
  expect(globNames(`${'*a'.repeat(60)}*b`, root)).toEqual([]);
  rmSync(join(root, name));
});

test('no name that bash finds is missing, in either locale', () => {
  const piece = fc.constantFrom('*', '?', 'a', 'b', '.', 'ts', 'dir', '/', '/*', 'é', ' ', 'x', '-', '..', 'sub');
  const pattern = fc
    .array(piece, { minLength: 1, maxLength: 5 })
    .map((pieces) => pieces.join(''))
    .filter((text) => /[*?]/.test(text) && !text.startsWith('/'));
  const patterns = fc.sample(pattern, { seed: 5, numRuns: 500 });
  const tidy = (name: string) => name.replace(/\/+/g, '/');
  let found = 0;
  for (const locale of ['C', 'C.UTF-8']) {
    for (const [index, names] of bash(patterns, locale).entries()) {
      const text = patterns[index] ?? '';
      const ours = new Set(globNames(text, root)?.map(tidy));
      const missing = names.filter((name) => !ours.has(tidy(name)));
      expect([text, missing]).toEqual([text, []]);
      found += names.length;
    }
  }
  expect(found).toBeGreaterThan(500);
});
