/** What was changed since the last commit, as git tells it: for people, through a git that runs nothing of the repository's. */
import { TauError } from '@tau/core';
import { findHome } from '../config/home.ts';
import { projectRoot } from '../config/layers.ts';
import { askGit } from './ask.ts';
import { openRepository } from './repository.ts';

export interface Changes {
  /** A unified diff of what git knows; empty when nothing changed. */
  diff: string;
  /** Files git does not know, by their path below the project. */
  untracked: string[];
  /** There was more than is told. */
  cut: boolean;
}

const waitMs = 10_000;

/** Throws outside a repository, and where git cannot be asked. */
export async function changesIn(cwd: string, env: NodeJS.ProcessEnv): Promise<Changes> {
  const repository = openRepository(projectRoot(cwd, findHome(env)));
  if (!repository) throw new TauError('usage', 'This folder is in no git repository');
  return askGit(repository, { env, waitMs }, async (git, commit) => {
    const [diff, status] = await Promise.all([
      git([...unified, ...(commit === undefined ? ['--cached'] : ['HEAD']), '--']),
      git(['status', '--porcelain', '-z', '--untracked-files=normal', '--ignore-submodules=all', '--no-renames']),
    ]);
    const untracked = status.output.split('\0').flatMap((line) => (line.startsWith('?? ') ? [line.slice(3)] : []));
    return { diff: diff.output, untracked, cut: diff.cut || status.cut };
  });
}

const unified = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all'];
