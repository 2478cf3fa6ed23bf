/**
 * Hooks: what users have run at fixed points of a session. What a hook is told and what it may say, whoever it is: a
 * command of the settings, an address, or a function of an extension.
 */
import type { ResolvedEffect } from './effect.ts';
import type { ToolInput } from './tool.ts';

export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'PostSampling',
  'Stop',
  'Notification',
  'SessionStart',
  'SessionEnd',
  'Setup',
  'FileChanged',
  'Compact',
] as const;
export type HookEvent = (typeof hookEvents)[number];

/** What a hook is told, as JSON: in the words that Claude Code's hooks know, so that one script serves both. */
export interface HookInput {
  hook_event_name: HookEvent;
  session_id: string;
  /** Empty for a session that is kept in memory only. */
  transcript_path: string;
  cwd: string;
  permission_mode: string;
  tool_name?: string;
  tool_use_id?: string;
  tool_input?: ToolInput;
  /** `truncated`: there was more of it. */
  tool_response?: { text: string; is_error: boolean; truncated?: boolean };
  prompt?: string;
  /** `PostSampling`: what the model said. `Stop`: the answer that the run would stop with. */
  text?: string;
  /** The run goes on because a `Stop` hook wanted it to. */
  stop_hook_active?: boolean;
  message?: string;
  notification_type?: string;
  /** `SessionStart`: startup or resume. */
  source?: string;
  /** `SessionEnd`: how the last run ended. */
  reason?: string;
  file_path?: string;
  /** `Compact`: what made it happen. */
  trigger?: string;
}

/** What happened, for hooks within tau: with what JSON has no place for. */
export interface HookMoment {
  input: HookInput;
  /** What the call did. */
  effects: readonly ResolvedEffect[];
}

/**
 * A hook's word. `deny` goes before `retry` before what it changes before `allow`. An `allow` answers an ordinary
 * question for the user; it never goes against a rule, and without one the hook has no objection.
 */
export interface HookWord {
  action?: 'allow' | 'ask' | 'retry' | 'deny';
  reason?: string;
  /** Another input for the call; it is checked and judged like the first. */
  input?: ToolInput;
  /** Instead of what the model said, or of what the call gave. */
  text?: string;
  /** For the model, beside what it is told anyway. */
  context?: string;
  /** For the user. */
  notice?: string;
  /** The run ends here, and why. */
  halt?: string;
}

/** A word on a call that the policy has to take into account. */
export interface HookOpinion {
  /** Somebody is asked even where nobody would be. */
  ask?: string;
  /** Nobody is asked where only the usual question stands in the way. */
  allow?: string;
}
