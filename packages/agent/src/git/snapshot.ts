/**
 * Asks `git` for status, history and changes of a repository nobody has vouched for. Its configuration can name programs
 * (monitors, filters, drivers, hooks), so it is never read: git works in a folder of ours that borrows the repository's
 * index and objects, and what the repository says about itself is taken over only where it is harmless.
 */
import { lstatSync, mkdirSync, mkdtempSync, promises, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from '@tau/core';
import { isInside, readStart } from '../prompt/plain-file.ts';
import type { Excerpt, GitContext } from './context.ts';
import type { Repository } from './repository.ts';

const statusLines = 50;
const commitLines = 5;
const lineChars = 200;
const waitMs = 1000;
const maxOutput = 256 * 1024;

export interface SnapshotOptions {
  env: NodeJS.ProcessEnv;
  maxDiffLines: number;
}

export type Snapshot = Pick<GitContext, 'status' | 'commits' | 'diff'>;

/** What git says, or why it is left out. Late is as good as never: nobody waits for it longer than a second. */
export async function takeSnapshot(
  repository: Repository,
  options: SnapshotOptions,
): Promise<{ snapshot: Snapshot } | { problem: string }> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(options.env.TMPDIR || tmpdir(), 'tau-git-'));
    const commit = headCommit(repository);
    prepare(folder, repository, commit);
    const git = await createGit(folder, repository, options.env);
    const none: Excerpt = { lines: [], cut: false };
    const born = commit !== undefined;
    const [status, commits, diff] = await Promise.all([
      git(['status', '--porcelain', '--ignore-submodules=all', '--untracked-files=normal'], statusLines),
      born ? git(['log', `-${commitLines}`, '--no-show-signature', '--format=%h %s'], commitLines) : none,
      born && options.maxDiffLines > 0 ? git([...diffStat, 'HEAD', '--'], options.maxDiffLines) : none,
    ]);
    return { snapshot: { status, commits, ...(options.maxDiffLines > 0 && { diff }) } };
  } catch (error) {
    return { problem: `git status is left out of the prompt: ${describeError(error)}` };
  } finally {
    // Three small files in the temp folder: whoever clears that clears them.
    if (folder !== undefined) await promises.rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

const diffStat = ['diff', '--stat=100', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all'];

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

async function createGit(folder: string, { root, gitDir, commonDir }: Repository, env: NodeJS.ProcessEnv) {
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
  const overrides = ['core.fsmonitor=false', 'core.untrackedCache=false', 'core.hooksPath=/dev/null'];
  const first = ['--no-pager', '--no-optional-locks', ...overrides.flatMap((setting) => ['-c', setting])];

  return (args: readonly string[], maxLines: number): Promise<Excerpt> =>
    new Promise((done, failed) => {
      const limits = { timeout: waitMs, killSignal: 'SIGKILL', maxBuffer: maxOutput } as const;
      execFile('git', [...first, ...args], { cwd: root, env: given, ...limits }, (error, stdout, stderr) => {
        const full = error !== null && 'code' in error && error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
        if (error && !full) {
          const why = error.killed
            ? `git took longer than ${waitMs} ms`
            : stderr.trim().split('\n')[0] || error.message;
          return failed(new Error(why));
        }
        done(excerpt(stdout, maxLines));
      });
    });
}

function excerpt(output: string, maxLines: number): Excerpt {
  const lines = output.split('\n').filter((line) => line !== '');
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > lineChars ? `${line.slice(0, lineChars)}…` : line));
  return { lines: shown, cut: lines.length > maxLines };
}
