/** Decides whether a call may happen. Deny beats ask beats allow, and the strictest word over all effects wins. */
import type { Decision, GateCall, PermissionMode, ResolvedEffect, ToolSource } from '@tau/core';
import { isReadOnly } from '@tau/core';
import { classOf } from './class.ts';
import { judgeLine, type LineVerdict } from './judge-line.ts';
import { lossOf } from './loss.ts';
import { judgeByMode } from './modes.ts';
import { hasCredentialsBelow, isCredential } from './paths/credentials.ts';
import { hasHiddenBelow, isHidden } from './paths/hidden.ts';
import { magicPlace } from './paths/magic.ts';
import { isOwnSettings, isProtectedWrite } from './paths/protected.ts';
import { foldPath, isInside, isPathEffect, pathForms, place } from './paths/scope.ts';
import type { Policy } from './policy.ts';
import type { Subject } from './rules/match.ts';
import { coverage, exactRule, metRule, networkRule, restricts, subjectOf, wholeRule } from './rules/match.ts';
import { parseRules } from './rules/parse.ts';
import type { Rule } from './rules/rule.ts';
import { suggestHosts, suggestRules } from './rules/suggest.ts';
import { allowedBy, nameOf, strictest, type Verdict } from './verdict.ts';

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
  const { always, contained, ...verdict } = verdictOn(subject, policy);
  const decision = { ...verdict, effects, class: classOf(subject) };
  if (verdict.outcome === 'allow' && contained) return { ...decision, contained };
  if (verdict.outcome !== 'ask') return decision;
  if (always || verdict.rule !== undefined) return { ...decision, everyTime: true };
  const offer = offerFor(call, subject, policy);
  return offer.length > 0 ? { ...decision, offer } : decision;
}

/** The rules that would have kept it from being asked, if there are any that narrow. */
function offerFor(call: GateCall, subject: Subject, policy: Policy): readonly string[] {
  const narrow = suggestRules(call, subject.effects, policy.scope.roots[0] ?? '/', subject.inside);
  // Where a sandbox asks about hosts, the host is what the question is about, not the command that wants it.
  const hosts = subject.inside ? suggestHosts(subject.effects, 'network') : [];
  return [hosts, narrow].find((offer) => wouldAllow(offer, subject, policy)) ?? [];
}

function wouldAllow(offer: readonly string[], subject: Subject, policy: Policy): boolean {
  const { rules, problems } = parseRules({ allow: offer });
  if (rules.length === 0 || problems.length > 0) return false;
  return verdictOn(subject, { ...policy, rules: [...policy.rules, ...rules] }).outcome === 'allow';
}

function verdictOn(subject: Subject, policy: Policy): Verdict {
  const denied = ruleVerdict('deny', subject, policy) ?? builtinDeny(subject) ?? hiddenDeny(subject);
  if (denied !== undefined) return denied;
  if (policy.mode === 'dangerously') return strictest(judgeWalled(subject, policy)) ?? unruled;
  const verdicts = judgeEffects(subject, policy);
  const asked = ruleVerdict('ask', subject, policy);
  if (asked !== undefined) verdicts.push(asked);
  if (subject.source !== 'builtin') verdicts.push(judgeSource(subject, policy));
  const strict = strictest(verdicts) ?? { outcome: 'allow', reason: 'it has no effects' };
  const contained = verdicts.some((one) => one.contained);
  const verdict: Verdict = contained ? { ...strict, contained } : strict;
  const silence = unasked[policy.mode];
  if (silence === undefined || verdict.outcome !== 'ask' || leavesPlan(subject, policy)) return verdict;
  return { ...verdict, outcome: 'deny', reason: `${silence}: ${verdict.reason}` };
}

const unruled: Verdict = { outcome: 'allow', reason: 'dangerously mode allows all but denies' };

/**
 * Where everything is allowed, and the user wants walls all the same: what leaves them is judged as in auto. Files that a
 * command only reads are left to the sandbox.
 */
function judgeWalled(subject: Subject, policy: Policy): Verdict[] {
  if (!policy.contained || subject.source !== 'builtin') return [];
  const asAuto: Policy = { ...policy, mode: 'auto' };
  if (subject.outside) return judgeEffects(subject, asAuto);
  const covering = coveringRules(subject, linesOf(subject, asAuto), asAuto);
  const leaving = subject.effects.filter(({ kind }) => kind === 'write' || (kind === 'read' && !subject.inside));
  return leaving.map((effect) => judge(effect, subject, asAuto, covering(effect), true));
}

function linesOf(subject: Subject, policy: Policy): LineVerdict[] {
  return subject.lines.map((line) => judgeLine(line, subject, policy));
}

function coveringRules(subject: Subject, judged: readonly LineVerdict[], policy: Policy) {
  const cover = coverage(policy.rules, subject);
  return (effect: ResolvedEffect): Rule | undefined => {
    if (judged.length === 0) return cover(effect);
    const rules = judged.map((line) => line.cover(effect));
    return rules.includes(undefined) ? undefined : rules[0];
  };
}

/** Each effect by itself; a command part by part, and then what it does, where no rule for a part covers that. */
function judgeEffects(subject: Subject, policy: Policy): Verdict[] {
  const judged = linesOf(subject, policy);
  const covering = coveringRules(subject, judged, policy);
  const exact = judged.length > 0 && judged.every((line) => line.exact);
  const lines = policy.mode === 'plan' ? [] : judged.map(({ verdict }) => verdict);
  return [...lines, ...subject.effects.map((effect) => judge(effect, subject, policy, covering(effect), exact))];
}

function ruleVerdict(outcome: 'deny' | 'ask', subject: Subject, policy: Policy): Verdict | undefined {
  const rule = policy.rules.find((one) => one.outcome === outcome && restricts(one, subject));
  if (rule === undefined) return undefined;
  return {
    outcome,
    reason: `the rule ${nameOf(rule)} ${outcome === 'deny' ? 'denies it' : 'asks first'}`,
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
    if (effect.kind === 'read' && effect.tree && forms.some((path) => hasCredentialsBelow(path, subject.scope))) {
      return {
        outcome: 'deny',
        reason: `below ${place(effect, subject.scope)} there are credentials, which tau never touches`,
      };
    }
    const [magic] = forms.flatMap((path) => magicPlace(foldPath(path)) ?? []);
    if (magic !== undefined) return { outcome: 'deny', reason: `${place(effect, subject.scope)} ${magic}` };
  }
  return undefined;
}

/** What the user hides. From a command in a sandbox the sandbox does, and tells of it. */
function hiddenDeny(subject: Subject): Verdict | undefined {
  const { scope } = subject;
  if (!scope.unreadable?.length || subject.inside) return undefined;
  const hidden = 'the setting sandbox.unreadable hides';
  for (const effect of subject.effects.filter(isPathEffect)) {
    const forms = pathForms(effect, scope);
    if (forms.some((path) => isHidden(path, scope))) {
      return { outcome: 'deny', reason: `${hidden} ${place(effect, scope)}` };
    }
    if (effect.kind === 'read' && effect.tree && forms.some((path) => hasHiddenBelow(path, scope))) {
      return {
        outcome: 'deny',
        reason: `${hidden} something below ${place(effect, scope)}; the grep tool leaves it out`,
      };
    }
  }
  return undefined;
}

/** One effect, in order: plan mode, what always asks, allow rules, then the mode's own word. */
function judge(
  effect: ResolvedEffect,
  subject: Subject,
  policy: Policy,
  rule: Rule | undefined,
  exact: boolean,
): Verdict {
  if (leavesPlan(subject, policy)) {
    return {
      outcome: 'ask',
      reason: 'the user approves the plan; if nobody is there, give the plan as your answer',
      always: true,
    };
  }
  if (policy.mode === 'plan' && effect.kind === 'exec') return judgePlanned(effect, subject);
  if (policy.mode === 'plan' && !isReadOnly(effect)) return { outcome: 'deny', reason: 'plan mode only reads' };
  if (effect.kind === 'net' && subject.inside) return judgeHost(effect.host, policy, rule);
  if (effect.kind === 'exec') return { outcome: 'allow', reason: 'its parts are allowed' };
  if (effect.kind === 'config') {
    return { outcome: 'ask', reason: `it changes the setting ${effect.key}`, always: true };
  }
  if (effect.kind === 'write' && pathForms(effect, policy.scope).some((path) => isProtectedWrite(path, policy.scope))) {
    const own = pathForms(effect, policy.scope).some((path) => isOwnSettings(path, policy.scope));
    const named = own ? undefined : exactRule(policy.rules, effect, subject);
    if (named !== undefined) return allowedBy(named);
    const reason = `${place(effect, policy.scope)} steers tau or other tools, so writing it always asks`;
    return { outcome: 'ask', reason, always: true };
  }
  if (effect.kind === 'read' && effect.tree) {
    const met = metRule(policy.rules, effect, subject);
    if (met !== undefined) {
      const reason = `it may read what the rule ${nameOf(met)} is about; the grep tool leaves that out`;
      return { outcome: 'ask', reason, always: true };
    }
  }
  const loss = exact ? undefined : lossOf(effect, policy.scope);
  if (loss !== undefined) return { outcome: 'ask', reason: loss, always: true };
  if (rule !== undefined) return allowedBy(rule);
  return openedVerdict(effect, subject, policy) ?? judgeByMode(effect, policy);
}

/** In a folder that the user opens to commands, what a command says that it does is held like what it does not say. */
function openedVerdict(effect: ResolvedEffect, subject: Subject, policy: Policy): Verdict | undefined {
  const { writable = [] } = policy.scope;
  if (policy.mode !== 'auto' || !isPathEffect(effect) || !subject.inside) return undefined;
  if (!isInside(effect, policy.scope, writable)) return undefined;
  return { outcome: 'allow', reason: `sandbox.writable opens ${place(effect, policy.scope)}`, contained: true };
}

/** In plan mode: what is proved to read, and whatever a sandbox keeps from writing and connecting. */
function judgePlanned(
  { readOnly, danger, outside }: Extract<ResolvedEffect, { kind: 'exec' }>,
  subject: Subject,
): Verdict {
  if (outside) return { outcome: 'deny', reason: 'plan mode runs nothing outside the sandbox' };
  if (readOnly) return { outcome: 'allow', reason: 'its parts are allowed' };
  if (danger !== undefined || !subject.inside) return { outcome: 'deny', reason: 'plan mode only reads' };
  return { outcome: 'allow', reason: 'the sandbox keeps it from changing anything', contained: true };
}

/** On this machine as the sandbox has it, which is a network of its own. */
const ownHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A host that a command in a sandbox connects to. One that nobody knows yet is asked about when it is known. */
function judgeHost(host: string, policy: Policy, rule: Rule | undefined): Verdict {
  const never = policy.unreachable?.(host);
  if (never !== undefined) return { outcome: 'deny', reason: never };
  const named = rule ?? (host === '*' ? undefined : networkRule(policy.rules, host));
  if (named !== undefined) return allowedBy(named);
  if (host === '*' && policy.mode === 'auto') {
    return { outcome: 'allow', reason: 'the sandbox asks about each new host', contained: true };
  }
  if (ownHost.test(host) && policy.mode === 'auto') {
    return { outcome: 'allow', reason: 'in the sandbox only servers of the session are there', contained: true };
  }
  return judgeByMode({ kind: 'net', host }, policy);
}

/** The one thing plan mode asks for: whether the plan is good, so that the mode may end. */
function leavesPlan({ source, tool, effects }: Subject, { mode }: Policy): boolean {
  if (mode !== 'plan' || source !== 'builtin' || tool !== 'plan_exit') return false;
  return effects.length > 0 && effects.every((effect) => effect.kind === 'config' && effect.key === 'permissionMode');
}

/** A tool that is not ours may do more than it says, so only a rule that names it lets it through. */
function judgeSource(subject: Subject, policy: Policy): Verdict {
  const named = wholeRule(policy.rules, subject);
  if (named !== undefined) return allowedBy(named);
  if (policy.mode === 'plan') return { outcome: 'deny', reason: 'plan mode only reads' };
  const from = subject.source === 'mcp' ? 'an MCP server' : 'an extension';
  return { outcome: 'ask', reason: `${subject.tool} comes from ${from} and no rule allows it` };
}
