/** May this happen? The answer, the question to a person, and the modes. */
import type { CommandClass, ResolvedEffect } from './effect.ts';

export const permissionModes = [
  'default',
  'acceptEdits',
  'trustProject',
  'plan',
  'auto',
  'dontAsk',
  'dangerously',
] as const;
export type PermissionMode = (typeof permissionModes)[number];

export type Outcome = 'allow' | 'ask' | 'deny';

export interface Decision {
  outcome: Outcome;
  reason: string;
  /** The rule that settled it, as the user wrote it. */
  rule?: string;
  effects: readonly ResolvedEffect[];
  class: CommandClass;
  /**
   * With an ask: the rules that would allow exactly this from now on, for "this session" and "always". Absent when
   * there is no rule that narrow, or when it must be asked every time. With a plan: what any yes to it allows for the
   * session.
   */
  offer?: readonly string[];
  /** With an ask: put to a person each time, whatever was said before. Only a plan brings rules then, and no standing yes counts. */
  everyTime?: boolean;
  /** With an allow: only because a sandbox holds the command. It must not run without one, and new hosts are asked about. */
  contained?: boolean;
}

export interface Ask {
  id: string;
  toolCallId: string;
  toolName: string;
  input: Record<string, unknown>;
  decision: Decision;
}

/** For how long a yes holds: this call, this session (also when it is resumed), or every session in this project. */
export const grantScopes = ['once', 'session', 'always'] as const;
export type GrantScope = (typeof grantScopes)[number];

/**
 * The first answer wins. More than `once` grants the rules that the decision offers, and nothing where it offers none.
 * `unattended`: nobody was there to ask, which is a denial that the run reports. `standing`: nobody was asked about this
 * very call, because the user has answered for all of its kind.
 */
export type Answer =
  | { outcome: 'allow'; scope?: GrantScope; standing?: boolean }
  | { outcome: 'deny'; feedback?: string; unattended?: boolean; standing?: boolean };
