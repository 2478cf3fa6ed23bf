/** A command that is to be contained, and what was decided about it. */
import type { ResolvedEffect } from '@tau/core';

/** What was decided about a call, until it runs. */
export interface DecidedCall {
  /** As its words say, all of them allowed; but hosts that nobody knows (`*`) are asked about when they are known. */
  effects: readonly ResolvedEffect[];
  /** It may only run in a sandbox. */
  contained: boolean;
}

export interface HeldCall {
  toolCallId: string;
  command: string;
  decided?: DecidedCall;
  /** Hosts that a rule opens to it. */
  hosts?: readonly string[];
  /** The user's own, as a hook: nobody is asked on its behalf. */
  own?: boolean;
}
