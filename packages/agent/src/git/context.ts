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
}

export interface Excerpt {
  lines: readonly string[];
  /** There was more. */
  cut: boolean;
}
