/** Which calls of git are proved to only look, and what they read. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { looks } from './git-looks.ts';
import { effectsOf, isProved, judge } from './judging.ts';

test.each(looks)('%s only looks', (line, reads) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'read-only', known: true });
  expect(effectsOf(finding)).toEqual(reads.map((path) => `read ${path}`));
});

const powers: readonly [power: string, line: string][] = [
  ['diff writes a file', 'git diff --output=x'],
  ['log writes a file', 'git log -p --output x'],
  ['an abbreviation writes a file', 'git diff --outp=x'],
  ['diff runs the driver that settings name', 'git diff --ext-diff'],
  ['log runs the converter that settings name', 'git log -p --textconv'],
  ['cat-file runs the converter', 'git cat-file --textconv HEAD:a'],
  ['cat-file runs the filters', 'git cat-file --filters HEAD:a'],
  ['a format has signatures checked', 'git log --format=%G?'],
  ['a format has signatures checked, after a line break', 'git log --format=%h%+GS'],
  ['a pretty format has signatures checked', "git show --pretty='tformat:% GK'"],
  ['a format for references has signatures checked', "git for-each-ref --format '%(signature:grade)'"],
  ['branches are sorted by signature', 'git branch --list --sort signature'],
  ['signatures are shown', 'git log --show-signature'],
  ['a merge is made again on disk', 'git log --remerge-diff'],
  ['a merge is made again on disk, by the other spelling', 'git show --diff-merges=remerge'],
  ['an order is read from a file', 'git diff -Oorder'],
  ['grep opens a pager', 'git grep -O x'],
  ['grep opens a program', 'git grep --open-files-in-pager=vi x'],
  ['describe refreshes the index', 'git describe --dirty'],
  ['describe starts git again', 'git describe --broken'],
  ['a submodule is looked into', 'git diff --submodule=diff'],
  ['grep goes into submodules', 'git grep --recurse-submodules x'],
  ['help starts man', 'git log --help'],
  ['help is a command too', 'git help log'],
  ['a branch is made', 'git branch new'],
  ['a branch is made, and told about', 'git branch -v new'],
  ['a branch is made by an old git', 'git branch -l new'],
  ['a branch is deleted', 'git branch -d old'],
  ['a branch is deleted beside a list', 'git branch --merged main -d old'],
  ['an editor opens', 'git branch --edit-description'],
  ['a tag is made', 'git tag v1'],
  ['a tag is verified', 'git tag -v v1'],
  ['a remote is asked', 'git remote show origin'],
  ['a remote is changed', 'git remote set-url origin x'],
  ['all remotes are asked', 'git remote -v update'],
  ['the current branch is another', 'git symbolic-ref HEAD refs/heads/x'],
  ['a setting is written', 'git config user.name x'],
  ['all settings are printed', 'git config --list'],
  ['a setting with an address is printed', 'git config --get remote.origin.url'],
  ['any file is read as settings', 'git config --file /x --get user.name'],
  ['files are removed', 'git clean -fd'],
  ['files are removed after all', 'git clean -n --no-dry-run'],
  ['what was done is forgotten', 'git reflog expire --all'],
  ['a stash is made', 'git stash'],
  ['submodules run scripts', 'git submodule status'],
  ['an archive may run a compressor', 'git archive HEAD'],
  ['bisect runs scripts', 'git bisect log'],
  ['an alias may be anything', 'git lg'],
  ['a setting is given on the line', 'git -c core.pager=x log'],
  ['a setting comes from a variable', 'git --config-env=core.pager=X log'],
  ['programs come from elsewhere', 'git --exec-path=/tmp log'],
  ['the repository is another', 'git --git-dir=/x log'],
  ['the files are others', 'git --work-tree=/x status'],
  ['a pager is started', 'git -p log'],
  ['a pager is started, in full', 'git --paginate log'],
  ['the namespace is another', 'git --namespace=x log'],
  ['a word is not known', 'git log $X'],
  ['a path is not known', 'git log -- $X'],
  ['the command is not known', 'git $X'],
  ['the folder is not known', 'git -C $X status'],
  ['a value looks like an option', 'git log --author --output=x'],
  ['a value for a letter looks like an option', 'git log -S --output=x'],
];

test.each(powers)('%s: %s is not proved', (_power, line) => {
  expect(isProved(judge(line))).toBe(false);
});

describe('what is around it', () => {
  test('a repository whose settings may run programs is not proved, and the reason says so', () => {
    const finding = judge('git status', { tameGit: () => false });
    expect(finding).toMatchObject({
      class: 'git',
      known: false,
      why: 'the settings of the repository may run programs',
    });
  });

  test('where nobody looked at the settings nothing is proved but the version', () => {
    expect(judge('git log', { unlooked: true }).known).toBe(false);
    expect(judge('git --version', { unlooked: true }).known).toBe(true);
  });

  test('every folder it may be started in is looked at, with -C followed', () => {
    const seen: string[] = [];
    const tameGit = (folder: string) => {
      seen.push(folder);
      return folder !== '/w/b/sub';
    };
    expect(judge('git -C sub status', { folders: ['/w/a', '/w/b'], tameGit }).known).toBe(false);
    expect(seen).toEqual(['/w/a/sub', '/w/b/sub']);
  });

  test('an absolute -C is looked at, wherever it is started', () => {
    expect(judge('git -C /r status', { folders: ['/w/a'], tameGit: (folder) => folder === '/r' }).known).toBe(true);
  });

  test('a folder that nobody knows proves nothing', () => {
    expect(judge('git status', { folders: undefined }).known).toBe(false);
  });

  test('words that come later prove nothing', () => {
    expect(judge('git log', { open: true }).known).toBe(false);
    expect(judge('git --version', { open: true }).known).toBe(false);
  });

  test.each(['GIT_PAGER', 'GIT_DIR', 'GIT_TRACE', 'PAGER', 'HOME', 'XDG_CONFIG_HOME', 'PATH'])(
    'the variable %s proves nothing',
    (name) => {
      expect(judge('git log', { assigns: [{ name, value: 'x' }] }).known).toBe(false);
    },
  );

  test('a variable for the language does not matter', () => {
    expect(judge('git log', { assigns: [{ name: 'LC_ALL', value: 'C' }] }).known).toBe(true);
  });
});

describe('an option that nobody listed', () => {
  const plain = looks.map(([line]) => line).filter((line) => !line.includes("'"));
  const someLook = fc.constantFrom(...plain.map((line) => line.split(' ')));

  test('makes any call unproved, wherever it stands before the paths', () => {
    const odd = fc.constantFrom(
      '--zz',
      '--output=x',
      '--outp',
      '--ext-diff',
      '--textconv',
      '-Ofile',
      '--help',
      '-!',
      '$X',
    );
    fc.assert(
      fc.property(someLook, odd, fc.nat(), (words, option, place) => {
        const end = words.indexOf('--') === -1 ? words.length : words.indexOf('--');
        const at = 1 + (place % end);
        const line = [...words.slice(0, at), option, ...words.slice(at)].join(' ');
        expect(isProved(judge(line))).toBe(false);
      }),
      { seed: 5, numRuns: 2000 },
    );
  });

  test('nor does any call with a setting on the line stay proved', () => {
    const pair = fc.tuple(fc.stringMatching(/^[a-z]+\.[a-z]+$/), fc.stringMatching(/^[a-z]*$/));
    fc.assert(
      fc.property(someLook, pair, (words, [key, value]) => {
        const line = ['git', '-c', `${key}=${value}`, ...words.slice(1)].join(' ');
        expect(isProved(judge(line))).toBe(false);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
