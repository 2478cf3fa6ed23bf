/** `@path` in a context file: what is an import, where it may lead, and that it always ends. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findHome } from '../src/config/home.ts';
import { findContextFiles } from '../src/prompt/context-files.ts';
import { importsIn } from '../src/prompt/imports.ts';
import { findProject } from '../src/prompt/project.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-imports-')));
  mkdirSync(join(root, 'home/.tau'), { recursive: true });
  mkdirSync(join(root, 'repo/.git'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function find(cwd = 'repo', HOME = join(root, 'home')): { paths: string[]; warnings: string[] } {
  const home = findHome({ HOME });
  const { files, warnings } = findContextFiles(findProject(join(root, cwd), home), home);
  return { paths: files.map(({ path }) => relative(root, path)), warnings };
}

test.each([
  ['@docs/style.md', ['docs/style.md']],
  ['See @README and (@docs/a.md), then @b.md.', ['README', 'docs/a.md', 'b.md']],
  ['- @a.md\n- @a.md\n- @~/mine.md', ['a.md', '~/mine.md']],
  ['@my\\ notes.md and **@bold.md**', ['my notes.md']],
  ['@guide.md#section', ['guide.md']],
  ['mail me@example.org, `@code.md`, ``@a ` b.md``', []],
  ['```\n@fenced.md\n```\n@after.md', ['after.md']],
  ['~~~md\n```\n@fenced.md\n~~~\n@after.md', ['after.md']],
  ['```\n@never-closed.md', []],
  ['`a span\nover two lines @x.md`', []],
  ['`not a span\n\n@next-paragraph.md`', ['next-paragraph.md']],
  ['``` `not a fence` @x.md', ['x.md']],
])('in %j the imports are %j', (text, imports) => {
  expect(importsIn(text)).toEqual(imports);
});

test('whatever a text holds, looking for imports ends and never finds what is in a fence', () => {
  const piece = fc.constantFrom(
    '`',
    '``',
    '```',
    '~~~',
    '@a.md',
    '@',
    '\n',
    '\n\n',
    ' ',
    '\\ ',
    'x',
    '#',
    '.',
    ')',
    '(',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 50 }), (pieces, noise) => {
      const text = pieces.join('') + noise;
      for (const path of importsIn(text)) expect(path).toMatch(/^[^\n\t`]+$/);
      expect(importsIn(`${'~'.repeat(300)}\n${text.replaceAll('~', '')}`)).toEqual([]);
    }),
    { seed: 4, numRuns: 500 },
  );
});

test('a text made to be slow is not', () => {
  const hostile = [
    '`'.repeat(65_536),
    '@'.repeat(65_536),
    `@${'\\ '.repeat(32_000)}`,
    ' @'.repeat(32_000),
    '@a.'.repeat(20_000),
  ];
  for (const text of hostile) expect(importsIn(text).length).toBeLessThan(2);
});

test('an imported file comes after the one that names it, seen from there, and is told once', () => {
  write('repo/AGENTS.md', '@docs/style.md and @docs/tests.md');
  write('repo/docs/style.md', 'see @more/names.md and @../AGENTS.md');
  write('repo/docs/tests.md', '@style.md');
  write('repo/docs/more/names.md', 'names');
  expect(find()).toEqual({
    paths: ['repo/AGENTS.md', 'repo/docs/style.md', 'repo/docs/more/names.md', 'repo/docs/tests.md'],
    warnings: [],
  });
});

test('any tangle of imports ends, with each file told once', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const links = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 30 });
  fc.assert(
    fc.property(links, (edges) => {
      write('repo/AGENTS.md', '@a.md');
      for (const name of names) {
        const targets = edges.filter(([from]) => from === name).map(([, to]) => `@${to}.md`);
        write(`repo/${name}.md`, targets.join('\n'));
      }
      const { paths } = find();
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths.slice(0, 2)).toEqual(['repo/AGENTS.md', 'repo/a.md']);
    }),
    { seed: 4, numRuns: 60 },
  );
});

test('imports go five files deep, and the sixth is named', () => {
  write('repo/AGENTS.md', '@1.md');
  for (const depth of [1, 2, 3, 4, 5, 6]) write(`repo/${depth}.md`, `@${depth + 1}.md`);
  const { paths, warnings } = find();
  expect(paths).toEqual(['repo/AGENTS.md', 'repo/1.md', 'repo/2.md', 'repo/3.md', 'repo/4.md', 'repo/5.md']);
  expect(warnings).toEqual([`${join(root, 'repo/5.md')}: @6.md is not imported: imports go 5 files deep`]);
});

test('there are fifty imports and no more', () => {
  write('repo/AGENTS.md', Array.from({ length: 60 }, (_, at) => `@n${at}.md`).join(' '));
  for (let at = 0; at < 60; at += 1) write(`repo/n${at}.md`, 'x');
  const { paths, warnings } = find();
  expect(paths).toHaveLength(51);
  expect(warnings).toHaveLength(10);
});

test('a missing file stays as text with a warning; a name that is no file stays without one', () => {
  write('repo/AGENTS.md', '@docs/missing.md @someone @scope/package @docs');
  mkdirSync(join(root, 'repo/docs'));
  const { paths, warnings } = find();
  expect(paths).toEqual(['repo/AGENTS.md']);
  expect(warnings).toEqual([expect.stringContaining('@docs/missing.md is not imported: there is no such file')]);
});

test.each(['../secret.md', '/proc/self/environ', 'link.md', '~/.tau/AGENTS.md', '.env', 'keys.json', 'aside.md'])(
  "a repository's @%s brings nothing",
  (path) => {
    write('secret.md', 'SECRET');
    write('repo/.env', 'SECRET');
    write('repo/keys.json', 'SECRET');
    symlinkSync('../secret.md', join(root, 'repo/link.md'));
    symlinkSync('.env', join(root, 'repo/aside.md'));
    write('repo/AGENTS.md', `@${path}`);
    write('home/.tau/rules/x.md', 'own');
    const { paths, warnings } = find();
    expect(paths).toEqual(['home/.tau/rules/x.md', 'repo/AGENTS.md']);
    expect(warnings).toEqual([expect.stringContaining('is not imported')]);
  },
);

test('without a repository a folder imports from itself, not from those beside it', () => {
  write('home/code/AGENTS.md', '@app/here.md');
  write('home/code/private.md', 'SECRET');
  write('home/code/app/AGENTS.md', '@../private.md @docs/more.md');
  write('home/code/app/here.md', 'here');
  write('home/code/app/docs/more.md', 'more');
  const { paths, warnings } = find('home/code/app');
  const app = 'home/code/app';
  expect(paths).toEqual(['home/code/AGENTS.md', `${app}/here.md`, `${app}/AGENTS.md`, `${app}/docs/more.md`]);
  expect(warnings).toEqual([
    expect.stringMatching(/@\.\.\/private\.md is not imported: .* it is outside .*code\/app$/),
  ]);
});

test('a repository of the home folder is none of the folders below it, also where HOME is a link', () => {
  write('home/.git/HEAD', 'ref: refs/heads/main\n');
  write('home/private.md', 'SECRET');
  write('home/app/AGENTS.md', '@../private.md');
  symlinkSync('home', join(root, 'link'));
  for (const name of ['home', 'link']) expect(find('home/app', join(root, name)).paths).toEqual(['home/app/AGENTS.md']);
});

test("the user's own file imports from anywhere in the home folder", () => {
  write('home/.tau/AGENTS.md', '@~/notes/style.md @../notes/more.txt @/etc/passwd.md');
  write('home/notes/style.md', 'style');
  write('home/notes/more.txt', 'more');
  const { paths, warnings } = find();
  expect(paths).toEqual(['home/.tau/AGENTS.md', 'home/notes/style.md', 'home/notes/more.txt']);
  expect(warnings).toEqual([expect.stringContaining('there is no such file')]);
});
