/** Status, history and changes of a repository, in short, for the prompt. */
import { describeError } from '@tau/core';
import { askGit, type GitAnswer } from './ask.ts';
import type { Excerpt, GitContext } from './context.ts';
import type { Repository } from './repository.ts';

const statusLines = 50;
const commitLines = 5;
const lineChars = 200;
const waitMs = 1000;

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
  const { env, maxDiffLines } = options;
  try {
    const snapshot = await askGit(repository, { env, waitMs }, async (git, commit) => {
      const ask = async (args: readonly string[], lines: number) => excerpt(await git(args), lines);
      const none: Excerpt = { lines: [], cut: false };
      const born = commit !== undefined;
      const [status, commits, diff] = await Promise.all([
        ask(['status', '--porcelain', '--ignore-submodules=all', '--untracked-files=normal'], statusLines),
        born ? ask(['log', `-${commitLines}`, '--no-show-signature', '--format=%h %s'], commitLines) : none,
        born && maxDiffLines > 0 ? ask([...diffStat, 'HEAD', '--'], maxDiffLines) : none,
      ]);
      return { status, commits, ...(maxDiffLines > 0 && { diff }) };
    });
    return { snapshot };
  } catch (error) {
    return { problem: `git status is left out of the prompt: ${describeError(error)}` };
  }
}

const diffStat = ['diff', '--stat=100', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all'];

function excerpt({ output, cut }: GitAnswer, maxLines: number): Excerpt {
  const lines = output.split('\n').filter((line) => line !== '');
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > lineChars ? `${line.slice(0, lineChars)}…` : line));
  return { lines: shown, cut: cut || lines.length > maxLines };
}
