/**
 * Which rules speak about a call. Rules that restrict match on anything that might happen, by either form of a path;
 * rules that allow match only when nothing else can happen, by both forms.
 */
import type { GateCall, ResolvedEffect, ToolSource } from '@tau/core';
import type { PathEffect, PathScope } from '../paths/scope.ts';
import { absolutePath, bothForms, foldPath, isPathEffect, isWithin, pathForms } from '../paths/scope.ts';
import { readPaths } from '../shell/effects.ts';
import type { Segment } from '../shell/segments.ts';
import { looseSegments, looseWords, segmentMatches } from '../shell/segments.ts';
import { splitCommands } from '../shell/words.ts';
import type { Rule } from './parse.ts';
import { isFileTool, toolName } from './tool-names.ts';

type Pattern = NonNullable<Rule['pattern']>;

/** A call as rules look at it. */
export interface Subject {
  tool: string;
  source: ToolSource;
  effects: readonly ResolvedEffect[];
  lines: readonly string[];
  /** Everything in the lines that might run. Found when a rule first wants to know. */
  segments(): readonly Segment[];
  scope: PathScope;
}

export function subjectOf(
  call: GateCall,
  source: ToolSource,
  effects: readonly ResolvedEffect[],
  scope: PathScope,
): Subject {
  const lines: string[] = [];
  for (const effect of effects) if (effect.kind === 'exec') lines.push(effect.command);
  let found: Segment[] | undefined;
  const segments = () => {
    found ??= lines.flatMap(looseSegments);
    return found;
  };
  return { tool: toolName(call.toolName), source, effects, lines, segments, scope };
}

/**
 * True when an ask or deny rule speaks about the call. A pattern is about what happens, whichever tool does it: a
 * `read` pattern covers `cat` in the shell, an `edit` pattern covers `write`.
 */
export function restricts(rule: Rule, subject: Subject): boolean {
  const { pattern, tool } = rule;
  if (pattern === undefined) return tool === '*' || tool === subject.tool;
  if (tool === 'bash') return lineRestricted(pattern, subject);
  const wanted = foldPath(absolutePath(pattern.value, subject.scope));
  return subject.effects.some(
    (effect) =>
      isPathEffect(effect) &&
      (tool === subject.tool || (tool === 'read') === (effect.kind === 'read')) &&
      pathForms(effect, subject.scope).some((form) => pathMatches(foldPath(form), wanted, pattern.kind)),
  );
}

function lineRestricted(pattern: Pattern, subject: Subject): boolean {
  const isPrefix = pattern.kind === 'prefix';
  const words = looseWords(pattern.value);
  return (
    subject.segments().some((segment) => segmentMatches(segment, words, isPrefix)) ||
    subject.lines.some((line) =>
      isPrefix
        ? line.trim() === pattern.value || line.trimStart().startsWith(`${pattern.value} `)
        : line.trim() === pattern.value.trim(),
    )
  );
}

/** For each effect of the call, the allow rule that covers it. */
export function coverage(rules: readonly Rule[], subject: Subject): (effect: ResolvedEffect) => Rule | undefined {
  const own = rules.filter((rule) => rule.outcome === 'allow' && rule.tool === subject.tool);
  const whole = own.find((rule) => rule.pattern === undefined);
  if (whole !== undefined) return () => whole;
  if (subject.tool === 'bash') {
    const line = lineRule(own, subject.lines);
    return () => line;
  }
  if (!isFileTool(subject.tool)) return () => undefined;
  return (effect) => (isPathEffect(effect) ? own.find((rule) => namesPath(rule, effect, subject.scope)) : undefined);
}

/** The allow rule that names exactly this file, which even a protected path accepts from a tool that is believed. */
export function exactRule(rules: readonly Rule[], effect: PathEffect, subject: Subject): Rule | undefined {
  if (subject.source !== 'builtin' || !isFileTool(subject.tool)) return undefined;
  return rules.find(
    (rule) =>
      rule.outcome === 'allow' &&
      rule.tool === subject.tool &&
      rule.pattern?.kind === 'exact' &&
      namesPath(rule, effect, subject.scope),
  );
}

function namesPath({ pattern }: Rule, effect: PathEffect, scope: PathScope): boolean {
  if (pattern === undefined) return false;
  const wanted = absolutePath(pattern.value, scope);
  return bothForms(effect, scope, (form) => pathMatches(form, wanted, pattern.kind));
}

function pathMatches(path: string, wanted: string, kind: Pattern['kind']): boolean {
  return kind === 'exact' ? path === wanted : isWithin(path, wanted);
}

/** The rule that allows every line, if they are all allowed. */
function lineRule(rules: readonly Rule[], lines: readonly string[]): Rule | undefined {
  const found = lines.map((line) => allowingRule(rules, line));
  return found.includes(undefined) ? undefined : found[0];
}

/**
 * The rule that allows a line: by naming it whole, or with the other rules by naming every command in it. Beside
 * allowed commands a read-only one passes if it opens no file; one that does cannot be judged here, because nobody
 * has followed its path.
 */
function allowingRule(rules: readonly Rule[], line: string): Rule | undefined {
  const whole = rules.find(({ pattern }) => pattern?.kind === 'exact' && pattern.value === line);
  if (whole !== undefined) return whole;
  let first: Rule | undefined;
  for (const command of splitCommands(line) ?? []) {
    const rule = rules.find(({ pattern }) => pattern !== undefined && commandMatches(pattern, command.words));
    if (rule === undefined && readPaths(command)?.length !== 0) return undefined;
    first ??= rule;
  }
  return first;
}

function commandMatches(pattern: Pattern, words: readonly string[]): boolean {
  const commands = splitCommands(pattern.value);
  const wanted = commands?.length === 1 ? commands[0]?.words : undefined;
  if (wanted === undefined || (pattern.kind === 'exact' && wanted.length !== words.length)) return false;
  return wanted.every((word, index) => word === words[index]);
}
