/** Which repositories git may be started in unwatched, and what of a tree git could bring back. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkedOut, checkedOutByGit } from '../src/git/branch.ts';
import { recoverablePaths } from '../src/git/recoverable.ts';
import { createTameGit } from '../src/git/tame.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tau-facts-')));
  mkdirSync(join(root, 'tmp'));
  mkdirSync(join(root, 'repo'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const env = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: root,
  TMPDIR: join(root, 'tmp'),
  GIT_CONFIG_NOSYSTEM: '1',
});
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd: join(root, folder),
    env: env(),
    encoding: 'utf8',
    stdio: 'pipe',
  });

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function commit(folder: string): void {
  git(folder, 'add', '-A');
  git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'c');
}

function init(folder = 'repo'): void {
  mkdirSync(join(root, folder), { recursive: true });
  git(folder, 'init', '-q', '-b', 'main');
  write(`${folder}/file.txt`, 'text\n');
  commit(folder);
}

const isTame = (folder = 'repo', given = env()) => createTameGit(given)(join(root, folder));

describe('a repository is tame', () => {
  test('as git makes it, as a clone, as another worktree, and where there is none', () => {
    expect(isTame()).toBe(true);
    init();
    mkdirSync(join(root, 'repo/deep/er'), { recursive: true });
    expect(isTame()).toBe(true);
    expect(isTame('repo/deep/er')).toBe(true);
    git('repo', 'clone', '-q', '.', '../clone');
    git('repo', 'worktree', 'add', '-q', '../tree');
    git('clone', 'config', 'branch.main.rebase', 'true');
    git('clone', 'config', 'remote.origin.gh-resolved', 'base');
    git('clone', 'config', 'user.name', 'Somebody "quoted" #1');
    expect(isTame('clone')).toBe(true);
    expect(isTame('tree')).toBe(true);
  });

  test.each([
    'core.fsmonitor',
    'core.hooksPath',
    'core.pager',
    'core.sshCommand',
    'core.attributesFile',
    'core.alternateRefsCommand',
    'core.gitProxy',
    'core.worktree',
    'diff.external',
    'diff.foo.textconv',
    'diff.foo.command',
    'filter.lfs.process',
    'filter.x.clean',
    'merge.x.driver',
    'alias.st',
    'include.path',
    'includeIf.gitdir:/.path',
    'credential.helper',
    'gpg.program',
    'remote.origin.uploadpack',
    'remote.origin.promisor',
    'url.x.insteadOf',
    'format.pretty',
    'lfs.extension.x.clean',
    'submodule.x.update',
    'unheard.of',
  ])('not with %s in its settings', (key) => {
    init();
    const tame = createTameGit(env());
    expect(tame(join(root, 'repo'))).toBe(true);
    git('repo', 'config', key, '/bin/x');
    expect(tame(join(root, 'repo'))).toBe(false);
    git('repo', 'config', '--unset', key);
    expect(tame(join(root, 'repo'))).toBe(true);
  });

  test.each([
    ['a key on the line of its section', '[core] fsmonitor = /bin/x\n'],
    ['a value that goes on in the next line', '[user]\n\tname = a \\\n\tfsmonitor\n'],
    ['no section', 'fsmonitor = x\n'],
    ['no sense', '[core\n\tfilemode = true\n'],
    ['a byte order mark', '\uFEFFx\n'],
    ['an old way to write a section', '[filter.x]\n\tclean = y\n'],
    ['other case', '[CORE]\n\tFSMONITOR = y\n'],
  ])('not with %s in its settings', (_what, text) => {
    init();
    appendFileSync(join(root, 'repo/.git/config'), text);
    expect(isTame()).toBe(false);
  });

  test('not when it is bare, when its .git is no repository, or when settings are a link', () => {
    init();
    git('repo', 'clone', '-q', '--bare', '.', '../bare.git');
    expect(isTame('bare.git')).toBe(false);
    expect(isTame('bare.git/refs')).toBe(false);
    mkdirSync(join(root, 'odd/.git'), { recursive: true });
    writeFileSync(join(root, 'odd/.git/config'), '[core]\n\tfsmonitor = x\n');
    expect(isTame('odd')).toBe(false);
    write('mine', '[core]\n\tbare = false\n');
    rmSync(join(root, 'repo/.git/config'));
    symlinkSync(join(root, 'mine'), join(root, 'repo/.git/config'));
    expect(isTame()).toBe(false);
    expect(isTame('missing')).toBe(false);
  });

  test('not when another worktree has settings of its own that are not', () => {
    init();
    git('repo', 'worktree', 'add', '-q', '../tree');
    git('repo', 'config', 'extensions.worktreeConfig', 'true');
    expect(isTame('tree')).toBe(true);
    git('tree', 'config', '--worktree', 'core.fsmonitor', '/bin/x');
    expect(isTame('tree')).toBe(false);
    expect(isTame('repo')).toBe(true);
  });

  test.each(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_CONFIG_PARAMETERS', 'GIT_EXEC_PATH'])(
    'not when %s leads git elsewhere',
    (name) => {
      init();
      expect(isTame('repo', { ...env(), [name]: join(root, 'repo/.git') })).toBe(false);
    },
  );

  test.each(['2', '4'])('with its submodules, each by its own settings (index version %s)', (version) => {
    init('inner');
    init();
    git('repo', 'submodule', 'add', '-q', '../inner', 'libs/inner');
    for (const name of ['libs/a', 'libs/z', 'other']) write(`repo/${name}`, name);
    commit('repo');
    git('repo', 'update-index', '--index-version', version);
    expect(isTame()).toBe(true);
    expect(isTame('repo/libs/inner')).toBe(true);
    git('repo/libs/inner', 'config', 'filter.x.clean', '/bin/x');
    expect(isTame()).toBe(false);
    git('repo/libs/inner', 'config', '--unset', 'filter.x.clean');
    expect(isTame()).toBe(true);
    git('repo/libs/inner', 'config', 'core.worktree', '/');
    expect(isTame()).toBe(false);
  });

  test('not when a part of its index is kept elsewhere', () => {
    init();
    git('repo', 'update-index', '--split-index');
    expect(isTame()).toBe(false);
  });
});

describe('what is removed can be had again', () => {
  const have = async (...names: string[]) => {
    const found = await recoverablePaths(
      names.map((name) => join(root, name)),
      env(),
    );
    return names.filter((name) => found.has(join(root, name)));
  };

  beforeEach(() => {
    init();
    write('repo/src/a.ts', 'a');
    write('repo/src/deep/b.ts', 'b');
    write('repo/.gitignore', 'node_modules/\n/dist\n/secrets\nkept/\n');
    commit('repo');
  });

  test('when git has all of it as it is', async () => {
    expect(await have('repo/src', 'repo/src/deep', 'repo/file.txt')).toEqual([
      'repo/src',
      'repo/src/deep',
      'repo/file.txt',
    ]);
  });

  test.each([
    ['a change', () => write('repo/src/a.ts', 'another')],
    ['a file of its own', () => write('repo/src/deep/new.ts', 'x')],
    [
      'a change that is only staged',
      () => {
        write('repo/src/a.ts', 'x');
        git('repo', 'add', '-A');
      },
    ],
    ['a file that git ignores', () => write('repo/src/kept/x', 'x')],
    ['a repository of its own', () => git('repo/src', 'init', '-q', 'nested')],
    [
      'a change that git was told not to see',
      () => {
        git('repo', 'update-index', '--assume-unchanged', 'src/a.ts');
        write('repo/src/a.ts', 'mine');
      },
    ],
    [
      'a change in a file that git was told to skip',
      () => {
        git('repo', 'update-index', '--skip-worktree', 'src/a.ts');
        write('repo/src/a.ts', 'mine');
      },
    ],
  ])('not with %s in it', async (_what, change) => {
    change();
    expect(await have('repo/src')).toEqual([]);
  });

  test('when tools make it and git ignores it, and not for one of these alone', async () => {
    write('repo/node_modules/p/index.js', 'x');
    write('repo/dist/out.js', 'x');
    write('repo/secrets/key', 'x');
    write('repo/build/out.js', 'x');
    write('repo/packages/p/node_modules/q/x.js', 'x');
    expect(
      await have('repo/node_modules', 'repo/dist', 'repo/secrets', 'repo/build', 'repo/packages/p/node_modules'),
    ).toEqual(['repo/node_modules', 'repo/dist', 'repo/packages/p/node_modules']);
    git('repo', 'add', '-f', 'dist/out.js');
    expect(await have('repo/dist')).toEqual([]);
  });

  test('when there is nothing, and not where no git is', async () => {
    write('plain/src/a', 'a');
    write('plain/node_modules/a', 'a');
    expect(await have('repo/nothing', 'nowhere', 'plain/src', 'plain/node_modules', 'repo')).toEqual([
      'repo/nothing',
      'nowhere',
    ]);
  });

  test('nothing that the repository names is run to find out, and nothing is left behind', async () => {
    const canary = join(root, 'canary');
    writeFileSync(canary, `#!/bin/sh\ntouch ${join(root, 'trace')}\ncat\n`);
    chmodSync(canary, 0o755);
    for (const key of ['core.fsmonitor', 'filter.x.clean', 'diff.external']) git('repo', 'config', key, canary);
    write('repo/.git/info/attributes', '* filter=x\n');
    write('repo/src/a.ts', 'changed');
    expect(await have('repo/src', 'repo/src/deep')).toEqual(['repo/src/deep']);
    expect(existsSync(join(root, 'trace'))).toBe(false);
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  });
});

describe('what is checked out', () => {
  const fakeGit = (script: string) => {
    mkdirSync(join(root, 'bin'), { recursive: true });
    writeFileSync(join(root, 'bin', 'git'), `#!/bin/sh\necho "$@" >> "${root}/asked"\n${script}\n`);
    chmodSync(join(root, 'bin', 'git'), 0o755);
    return { ...env(), PATH: `${join(root, 'bin')}:${process.env.PATH}` };
  };
  const head = (text: string) => writeFileSync(join(root, 'repo', '.git', 'HEAD'), text);

  test('is read from the files, and no git runs', async () => {
    git('repo', 'init', '-q', '-b', 'topic/one');
    const given = fakeGit('echo wrong');
    expect(checkedOut(join(root, 'repo'), given)).toBe('topic/one');
    expect(await checkedOutByGit(join(root, 'repo'), given)).toBeUndefined();
    expect(existsSync(join(root, 'asked'))).toBe(false);
  });

  test('is asked for where only git can read it, and a wrong answer is none', async () => {
    git('repo', 'init', '-q');
    head('ref: refs/heads/.invalid\n');
    const folder = join(root, 'repo');
    expect(checkedOut(folder, env())).toBeUndefined();
    expect(await checkedOutByGit(folder, fakeGit('echo topic/two'))).toBe('topic/two');
    const detached = 'case "$*" in *symbolic-ref*) exit 1;; *) echo 0123abcd;; esac';
    expect(await checkedOutByGit(folder, fakeGit(detached))).toBe('0123abcd');
    expect(await checkedOutByGit(folder, fakeGit('echo .invalid'))).toBeUndefined();
    expect(await checkedOutByGit(folder, fakeGit('printf "two\\nlines"'))).toBeUndefined();
    expect(await checkedOutByGit(folder, { ...env(), PATH: join(root, 'tmp') })).toBeUndefined();
  });
});
