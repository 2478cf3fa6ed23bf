/** The words of several hooks as one: deny goes before retry before what is changed before allow. Pure. */
import type { HookOpinion, HookWord, ToolInput } from '@tau/core';
import { type Hook, isBlocking, nameOf } from './hook.ts';
import type { Failure, Spoken } from './spoken.ts';

export interface Heard {
  hook: Hook;
  spoken: Spoken;
}

export interface Verdict extends HookOpinion {
  /** It must not happen, and why. */
  deny?: string;
  /** The run goes on, with these words. */
  retry?: string;
  input?: ToolInput;
  text?: string;
  /** For the model. */
  context: string[];
  /** For the user. */
  notices: string[];
  /** For the user: what went wrong. */
  warnings: string[];
  halt?: string;
}

const maxChars = 10_000;

export function combine(all: readonly Heard[]): Verdict {
  const verdict: Verdict = { context: [], notices: [], warnings: [] };
  const changes: { by: Hook; word: HookWord }[] = [];
  const allowing: { by: Hook; word: HookWord }[] = [];
  for (const { hook, spoken } of all) {
    if ('failure' in spoken) {
      fail(verdict, hook, spoken.failure);
      continue;
    }
    const { word } = spoken;
    const meaningless = changeProblem(hook, word);
    if (meaningless !== undefined) fail(verdict, hook, { kind: 'output', why: meaningless });
    else if (word.input !== undefined || word.text !== undefined) changes.push({ by: hook, word });
    if (word.context !== undefined) verdict.context.push(bounded(word.context));
    if (word.notice !== undefined) verdict.notices.push(`${nameOf(hook)}: ${bounded(word.notice)}`);
    if (word.halt !== undefined) verdict.halt ??= `${nameOf(hook)} says: ${bounded(word.halt)}`;
    if (word.action === 'allow') allowing.push({ by: hook, word });
    else obey(verdict, hook, word);
  }
  const [first] = changes;
  const other = changes.find(({ word }) => first !== undefined && changeOf(word) !== changeOf(first.word));
  if (first !== undefined && other !== undefined) {
    verdict.deny ??= `${nameOf(first.by)} and ${nameOf(other.by)} changed the same thing in two ways`;
  }
  if (first?.word.input !== undefined) verdict.input = first.word.input;
  if (first?.word.text !== undefined) verdict.text = first.word.text;
  // Who allows what was asked for first says nothing about what another hook made of it.
  const allowed = allowing.find(({ word }) => first === undefined || word.input !== undefined);
  if (allowed !== undefined) verdict.allow = saying(allowed.by, allowed.word.reason, 'allows it');
  return verdict;
}

function obey(verdict: Verdict, hook: Hook, { action, reason }: HookWord): void {
  switch (action) {
    case 'deny':
      if (isBlocking(hook)) verdict.deny ??= saying(hook, reason, 'says no');
      // The deed is done; the model hears what is wrong with it.
      else if (hook.event === 'PostToolUse') verdict.context.push(saying(hook, reason, 'objects'));
      else verdict.warnings.push(saying(hook, reason, 'says no'));
      return;
    case 'retry':
      if (hook.event === 'Stop') verdict.retry ??= bounded(reason ?? `${nameOf(hook)} wants you to go on.`);
      else fail(verdict, hook, { kind: 'output', why: 'it said retry, which only a Stop hook can' });
      return;
    case 'ask':
      if (hook.event === 'PreToolUse') verdict.ask ??= saying(hook, reason, 'wants you to be asked');
      else fail(verdict, hook, { kind: 'output', why: 'it said ask, which only a PreToolUse hook can' });
      return;
    case 'allow':
    case undefined:
      return;
  }
}

/** A guard that cannot speak has said no. In Claude Code's format a bad exit code alone is not that. */
function fail(verdict: Verdict, hook: Hook, { kind, why }: Failure): void {
  const closed = isBlocking(hook) && (hook.dialect === 'tau' || kind !== 'exit');
  const what = `${nameOf(hook)} failed: ${bounded(why)}`;
  if (closed) verdict.deny ??= what;
  if (kind !== 'aborted') verdict.warnings.push(what);
}

/** A change that nobody would make: who wanted something taken out must not be taken for content. */
function changeProblem({ event }: Hook, { input, text }: HookWord): string | undefined {
  if (input !== undefined && event !== 'PreToolUse') return 'it changed the input, which only a PreToolUse hook can';
  const speaks = event === 'PostToolUse' || event === 'PostSampling';
  return text === undefined || speaks
    ? undefined
    : 'it changed the text, which only a PostToolUse or PostSampling hook can';
}

function saying(hook: Hook, reason: string | undefined, without: string): string {
  return reason === undefined ? `${nameOf(hook)} ${without}` : `${nameOf(hook)} says: ${bounded(reason)}`;
}

function changeOf({ input, text }: HookWord): string {
  return JSON.stringify({ input, text });
}

function bounded(text: string): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)} [… ${text.length - maxChars} more characters are left out]`;
}
