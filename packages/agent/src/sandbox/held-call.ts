/** A command that is to be contained, and what was decided about it. */
import type { ResolvedEffect } from '@tau/core';

/** What was decided about a call, until it runs. */
export interface DecidedCall {
  effects: readonly ResolvedEffect[];
  /** A person or a rule said yes to all of it: what it says that it does may happen. */
  approved: boolean;
  /** It may only run in a sandbox. */
  contained: boolean;
}

export interface HeldCall {
  toolCallId: string;
  command: string;
  decided?: DecidedCall;
  /** The user's own, as a hook: nobody is asked on its behalf. */
  own?: boolean;
}
