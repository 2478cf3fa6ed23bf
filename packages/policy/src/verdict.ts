/** One word on one thing, and the strictest of many. */
import type { Outcome } from '@tau/core';
import type { Rule } from './rules/rule.ts';

export interface Verdict {
  outcome: Outcome;
  reason: string;
  rule?: string;
  /** Asked every time: no rule is offered for it. */
  always?: boolean;
  /** With an allow: only because a sandbox holds it. */
  contained?: boolean;
}

export function allowedBy(rule: Rule): Verdict {
  return { outcome: 'allow', reason: `the rule ${rule.text} allows it`, rule: rule.text };
}

/** Of equals, one that a rule settled, else one that is asked every time, else the first. */
export function strictest(verdicts: readonly Verdict[]): Verdict | undefined {
  for (const outcome of ['deny', 'ask', 'allow'] as const) {
    const found = verdicts.filter((verdict) => verdict.outcome === outcome);
    const settled = found.find(({ rule }) => rule !== undefined) ?? found.find(({ always }) => always) ?? found[0];
    if (settled !== undefined) return settled;
  }
  return undefined;
}
