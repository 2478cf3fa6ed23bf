/** What is checked out in a folder, from the repository's own files: no program runs. */
import { findHome } from '../config/home.ts';
import { projectRoot } from '../config/layers.ts';
import { openRepository } from './repository.ts';

const shortCommit = 8;

/** A branch, or the beginning of a commit where no branch is checked out. Undefined outside a repository. */
export function checkedOut(cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  const head = openRepository(projectRoot(cwd, findHome(env).user))?.head;
  if (head === undefined) return undefined;
  return 'branch' in head ? head.branch : head.commit.slice(0, shortCommit);
}
