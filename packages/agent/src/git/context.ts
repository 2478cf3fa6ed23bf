/** What the model is told of the repository, taken once when the session begins. */

export interface GitContext {
  /** Undefined when no branch is checked out. */
  branch?: string;
  /** The commit that is checked out, where there is no branch. */
  commit?: string;
  /** Lines of `git status --porcelain`. */
  status?: Excerpt;
  /** Subjects, the newest first. */
  commits?: Excerpt;
  /** Lines of `git diff --stat`. */
  diff?: Excerpt;
  /** The branch's. */
  pullRequest?: PullRequest;
}

/** Its words are other people's. Empty where nothing is known. */
export interface PullRequest {
  number: number;
  title: string;
  url: string;
  /** `open`, `closed` or `merged`. */
  state: string;
  draft: boolean;
  base: string;
}

export interface Excerpt {
  lines: readonly string[];
  /** There was more. */
  cut: boolean;
}
