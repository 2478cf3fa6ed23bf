import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GrepFound, Search } from '../src/index.ts';
import { localHost } from '../src/index.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tau-search-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, content: string | Buffer = 'needle\n'): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const signal = new AbortController().signal;
const linesOf = (found: GrepFound) =>
  found.files.flatMap(({ path, lines }) => lines.map(({ number, text }) => `${path}:${number}:${text}`));

describe.each(['ripgrep', 'plain'] as const)('with %s', (searchEngine) => {
  const search = (): Search => localHost({ cwd: folder, searchEngine }).search;
  const names = async (glob?: string, root = '.') => {
    const found = await search().files({ root, limit: 1000, signal, ...(glob !== undefined && { glob }) });
    return found.files.map(({ path }) => path).sort();
  };
  const grep = async (pattern: string, options: Partial<Parameters<Search['grep']>[0]> = {}) =>
    linesOf(await search().grep({ root: '.', pattern, limit: 100, signal, ...options }));

  test('ignore files of every level are obeyed, in a repository or not, and hidden files are found', async () => {
    await put('.gitignore', 'dist/\n*.log\n!keep.log\n/top.txt\n');
    await put('src/.gitignore', 'gen\n');
    for (const path of ['dist/a', 'x.log', 'keep.log', 'top.txt', 'src/top.txt', 'src/gen/b', 'src/c', '.env']) {
      await put(path);
    }
    const kept = ['.env', '.gitignore', 'keep.log', 'src/.gitignore', 'src/c', 'src/top.txt'];
    expect(await names()).toEqual(kept);
    const inSrc = ['.gitignore', 'c', 'top.txt'];
    expect(await names(undefined, 'src')).toEqual(inSrc);
    expect(await grep('needle', { root: 'src' })).toEqual(['c:1:needle', 'top.txt:1:needle']);
  });

  test.each(['ends in a blank ', '\ttabs\t', 'q[1]{x}!.txt', '!bang', 'back\\slash', 'new\nline\n', '#hash', '-e'])(
    'one file is searched whatever its name is: %j',
    async (name) => {
      await put(name);
      await put('other');
      expect(await grep('needle', { root: name })).toEqual([`${name}:1:needle`]);
    },
  );

  test('a zero byte in a pattern is refused: no text has one', async () => {
    await put('a');
    await expect(grep('a\0b')).rejects.toThrow('zero byte');
    await expect(grep('a\0b', { literal: true })).rejects.toThrow('zero byte');
  });

  test('.ignore beats .gitignore, and .git/info/exclude counts; .git is never entered', async () => {
    await put('.gitignore', 'logs/\n');
    await put('.ignore', '!logs/\nsecret\n');
    await put('.git/info/exclude', 'private\n');
    for (const path of ['logs/a', 'secret', 'private', 'open', '.git/config', 'sub/.git']) await put(path);
    expect(await names()).toEqual(['.gitignore', '.ignore', 'logs/a', 'open']);
  });

  test('what git ignores ends at the repository', async () => {
    await put('.gitignore', '*.txt\n');
    await put('.ignore', '*.md\n');
    await put('repo/.git/HEAD', '');
    for (const path of ['repo/a.txt', 'repo/b.md', 'repo/c']) await put(path);
    expect(await names(undefined, 'repo')).toEqual(['a.txt', 'c']);
    await put('.git/HEAD', '');
    expect(await names()).toEqual(['.gitignore', '.ignore', 'repo/a.txt', 'repo/c']);
  });

  test('a folder or a file that is asked for by name is searched even if it is ignored', async () => {
    await put('.gitignore', 'node_modules/\n*.log\n');
    await put('node_modules/pkg/index.js');
    await put('a[1]*.log');
    expect(await grep('needle')).toEqual([]);
    expect(await grep('needle', { root: 'node_modules' })).toEqual(['pkg/index.js:1:needle']);
    expect(await grep('needle', { root: 'a[1]*.log' })).toEqual(['a[1]*.log:1:needle']);
  });

  test('what git ignores can be asked for; what .ignore says still counts', async () => {
    await put('.gitignore', 'dist/\n');
    await put('.ignore', 'logs/\n');
    await put('.git/info/exclude', 'private\n');
    for (const path of ['dist/a', 'logs/b', 'private']) await put(path);
    const gitIgnored = true;
    expect(await grep('needle', { gitIgnored })).toEqual(['dist/a:1:needle', 'private:1:needle']);
    expect(await grep('needle')).toEqual([]);
  });

  test('links are not followed, unless the search begins at one', async () => {
    await put('real/a');
    await symlink('real', join(folder, 'link'));
    await symlink('real/a', join(folder, 'file'));
    await symlink('nowhere', join(folder, 'broken'));
    expect(await names()).toEqual(['real/a']);
    expect(await grep('needle', { root: 'link' })).toEqual(['a:1:needle']);
  });

  test('a glob without a slash is about names at any depth, one with a slash about paths below the root', async () => {
    for (const path of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/d.js', '.hidden/e.ts']) await put(path);
    expect(await names('*.ts')).toEqual(['.hidden/e.ts', 'a.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(await names('src/*.ts')).toEqual(['src/b.ts']);
    expect(await names('src/**/*.ts')).toEqual(['src/b.ts', 'src/deep/c.ts']);
    expect(await names('./*.ts')).toEqual(['a.ts']);
    expect(await names('/a.*')).toEqual(['a.ts']);
    expect(await names('**/deep/**')).toEqual(['src/deep/c.ts']);
    expect(await names('src/')).toEqual(['src/b.ts', 'src/d.js', 'src/deep/c.ts']);
    expect(await names('*.{js,md}')).toEqual(['src/d.js']);
    expect(await names('!*.ts')).toEqual(['src/d.js']);
    expect(await grep('needle', { glob: 'src/**/*.ts' })).toEqual(['src/b.ts:1:needle', 'src/deep/c.ts:1:needle']);
    expect(await grep('needle', { glob: '!*.ts' })).toEqual(['src/d.js:1:needle']);
  });

  test('a glob does not bring back what is ignored', async () => {
    await put('.gitignore', '*.log\n');
    await put('a.log');
    expect(await names('*.log')).toEqual([]);
    expect(await grep('needle', { glob: '*.log' })).toEqual([]);
  });

  test('files come newest first, and by path where they are of one age', async () => {
    for (const [path, age] of [
      ['b', 10],
      ['a', 10],
      ['old', 20],
      ['new', 0],
    ] as const) {
      await put(path);
      await utimes(join(folder, path), 1_700_000_000, 1_700_000_000 - age);
    }
    const { files, total } = await search().files({ root: '.', limit: 3, signal });
    expect(files.map(({ path }) => path)).toEqual(['new', 'a', 'b']);
    expect(total).toBe(4);
    const counted = await search().count({ root: '.', pattern: 'needle', limit: 2, signal });
    expect(counted).toMatchObject({ totalFiles: 4, totalLines: 4, complete: true });
    expect(counted.files.map(({ path, count }) => [path, count])).toEqual([
      ['new', 1],
      ['a', 1],
    ]);
  });

  test('lines come by path and number, only so many, and it is said that there are more', async () => {
    for (const path of ['b', 'a/z', 'a-b', 'a.txt']) await put(path, 'x\nneedle 1\nneedle 2\n');
    const found = await search().grep({ root: '.', pattern: 'needle', limit: 5, signal });
    expect(linesOf(found)).toEqual([
      'a/z:2:needle 1',
      'a/z:3:needle 2',
      'a-b:2:needle 1',
      'a-b:3:needle 2',
      'a.txt:2:needle 1',
    ]);
    expect(found).toMatchObject({ matches: 5, complete: false });
    expect(await search().grep({ root: '.', pattern: 'needle', limit: 8, signal })).toMatchObject({ complete: true });
  });

  test('more matches than can be sorted are still the first ones by path', async () => {
    for (let n = 0; n < 60; n++) await put(`d${n % 7}/f${n}`, 'needle\n'.repeat(100));
    const found = await search().grep({ root: '.', pattern: 'needle', limit: 150, signal });
    expect(found.files.map(({ path, lines }) => [path, lines.length])).toEqual([
      ['d0/f0', 100],
      ['d0/f14', 50],
    ]);
    expect(found.complete).toBe(false);
  });

  test('the lines around a match are marked, and none is told twice', async () => {
    await put('a', 'one\ntwo\nneedle\nfour\nneedle\nsix\nseven\neight\nneedle\nten\n');
    const found = await search().grep({ root: '.', pattern: 'needle', limit: 2, context: 1, signal });
    expect(found.files[0]?.lines.map(({ number, isMatch }) => (isMatch ? `${number}` : `(${number})`))).toEqual([
      '(2)',
      '3',
      '(4)',
      '5',
      '(6)',
    ]);
  });

  test('a long line is cut around its match', async () => {
    await put('a', `${'ä'.repeat(40_000)}needle${'b'.repeat(40_000)}\n`);
    const [line] = await grep('needle');
    expect(line).toMatch(/^a:1:…ä{100}needleb+…$/);
    expect(line?.length).toBeLessThan(520);
  });

  test('a line of megabytes is found, and shown from its start', async () => {
    await put('a', `first\n${'x"\\'.repeat(1_000_000)}needle\nneedle\n`);
    const found = await grep('needle');
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^a:2:(?:x"\\)+/);
    expect(found[0]?.length).toBeLessThan(520);
    expect(found[1]).toBe('a:3:needle');
  });

  test('binary files have no lines, wherever their first zero is', async () => {
    await put('early', Buffer.from('needle\n\0'));
    await put('late', Buffer.from(`needle\n${'x\n'.repeat(200_000)}\0`));
    await put('text', 'needle\n');
    expect(await grep('needle')).toEqual(['text:1:needle']);
    expect((await search().count({ root: '.', pattern: 'needle', limit: 9, signal })).files).toMatchObject([
      { path: 'text' },
    ]);
    expect(await grep('needle', { root: 'early' })).toEqual([]);
  });

  test('line ends of every kind, byte order marks, UTF-16 and broken UTF-8 are read', async () => {
    await put('crlf', 'one needle\r\ntwo\r\n');
    await put('bom', '\ufeffneedle\n');
    await put('utf16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a needle\r\n', 'utf16le')]));
    await put('broken', Buffer.from('\xff needle\n', 'latin1'));
    await put('open', 'needle');
    await put('empty', '');
    expect(await grep('needle$')).toEqual([
      'bom:1:needle',
      'broken:1:\ufffd needle',
      'crlf:1:one needle',
      'open:1:needle',
      'utf16:1:a needle',
    ]);
    expect(await grep('^needle')).toEqual(['bom:1:needle', 'open:1:needle']);
  });

  test('names with line breaks, and names that are no text, are found', async () => {
    await put('new\nline');
    await writeFile(Buffer.from(`${folder}/\xff\xe9`, 'latin1'), 'needle\n');
    await put('ünï/ä');
    expect(await names()).toEqual(['new\nline', 'ünï/ä', '\ufffd\ufffd']);
    expect(await grep('needle')).toEqual(['new\nline:1:needle', 'ünï/ä:1:needle', '\ufffd\ufffd:1:needle']);
    const { files } = await search().count({ root: '.', pattern: 'needle', limit: 9, signal });
    expect(files.map(({ path }) => path).sort()).toEqual(['new\nline', 'ünï/ä', '\ufffd\ufffd']);
  });

  test.each([
    ['(?i)NEEDLE', ['needle here', 'Needle 42', 'Straße needle']],
    ['\\bneed\\w+', ['needle here', 'Straße needle']],
    ['\\<here\\>', ['needle here']],
    ['[[:digit:]]{2}', ['Needle 42', 'a{b} 12']],
    ['Stra\\we', ['Straße needle']],
    ['a\\{b\\}', ['a{b} 12']],
    ['(?P<word>Nee)dle \\d+$', ['Needle 42']],
    ['^[^a-zN]', ['Straße needle']],
    ['\\x{df}e\\s', ['Straße needle']],
    ['\\p{Lu}t', ['Straße needle']],
    ['[a-z&&[^b-z]]\\{', ['a{b} 12']],
    ['n|z++', ['needle here', 'Straße needle']],
    ['[]}]', ['a{b} 12']],
  ])('the pattern %s finds its lines', async (pattern, expected) => {
    await put('a', 'needle here\nNeedle 42\nStraße needle\na{b} 12\n');
    expect(await grep(pattern)).toEqual(expected.map((line) => expect.stringContaining(`:${line}`)));
  });

  test('plain text is searched as it stands, with or without its case', async () => {
    await put('a', 'f(x)[0]\nF(X)[0]\nfx0\n');
    expect(await grep('f(x)[', { literal: true })).toEqual(['a:1:f(x)[0]']);
    expect(await grep('f(x)[', { literal: true, ignoreCase: true })).toEqual(['a:1:f(x)[0]', 'a:2:F(X)[0]']);
  });

  test.each([['foo('], ['a{'], ['[a'], ['(?=x)'], ['(a)\\1'], ['\\y'], ['*a'], ['']])(
    'the pattern %j is refused with a way out',
    async (pattern) => {
      await put('a');
      await expect(grep(pattern)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/^The pattern is not a valid regular expression: ./),
        remedy: expect.stringContaining('literal'),
      });
    },
  );

  test('a pattern over several lines is refused', async () => {
    await expect(grep('a\\nb')).rejects.toThrow(/one line at a time/);
    await expect(grep('a\nb', { literal: true })).rejects.toThrow(/one line at a time/);
    await put('a', 'a\\nb\n');
    expect(await grep('a\\\\nb')).toEqual(['a:1:a\\nb']);
  });

  test('nothing is given away of a file that may not be read', async () => {
    for (const path of ['secrets/a', 'secrets/deep/b', 'open']) await put(path);
    await symlink('secrets', join(folder, 'door'));
    const asked: string[] = [];
    const mayRead = (path: string) => {
      asked.push(path);
      return !path.startsWith(join(folder, 'secrets'));
    };
    expect(await grep('needle', { mayRead })).toEqual(['open:1:needle']);
    expect(await grep('needle', { mayRead, root: 'door' })).toEqual([]);
    expect(await search().files({ root: '.', limit: 9, signal, mayRead })).toMatchObject({ total: 1, denied: 2 });
    expect(await search().count({ root: '.', pattern: 'needle', limit: 9, signal, mayRead })).toMatchObject({
      totalFiles: 1,
    });
    expect(asked).toContain(join(folder, 'secrets/deep/b'));
  });

  test('a rule about the way a link is written binds as well', async () => {
    await put('real/a');
    await symlink('real', join(folder, 'link'));
    const mayRead = (path: string) => !path.startsWith(join(folder, 'link'));
    expect(await grep('needle', { mayRead, root: 'link' })).toEqual([]);
  });

  test('an abort ends it', async () => {
    await put('a');
    const aborted = AbortSignal.abort();
    await expect(search().grep({ root: '.', pattern: 'x', limit: 1, signal: aborted })).rejects.toThrow(/abort/);
    await expect(search().files({ root: '.', limit: 1, signal: aborted })).rejects.toThrow(/abort/);
  });

  test('a missing root is an error, and pipes are passed by', async () => {
    await put('a');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(grep('x', { root: 'nowhere' })).rejects.toMatchObject({ code: 'file' });
    expect(await names()).toEqual(['a']);
  });
});

test('a pattern that would never end is stopped, where the engine is JavaScript', async () => {
  await put('a', `${'a'.repeat(60)}b\n`);
  const { search } = localHost({ cwd: folder, searchEngine: 'plain' });
  await expect(search.grep({ root: '.', pattern: '^(a+)+$', limit: 1, signal })).rejects.toThrow(/takes too long/);
});

test('a ripgrep that the project brings along is not run, and one that is none is not used', async () => {
  await put('a');
  await put('bin/rg', `#!/bin/sh\ntouch '${folder}/ran'\n`);
  await chmod(join(folder, 'bin/rg'), 0o755);
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'tau-search-path-')));
  try {
    await symlink(join(folder, 'bin/rg'), join(outside, 'rg'));
    for (const PATH of [join(folder, 'bin'), outside, 'bin']) {
      const { search } = localHost({ cwd: folder, env: { PATH } });
      const found = await search.grep({ root: 'a', pattern: 'needle', limit: 1, signal });
      expect(linesOf(found)).toEqual(['a:1:needle']);
    }
    expect(await localHost({ cwd: folder }).search.files({ root: '.', limit: 9, signal })).toMatchObject({ total: 2 });
    await rm(join(outside, 'rg'));
    await writeFile(join(outside, 'rg'), '#!/bin/sh\necho other 1.0\n', { mode: 0o755 });
    const { search } = localHost({ cwd: folder, env: { PATH: outside } });
    expect(linesOf(await search.grep({ root: 'a', pattern: 'needle', limit: 1, signal }))).toHaveLength(1);
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
});

test('the entries of a folder say what they are, by name', async () => {
  await put('b/x');
  await put('.a');
  await symlink('b', join(folder, 'c'));
  expect(await localHost({ cwd: folder }).search.entries('.')).toEqual([
    { name: '.a', kind: 'file' },
    { name: 'b', kind: 'directory' },
    { name: 'c', kind: 'link', target: 'b' },
  ]);
});

test('an ignore file that JavaScript would match for ever is an error, not a standstill', {
  timeout: 20_000,
}, async () => {
  await put('.gitignore', `${'*a'.repeat(14)}*b\n`);
  await put('a'.repeat(240));
  const { search } = localHost({ cwd: folder, searchEngine: 'plain' });
  await expect(search.files({ root: '.', limit: 10, signal })).rejects.toThrow('ignore file');
});

test('an ignore file with many stars is obeyed', async () => {
  await put('.gitignore', '**/*gen*/**/*.min.*\n');
  await put('src/generated/x/a.min.js');
  await put('src/generated/x/a.js');
  const { search } = localHost({ cwd: folder, searchEngine: 'plain' });
  const { files } = await search.files({ root: 'src', limit: 10, signal });
  expect(files.map(({ path }) => path)).toEqual(['generated/x/a.js']);
});
