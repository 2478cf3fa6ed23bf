/** What is known of a project's trust. */
import type { Content } from './content.ts';

export interface ContentChange {
  /** Within the project. */
  path: string;
  change: 'new' | 'changed' | 'gone';
}

export interface ProjectTrust {
  /** Links followed. Absent where there is no project, as in the user's home. */
  root?: string;
  content: Content;
  /** What was said last, also when it was said about something else than what is there now. */
  decision?: 'yes' | 'no';
  /** What is another since it was said. */
  changed: readonly ContentChange[];
  /** A yes to exactly this. */
  trusted: boolean;
  /** What is wrong with the record or the content, so that nothing is trusted. */
  problem?: string;
  /** Whether what stands in a file, by its path within the project, counts like the user's own. Never one that leads out. */
  covers(path: string): boolean;
  /** The same for the rules of a file of Claude Code, by their hash: a yes to exactly these. */
  coversRules(path: string, hash: string | undefined): boolean;
}

/** `nothing to trust`: nothing of the project would count differently. */
export type TrustState = 'trusted' | 'untrusted' | 'nothing to trust';
