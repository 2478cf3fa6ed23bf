/**
 * A command line, part by part. Every part must be allowed: by a rule that names it, or because all it does is known and
 * allowed. What a part does is covered by the rule for the part; what a redirection opens never is.
 */
import type { Effect } from '@tau/core';
import { isProtectedWrite } from './paths/protected.ts';
import { foldPath, isWithin } from './paths/scope.ts';
import type { Policy } from './policy.ts';
import type { Subject } from './rules/match.ts';
import { hiddenRule, lineRule, mentionedRule, wholeRule } from './rules/match.ts';
import { partRules } from './rules/parts.ts';
import type { Rule } from './rules/rule.ts';
import { mentionsOf } from './rules/subject.ts';
import type { Part } from './shell/analysis.ts';
import { isHarmlessAssignment } from './shell/walk/variables.ts';
import { allowedBy, nameOf, strictest, type Verdict } from './verdict.ts';

export interface LineVerdict {
  verdict: Verdict;
  /** The rule that covers an effect of the line: all parts that have it must be covered. */
  cover(effect: Effect): Rule | undefined;
  /** The rule names the very line, so that even its dangers are meant. */
  exact: boolean;
}

export function judgeLine(line: string, subject: Subject, policy: Policy): LineVerdict {
  const whole = wholeRule(policy.rules, subject);
  const exact = lineRule(policy.rules, line, subject) ?? (subject.source === 'builtin' ? undefined : whole);
  if (exact) return { verdict: allowedBy(exact), cover: () => exact, exact: true };
  const { parts, redirects, problem, ...rest } = subject.analyse(line);
  if (problem !== undefined) {
    return uncovered(subject.outside ? leaving : ask(`the command cannot be taken apart: ${problem}`));
  }
  const dangers: Verdict[] = parts
    .flatMap(({ finding }) => finding.danger ?? [])
    .map((why) => ({ ...ask(why), always: true }));
  const hidden = hiddenWord(line, subject, policy);
  if (whole) {
    const guards = [...hidden, ...parts.flatMap((part) => mention(part, subject, policy))];
    return { verdict: strictest([...dangers, ...guards]) ?? allowedBy(whole), cover: () => whole, exact: false };
  }
  const covers = new Map<string, Rule | undefined>();
  const named = partRules(policy.rules, parts, subject);
  const held = policy.mode === 'auto' && subject.inside;
  const doubts = rest.doubts.map((why) => (held ? contained() : ask(why)));
  const verdicts: Verdict[] = [...dangers, ...hidden, ...doubts];
  const deeds = parts.filter(({ invocation }) => !invocation.wrapper);
  if (subject.outside && (deeds.length === 0 || deeds.some((part) => !named.has(part)))) verdicts.push(leaving);
  for (const part of deeds) {
    const rule = named.get(part);
    const own = () => (held && !part.finding.known ? contained() : judgePart(part, policy));
    verdicts.push(...(rule ? [allowedBy(rule)] : [own(), ...mention(part, subject, policy)]));
    for (const effect of part.finding.effects) addCover(covers, effect, rule);
  }
  for (const effect of redirects) addCover(covers, effect, undefined);
  return {
    verdict: strictest(verdicts) ?? { outcome: 'allow', reason: 'it starts nothing' },
    cover: (effect) => covers.get(effectKey(effect)),
    exact: false,
  };
}

/** An ask or deny rule may be about a word that nobody knows yet. */
function hiddenWord(line: string, subject: Subject, { rules }: Policy): Verdict[] {
  const rule = hiddenRule(rules, line, subject);
  return rule ? [ask(`a word of it is known only when it runs, and the rule ${nameOf(rule)} may be about that`)] : [];
}

/** An ask or deny rule is about changing a path that an unknown program is given, whatever that does with it. */
function mention(part: Part, subject: Subject, { rules }: Policy): Verdict[] {
  if (part.finding.known || part.invocation.wrapper) return [];
  const rule = mentionedRule(rules, part, subject);
  return rule ? [ask(`it may change what the rule ${nameOf(rule)} is about`)] : [];
}

function uncovered(verdict: Verdict): LineVerdict {
  return { verdict, cover: () => undefined, exact: false };
}

/** A part that no rule names. What a known one does is judged effect by effect. */
function judgePart({ invocation, finding }: Part, policy: Policy): Verdict {
  const name = invocation.words[0] ?? 'a program';
  if (finding.known) return { outcome: 'allow', reason: `all that ${name} does is known` };
  if (policy.mode === 'trustProject' && staysInside({ invocation, finding }, policy)) {
    return { outcome: 'allow', reason: `${name} works in the project` };
  }
  const why = finding.why === undefined ? '' : `: ${finding.why}`;
  return ask(`the command is not proved to be read-only${why}`);
}

/** Nothing in its words leads out of the project, and none of them is a secret of the shell. */
function staysInside({ invocation, finding }: Part, { scope }: Policy): boolean {
  const { words, folders, open, assigns } = invocation;
  if (open || folders === undefined || finding.class === 'network' || finding.class === 'process-control') return false;
  if (!assigns.every(isHarmlessAssignment)) return false;
  const places = [...scope.roots, ...scope.temp].map(foldPath);
  const inside = (path: string) => places.some((folder) => isWithin(path, folder));
  if (!folders.every((folder) => inside(foldPath(folder))) || words.includes(undefined)) return false;
  const given = mentionsOf([{ finding, invocation: { ...invocation, words: words.slice(1) } }], scope);
  return given.every((path) => inside(path) && !isProtectedWrite(path, scope));
}

/** No rule for commands in the sandbox is one for this, so none is offered. */
const leaving: Verdict = { outcome: 'ask', reason: 'it asks to run outside the sandbox', always: true };

function contained(): Verdict {
  return { outcome: 'allow', reason: 'it runs in the sandbox', contained: true };
}

function ask(reason: string): Verdict {
  return { outcome: 'ask', reason };
}

function addCover(covers: Map<string, Rule | undefined>, effect: Effect, rule: Rule | undefined): void {
  const key = effectKey(effect);
  covers.set(key, covers.has(key) ? covers.get(key) && rule : rule);
}

function effectKey(effect: Effect): string {
  const { kind } = effect;
  const what = kind === 'read' || kind === 'write' ? effect.path : kind === 'net' ? effect.host : '';
  return `${kind} ${what}`;
}
