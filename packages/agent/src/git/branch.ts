/** What is checked out in a folder, from the repository's own files; git is asked only where no one else can read them. */
import { calmGitSettings, type Watching, watchFiles } from '@tau/host';
import { findHome } from '../config/home.ts';
import { projectRoot } from '../config/layers.ts';
import { withOwnPrograms } from '../own-programs.ts';
import { hasReftable, headFiles, openRepository } from './repository.ts';

const shortCommit = 8;

/** A branch, or the beginning of a commit where no branch is checked out. Undefined outside a repository. */
export function checkedOut(cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  const head = openRepository(projectRoot(cwd, findHome(env)))?.head;
  if (head === undefined) return undefined;
  return 'branch' in head ? head.branch : head.commit.slice(0, shortCommit);
}

/** Something else may be checked out now. */
export function watchCheckedOut(cwd: string, env: NodeJS.ProcessEnv, onChange: () => void): Watching {
  return watchFiles(headFiles(projectRoot(cwd, findHome(env))), onChange);
}

const waitMs = 2000;

/** The same where branches are in a table that only git reads. Undefined everywhere else, and no program runs. */
export async function checkedOutByGit(cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const root = projectRoot(cwd, findHome(env));
  if (!hasReftable(root)) return undefined;
  const { execFile } = await import('node:child_process');
  const calm = calmGitSettings.flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const given = {
    PATH: withOwnPrograms(env).PATH,
    HOME: env.HOME,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
  };
  const ask = (...args: readonly string[]) =>
    new Promise<string | undefined>((done) => {
      const limits = { cwd: root, env: given, timeout: waitMs, killSignal: 'SIGKILL', maxBuffer: 4096 } as const;
      execFile('git', ['--no-pager', ...calm, ...args], limits, (error, out) => {
        const line = error ? '' : out.trim();
        done(/^[^\s~^:?*[\\]{1,200}$/.test(line) && line !== '.invalid' ? line : undefined);
      });
    });
  return (
    (await ask('symbolic-ref', '--short', '-q', 'HEAD')) ?? ask('rev-parse', `--short=${shortCommit}`, '-q', 'HEAD')
  );
}
