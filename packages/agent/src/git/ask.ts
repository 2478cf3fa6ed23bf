/**
 * Git for a repository nobody has vouched for. Its configuration can name programs (monitors, filters, drivers, hooks), so
 * it is never read: git works in a folder of ours that borrows the repository's index and objects, and what the repository
 * says about itself is taken over only where it is harmless.
 */
import { lstatSync, mkdirSync, mkdtempSync, promises, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calmGitSettings } from '@tau/host';
import { isInside, readStart } from '../prompt/plain-file.ts';
import type { Repository } from './repository.ts';

const maxOutput = 2 * 1024 * 1024;

export interface GitAnswer {
  output: string;
  /** There was more. */
  cut: boolean;
}

/** `noneIsOne`: the command ends with 1 when it has nothing to say. */
export type Git = (args: readonly string[], options?: { noneIsOne?: boolean }) => Promise<GitAnswer>;

export interface GitLimits {
  env: NodeJS.ProcessEnv;
  /** Of each command. */
  waitMs: number;
}

/** `commit` is what is checked out; undefined before the first one. */
export async function askGit<T>(
  repository: Repository,
  limits: GitLimits,
  use: (git: Git, commit: string | undefined) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(limits.env.TMPDIR || tmpdir(), 'tau-git-'));
  try {
    const commit = headCommit(repository);
    prepare(folder, repository, commit);
    return await use(await createGit(folder, repository, limits), commit);
  } finally {
    // Three small files in the temp folder: whoever clears that clears them.
    await promises.rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** The commit that is checked out; undefined before the first one. Branches are files, or lines of one file. */
function headCommit({ head, commonDir }: Repository): string | undefined {
  if ('commit' in head) return head.commit;
  const name = `refs/heads/${head.branch}`;
  const loose = join(commonDir, name);
  if (lstatSync(loose, { throwIfNoEntry: false })) {
    // A link would give away what is checked out elsewhere.
    if (!isInside(realpathSync.native(loose), commonDir)) throw new Error('its branches are kept elsewhere');
    return oid(readStart(loose, 4096).text.trim());
  }
  const packed = join(commonDir, 'packed-refs');
  if (!lstatSync(packed, { throwIfNoEntry: false })) return undefined;
  const lines = readStart(packed, 16 * 1024 * 1024).text.split('\n');
  return oid(lines.find((line) => line.endsWith(` ${name}`))?.split(' ')[0]);
}

function oid(text: string | undefined): string | undefined {
  return text !== undefined && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;
}

function prepare(folder: string, repository: Repository, commit: string | undefined): void {
  const { gitDir, commonDir } = repository;
  const objects = join(commonDir, 'objects');
  const borrowed = lstatSync(join(objects, 'info', 'alternates'), { throwIfNoEntry: false });
  if (borrowed || realpathSync.native(objects) !== objects) throw new Error('its objects are kept elsewhere');
  const index = lstatSync(join(gitDir, 'index'), { throwIfNoEntry: false });
  if (index && !index.isFile()) throw new Error('its index is not a regular file');
  mkdirSync(join(folder, 'refs'));
  mkdirSync(join(folder, 'info'));
  writeFileSync(join(folder, 'HEAD'), `${commit ?? 'ref: refs/heads/unborn'}\n`);
  writeFileSync(join(folder, 'config'), harmlessConfig(textOf(join(commonDir, 'config'))));
  // Which files are ignored, and where a history without its beginning ends.
  writeFileSync(join(folder, 'info', 'exclude'), textOf(join(commonDir, 'info', 'exclude')));
  const shallow = textOf(join(commonDir, 'shallow'));
  if (shallow !== '') writeFileSync(join(folder, 'shallow'), shallow);
}

function textOf(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) ? readStart(path, 1024 * 1024).text : '';
}

/** How files are stored and compared: words from a short list, for keys from a short list. */
function harmlessConfig(text: string): string {
  const taken = [
    ...text.matchAll(/^\s*(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)\s*=\s*(\w+)\s*$/gim),
  ]
    .filter(([, , value = '']) => /^(true|false|input|lf|crlf|native)$/i.test(value))
    .map(([, key, value]) => `\t${key} = ${value}\n`);
  const sha256 = /^\s*objectformat\s*=\s*sha256\s*$/im.test(text);
  const version = `\trepositoryformatversion = ${sha256 ? 1 : 0}\n`;
  return `[core]\n${version}\tbare = false\n${taken.join('')}${sha256 ? '[extensions]\n\tobjectformat = sha256\n' : ''}`;
}

async function createGit(folder: string, { root, gitDir, commonDir }: Repository, { env, waitMs }: GitLimits) {
  const { execFile } = await import('node:child_process');
  const given = {
    PATH: env.PATH,
    HOME: env.HOME,
    LC_ALL: 'C.UTF-8',
    GIT_DIR: folder,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: join(gitDir, 'index'),
    GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
  const calm = calmGitSettings.flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const first = ['--no-pager', '--no-optional-locks', ...calm];

  const git: Git = (args, { noneIsOne = false } = {}) =>
    new Promise((done, failed) => {
      const limits = { timeout: waitMs, killSignal: 'SIGKILL', maxBuffer: maxOutput } as const;
      execFile('git', [...first, ...args], { cwd: root, env: given, ...limits }, (error, stdout, stderr) => {
        const cut = error !== null && 'code' in error && error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
        if (!error || cut || (noneIsOne && error.code === 1)) return done({ output: stdout, cut });
        const why = error.killed ? `git took longer than ${waitMs} ms` : stderr.trim().split('\n')[0] || error.message;
        failed(new Error(why));
      });
    });
  return git;
}
