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
  return { outcome: 'allow', reason: `the rule ${nameOf(rule)} allows it`, rule: rule.text };
}

/** As a reason names it: with its file, where nobody would look for it. */
export function nameOf({ text, file }: Rule): string {
  return file === undefined ? text : `${text} of ${file}`;
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
