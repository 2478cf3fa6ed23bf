/** What the prompt says of the repository. The branch costs one file; git itself runs only where the user wants it. */
import type { GitContext } from './context.ts';
import { openRepository } from './repository.ts';
import { takeSnapshot } from './snapshot.ts';

export interface GitSettings {
  /** Status and history too, by running git. */
  enabled?: boolean;
  /** Lines of `git diff --stat`, 0 for none. */
  maxDiffLines?: number;
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
  if (!settings.enabled) return { git, warnings: [] };
  if (!trustedPath()) {
    return {
      git,
      warnings: ['git status is left out of the prompt: a folder of PATH is one where others put programs'],
    };
  }
  return takeSnapshot(repository, { env, maxDiffLines: settings.maxDiffLines ?? 0 }).then((taken) =>
    'problem' in taken ? { git, warnings: [taken.problem] } : { git: { ...git, ...taken.snapshot }, warnings: [] },
  );
}
