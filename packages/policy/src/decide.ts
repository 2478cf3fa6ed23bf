/** Decides whether a call may happen. Deny beats ask beats allow, and the strictest word over all effects wins. */
import type { Decision, GateCall, Outcome, PermissionMode, ResolvedEffect, ToolSource } from '@tau/core';
import { isReadOnly } from '@tau/core';
import { isCredential, isProtectedWrite } from './paths/protected.ts';
import type { PathEffect, PathScope } from './paths/scope.ts';
import { absolutePath, bothForms, isPathEffect, isWithin, pathForms } from './paths/scope.ts';
import type { Subject } from './rules/match.ts';
import { allowsTool, coverage, exactRule, restricts, subjectOf } from './rules/match.ts';
import type { Rule } from './rules/parse.ts';

interface Policy {
  mode: PermissionMode;
  rules: readonly Rule[];
  scope: PathScope;
  /** See `isTrustedPath`. */
  trustedPath: boolean;
}

interface Verdict {
  outcome: Outcome;
  reason: string;
  rule?: string;
}

/** Modes in which nothing asks, and what is said instead. */
const unasked: Readonly<Partial<Record<PermissionMode, string>>> = {
  plan: 'plan mode does not ask',
  dontAsk: 'dontAsk mode denies what would ask',
};

export function decide(
  call: GateCall,
  source: ToolSource,
  effects: readonly ResolvedEffect[],
  policy: Policy,
): Decision {
  const subject = subjectOf(call, source, effects, policy);
  return { ...verdictOn(subject, policy), effects };
}

function verdictOn(subject: Subject, policy: Policy): Verdict {
  const denied = ruleVerdict('deny', subject, policy) ?? builtinDeny(subject);
  if (denied !== undefined) return denied;
  if (policy.mode === 'dangerously') return { outcome: 'allow', reason: 'dangerously mode allows all but denies' };
  const cover = coverage(policy.rules, subject);
  const verdicts = subject.effects.map((effect) => judge(effect, subject, policy, cover(effect)));
  const asked = ruleVerdict('ask', subject, policy);
  if (asked !== undefined) verdicts.push(asked);
  if (subject.source !== 'builtin') verdicts.push(judgeSource(subject, policy));
  const verdict = strictest(verdicts) ?? { outcome: 'allow', reason: 'it has no effects' };
  const silence = unasked[policy.mode];
  if (silence === undefined || verdict.outcome !== 'ask' || leavesPlan(subject, policy)) return verdict;
  return { ...verdict, outcome: 'deny', reason: `${silence}: ${verdict.reason}` };
}

function ruleVerdict(outcome: 'deny' | 'ask', subject: Subject, policy: Policy): Verdict | undefined {
  const rule = policy.rules.find((one) => one.outcome === outcome && restricts(one, subject));
  if (rule === undefined) return undefined;
  return {
    outcome,
    reason: `the rule ${rule.text} ${outcome === 'deny' ? 'denies it' : 'asks first'}`,
    rule: rule.text,
  };
}

/** What no mode and no rule allows. */
function builtinDeny(subject: Subject): Verdict | undefined {
  for (const effect of subject.effects) {
    if (!isPathEffect(effect)) continue;
    const forms = pathForms(effect, subject.scope);
    if (forms.some((path) => path.includes('\0'))) return { outcome: 'deny', reason: 'a path has a NUL byte in it' };
    if (forms.some((path) => isCredential(path, subject.scope))) {
      return { outcome: 'deny', reason: `${place(effect, subject.scope)} holds credentials, which tau never touches` };
    }
  }
  return undefined;
}

/** One effect, in order: plan mode, what always asks, allow rules, then the mode's own word. */
function judge(effect: ResolvedEffect, subject: Subject, policy: Policy, rule: Rule | undefined): Verdict {
  if (leavesPlan(subject, policy)) {
    return { outcome: 'ask', reason: 'the user approves the plan; if nobody is there, give the plan as your answer' };
  }
  if (policy.mode === 'plan' && !isReadOnly(effect)) return { outcome: 'deny', reason: 'plan mode only reads' };
  if (effect.kind === 'config') return { outcome: 'ask', reason: `it changes the setting ${effect.key}` };
  if (effect.kind === 'write' && pathForms(effect, policy.scope).some((path) => isProtectedWrite(path, policy.scope))) {
    const exact = exactRule(policy.rules, effect, subject);
    return exact === undefined
      ? {
          outcome: 'ask',
          reason: `${place(effect, policy.scope)} steers tau or other tools, so writing it always asks`,
        }
      : allowedBy(exact);
  }
  return rule === undefined ? judgeByMode(effect, policy) : allowedBy(rule);
}

/** The one thing plan mode asks for: whether the plan is good, so that the mode may end. */
function leavesPlan({ source, tool, effects }: Subject, { mode }: Policy): boolean {
  if (mode !== 'plan' || source !== 'builtin' || tool !== 'plan_exit') return false;
  return effects.length > 0 && effects.every((effect) => effect.kind === 'config' && effect.key === 'permissionMode');
}

function judgeByMode(effect: Exclude<ResolvedEffect, { kind: 'config' }>, { mode, scope }: Policy): Verdict {
  switch (effect.kind) {
    case 'read':
      return isInside(effect, scope, [...scope.roots, ...scope.temp, ...scope.toolchain])
        ? { outcome: 'allow', reason: `it reads ${place(effect, scope)}` }
        : { outcome: 'ask', reason: `it reads ${place(effect, scope)}, outside the project` };
    case 'write': {
      if (!isInside(effect, scope, [...scope.roots, ...scope.temp])) {
        return { outcome: 'ask', reason: `it writes ${place(effect, scope)}, outside the project` };
      }
      return { outcome: writesInside(mode) ? 'allow' : 'ask', reason: `it writes ${place(effect, scope)}` };
    }
    case 'exec':
      return effect.readOnly
        ? { outcome: 'allow', reason: 'the command only reads' }
        : { outcome: 'ask', reason: 'the command is not proved to be read-only' };
    case 'spawn':
      return { outcome: mode === 'trustProject' ? 'allow' : 'ask', reason: `it starts the agent ${effect.agent}` };
    case 'net':
      return { outcome: 'ask', reason: `it connects to ${effect.host}` };
    case 'mcp':
      return { outcome: 'ask', reason: `it calls ${effect.tool} of the MCP server ${effect.server}` };
    case 'other':
      return { outcome: 'ask', reason: effect.what };
  }
}

function writesInside(mode: PermissionMode): boolean {
  return mode === 'acceptEdits' || mode === 'trustProject' || mode === 'auto';
}

/** A tool that is not ours may do more than it says, so only a rule that names it lets it through. */
function judgeSource(subject: Subject, policy: Policy): Verdict {
  const named = policy.rules.find((rule) => allowsTool(rule, subject) && rule.pattern === undefined);
  if (named !== undefined) return allowedBy(named);
  if (policy.mode === 'plan') return { outcome: 'deny', reason: 'plan mode only reads' };
  const from = subject.source === 'mcp' ? 'an MCP server' : 'an extension';
  return { outcome: 'ask', reason: `${subject.tool} comes from ${from} and no rule allows it` };
}

function allowedBy(rule: Rule): Verdict {
  return { outcome: 'allow', reason: `the rule ${rule.text} allows it`, rule: rule.text };
}

function isInside(effect: PathEffect, scope: PathScope, folders: readonly string[]): boolean {
  return bothForms(effect, scope, (path) => folders.some((folder) => isWithin(path, folder)));
}

/** A path for a person: as written, and where it leads if that is not what it says. */
function place(effect: PathEffect, scope: PathScope): string {
  const { path, resolved } = effect;
  return resolved === undefined || resolved === absolutePath(path, scope) ? path : `${path} (${resolved})`;
}

function strictest(verdicts: readonly Verdict[]): Verdict | undefined {
  for (const outcome of ['deny', 'ask', 'allow'] as const) {
    const found = verdicts.filter((verdict) => verdict.outcome === outcome);
    const settled = found.find((verdict) => verdict.rule !== undefined) ?? found[0];
    if (settled !== undefined) return settled;
  }
  return undefined;
}
