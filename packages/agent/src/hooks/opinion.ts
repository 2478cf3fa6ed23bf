/**
 * What hooks said about a call, on top of what rules and mode say. They may want a question where there would be none, and
 * answer the usual one for the user; they never go against a denial, a rule, or what is asked about every time.
 */
import type { Decision, GateCall, PermissionMode } from '@tau/core';

export function withOpinion(decision: Decision, { hook }: GateCall, mode: PermissionMode): Decision {
  if (hook === undefined) return decision;
  const { offer, ...rest } = decision;
  if (hook.ask !== undefined) {
    // As an ask rule: this mode asks about nothing.
    if (decision.outcome === 'deny' || mode === 'dangerously') return decision;
    if (mode === 'plan' || mode === 'dontAsk') {
      return { ...rest, outcome: 'deny', reason: `${mode} mode does not ask, and ${hook.ask}` };
    }
    return { ...rest, outcome: 'ask', reason: hook.ask, everyTime: true };
  }
  const usual = decision.outcome === 'ask' && !decision.everyTime && decision.class !== 'dangerous' && mode !== 'plan';
  if (hook.allow === undefined || !usual || decision.rule !== undefined) return decision;
  return { ...rest, outcome: 'allow', reason: hook.allow };
}
