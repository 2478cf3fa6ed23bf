/** The two engines give the same answers, over trees and patterns nobody thought of. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeError } from '@tau/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localHost } from '../src/index.ts';

const signal = new AbortController().signal;
const seed = 20_240_511;

interface Tree {
  files: Record<string, string>;
  links: Record<string, string>;
}

function withTree<T>(tree: Tree, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tau-engines-')));
  for (const [path, content] of Object.entries(tree.files)) {
    try {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), Buffer.from(content, 'latin1'));
      utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000 + (content.length % 3));
    } catch {
      // A name that is already a folder, or a folder that is already a file: the tree is what was possible.
    }
  }
  for (const [path, target] of Object.entries(tree.links)) {
    try {
      symlinkSync(target, join(folder, path));
    } catch {
      // Taken.
    }
  }
  return work(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}

const part = fc.constantFrom('a', 'b', 'src', 'dist', 'a.log', 'b.ts', '.hid', 'x y', 'ä', 'n\nl', '[z]', 'A', '.git');
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const ignoreLine = fc.oneof(
  fc.constantFrom('*.log', 'dist/', '/a', '!a.log', 'src/*', '!src/b.ts', '**/b', 'a/**', 'a/**/b', '.hid', '#x', ''),
  fc.constantFrom(
    '[ab]',
    '[!a]',
    '?',
    '*',
    '!*/',
    '{a,src}',
    '\\[z\\]',
    'x\\ y',
    'x y ',
    '!dist',
    'src/**/a',
    '\xc3\xa4',
    '/*/b',
  ),
);
const ignoreFile = fc.record({
  path: fc.tuple(fc.constantFrom('', 'a/', 'src/', 'dist/'), fc.constantFrom('.gitignore', '.ignore', '.rgignore')),
  lines: fc.array(ignoreLine, { maxLength: 4 }),
});
const line = fc.constantFrom('foo', 'Foo bar', 'foo(1)', '', 'b\xc3\xa4r', '  x', 'foo foo', 'a1_b2', 'foo.bar');
const content = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', '\0', '\r\n'))
  .map(([lines, separator, end]) => lines.join(separator) + end);

const tree: fc.Arbitrary<Tree> = fc
  .record({
    files: fc.dictionary(path, content, { maxKeys: 14 }),
    ignores: fc.array(ignoreFile, { maxLength: 3 }),
    exclude: fc.option(fc.array(ignoreLine, { maxLength: 2 })),
    links: fc.dictionary(part, fc.constantFrom('a', 'src', 'missing', '..'), { maxKeys: 2 }),
  })
  .map(({ files, ignores, exclude, links }) => ({
    files: {
      ...files,
      ...Object.fromEntries(ignores.map((one) => [one.path.join(''), `${one.lines.join('\n')}\n`])),
      ...(exclude && { '.git/info/exclude': `${exclude.join('\n')}\n` }),
    },
    links,
  }));

test('both find the same files in any tree, whatever its ignore files say', { timeout: 60_000 }, async () => {
  const roots = fc.constantFrom('.', '.', 'a', 'src', 'dist');
  const globs = fc.option(fc.constantFrom('*.ts', 'src/**', '**/b', '!*.log', 'a/*', '{a,b}/**/*', '.*', '[ab]*'));
  const property = fc.asyncProperty(tree, roots, globs, (made, root, glob) =>
    withTree(made, async (folder) => {
      const [one, two] = await Promise.all(
        (['ripgrep', 'plain'] as const).map(async (searchEngine) => {
          const { search } = localHost({ cwd: folder, searchEngine });
          const request = { root, limit: 100, signal, ...(glob !== null && { glob }) };
          return search.files(request).catch(describeError);
        }),
      );
      expect(two).toEqual(one);
    }),
  );
  await fc.assert(property, { seed, numRuns: 30 });
});

test('both find the same lines in any tree, for any pattern', { timeout: 60_000 }, async () => {
  const patterns = fc.constantFrom(
    'foo',
    '^foo$',
    '(?i)foo',
    '\\bfoo\\b',
    '\\w+\\d',
    'b.r',
    '\\s',
    'o{2}',
    '[^fo]',
    'foo\\(',
    '\\W',
    '^$',
    'bär|x',
    '[[:alpha:]]+\\.',
  );
  const options = fc.record({ ignoreCase: fc.boolean(), context: fc.nat(2), limit: fc.integer({ min: 1, max: 12 }) });
  const property = fc.asyncProperty(tree, patterns, options, (made, pattern, more) =>
    withTree(made, async (folder) => {
      const [one, two] = await Promise.all(
        (['ripgrep', 'plain'] as const).map(async (searchEngine) => {
          const { search } = localHost({ cwd: folder, searchEngine });
          const request = { root: '.', pattern, signal, ...more };
          return [await search.grep(request), await search.count(request)];
        }),
      );
      expect(two).toEqual(one);
    }),
  );
  await fc.assert(property, { seed, numRuns: 30 });
});
