/** What the prompt says of the repository. The branch costs one file; git itself runs only where the user wants it. */
import type { GitContext } from './context.ts';
import type { AskedPullRequest } from './pull-request.ts';
import { openRepository, type Repository } from './repository.ts';
import { takeSnapshot } from './snapshot.ts';

export interface GitSettings {
  /** Status and history too, by running git. */
  enabled?: boolean;
  /** Lines of `git diff --stat`, 0 for none. */
  maxDiffLines?: number;
  /** The branch's pull request, by running gh. */
  pullRequest?: boolean;
}

export interface GitResult {
  git?: GitContext;
  warnings: string[];
}

export interface GitOptions {
  root: string;
  settings: GitSettings;
  env: NodeJS.ProcessEnv;
  /** Whether a plain `git` can only be the user's: see `isTrustedPath`. */
  trustedPath(): boolean;
}

/** At once where no program has to be waited for. */
export function readGit({ root, settings, env, trustedPath }: GitOptions): GitResult | Promise<GitResult> {
  const repository = openRepository(root);
  if (!repository) return { warnings: [] };
  const git = repository.head;
  const { enabled = false, pullRequest = false, maxDiffLines = 0 } = settings;
  if (!enabled && !pullRequest) return { git, warnings: [] };
  if (!trustedPath()) {
    const what = [...(enabled ? ['git status'] : []), ...(pullRequest ? ['the pull request'] : [])].join(' and ');
    const verb = enabled && pullRequest ? 'are' : 'is';
    const why = 'a folder of PATH is one where others put programs';
    return { git, warnings: [`${what} ${verb} left out of the prompt: ${why}`] };
  }
  return runPrograms(repository, { enabled, pullRequest, maxDiffLines }, env);
}

async function runPrograms(
  repository: Repository,
  { enabled, pullRequest, maxDiffLines }: Required<GitSettings>,
  env: NodeJS.ProcessEnv,
): Promise<GitResult> {
  const noRequest: AskedPullRequest = {};
  const [taken, asked] = await Promise.all([
    enabled ? takeSnapshot(repository, { env, maxDiffLines }) : { snapshot: {} },
    pullRequest ? requestOf(repository, env) : noRequest,
  ]);
  const problems = ['problem' in taken ? taken.problem : undefined, 'problem' in asked ? asked.problem : undefined];
  const snapshot = 'snapshot' in taken ? taken.snapshot : {};
  const found = 'pullRequest' in asked ? asked : {};
  const warnings = problems.filter((one) => one !== undefined);
  return { git: { ...repository.head, ...snapshot, ...found }, warnings };
}

async function requestOf(repository: Repository, env: NodeJS.ProcessEnv): Promise<AskedPullRequest> {
  const { askPullRequest } = await import('./pull-request.ts');
  return askPullRequest(repository, env);
}
