/** May this happen? The answer, the question to a person, and the modes. */
import type { ResolvedEffect } from './effect.ts';

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
}

export interface Ask {
  id: string;
  toolCallId: string;
  toolName: string;
  input: Record<string, unknown>;
  decision: Decision;
}

/** The first answer wins. `unattended`: nobody was there to ask, which is a denial that the run reports. */
export type Answer = { outcome: 'allow' } | { outcome: 'deny'; feedback?: string; unattended?: boolean };
