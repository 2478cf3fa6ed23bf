/** Which allow rule names which command of a line. */
import type { Part } from '../shell/analysis.ts';
import type { Invocation, Word } from '../shell/invocation.ts';
import { commandRules } from './match.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

/** A rule that names what starts another program (`timeout 5 npm test`) speaks for that program too. */
export function partRules(rules: readonly Rule[], parts: readonly Part[], subject: Subject): ReadonlyMap<Part, Rule> {
  const named = commandRules(rules, subject);
  const found = new Map<Part, Rule>();
  let outer: { rule: Rule; invocation: Invocation } | undefined;
  for (const part of parts) {
    const { invocation } = part;
    if (outer && !isHeld(invocation, outer.invocation, outer.rule)) outer = undefined;
    const rule = outer?.rule ?? named(invocation);
    if (rule === undefined) continue;
    found.set(part, rule);
    outer ??= { rule, invocation };
  }
  return found;
}

/** The same words at the end of its own; or anything at all, where the rule lets a shell run any text. */
function isHeld(inner: Invocation, outer: Invocation, { pattern }: Rule): boolean {
  if (inner.through.length <= outer.through.length) return false;
  if (isTail(inner.words, outer.words)) return true;
  if (pattern?.kind !== 'prefix') return false;
  const [program = '', ...options] = pattern.value.split(/\s+/);
  const shell = /^(.*\/)?(ba|da|z|k|)sh$/.test(program) && options.every((word) => word.startsWith('-'));
  return shell && outer.through.every((name, at) => name === inner.through[at]);
}

function isTail(words: readonly Word[], all: readonly Word[]): boolean {
  const start = all.length - words.length;
  return start > 0 && words.length > 0 && words.every((word, at) => word !== undefined && word === all[start + at]);
}
