/**
 * Which rules speak about a call. Rules that restrict match on anything that might happen, by either form of a path;
 * rules that allow match only when nothing else can happen, by both forms.
 */
import type { GateCall, ResolvedEffect, ToolSource } from '@tau/core';
import type { PathEffect, PathScope } from '../paths/scope.ts';
import { absolutePath, foldPath, isPathEffect, isWithin, pathForms } from '../paths/scope.ts';
import { readPaths } from '../shell/effects.ts';
import type { Segment } from '../shell/segments.ts';
import { looseSegments, looseWords, segmentMatches } from '../shell/segments.ts';
import { splitCommands } from '../shell/words.ts';
import { domainMatches } from './domain.ts';
import type { Rule } from './parse.ts';
import { isFileTool, sameTool, toolName } from './tool-names.ts';

type Pattern = NonNullable<Rule['pattern']>;

/** A call as rules look at it. */
export interface Subject {
  /** Ours by the name rules know it by; anyone else's by exactly its own, so that it cannot pass for ours. */
  tool: string;
  source: ToolSource;
  effects: readonly ResolvedEffect[];
  lines: readonly string[];
  /** Everything in the lines that might run. Found when a rule first wants to know. */
  segments(): readonly Segment[];
  scope: PathScope;
  trustedPath: boolean;
}

export function subjectOf(
  call: GateCall,
  source: ToolSource,
  effects: readonly ResolvedEffect[],
  { scope, trustedPath }: Pick<Subject, 'scope' | 'trustedPath'>,
): Subject {
  const lines: string[] = [];
  for (const effect of effects) if (effect.kind === 'exec') lines.push(effect.command);
  let found: Segment[] | undefined;
  const segments = () => {
    found ??= lines.flatMap(looseSegments);
    return found;
  };
  const tool = source === 'builtin' ? toolName(call.toolName) : call.toolName;
  return { tool, source, effects, lines, segments, scope, trustedPath };
}

/**
 * True when an ask or deny rule speaks about the call. A pattern is about what happens, whichever tool does it: a
 * `read` pattern covers `cat` in the shell, an `edit` pattern covers `write`. A name is taken loosely, so that a tool
 * that calls itself `BASH` is restricted like ours.
 */
export function restricts(rule: Rule, subject: Subject): boolean {
  const { pattern, tool } = rule;
  const named = sameTool(tool, toolName(subject.tool));
  if (pattern === undefined) return tool === '*' || named;
  if (tool === 'bash') return lineRestricted(pattern, subject);
  if (pattern.kind === 'domain') {
    return subject.effects.some((effect) => effect.kind === 'net' && domainMatches(effect.host, pattern.value, true));
  }
  const wanted = foldPath(absolutePath(pattern.value, subject.scope));
  return subject.effects.some(
    (effect) =>
      isPathEffect(effect) &&
      (named || (tool === 'read') === (effect.kind === 'read')) &&
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

/** True for an allow rule of the tool that is called. */
export function allowsTool(rule: Rule, { tool, source }: Subject): boolean {
  if (rule.outcome !== 'allow') return false;
  return source === 'builtin' ? sameTool(rule.tool, tool) : rule.written === tool;
}

/** For each effect of the call, the allow rule that covers it. */
export function coverage(rules: readonly Rule[], subject: Subject): (effect: ResolvedEffect) => Rule | undefined {
  const own = rules.filter((rule) => allowsTool(rule, subject));
  const whole = own.find((rule) => rule.pattern === undefined);
  if (whole !== undefined) return () => whole;
  if (subject.tool === 'bash') {
    const line = lineRule(own, subject);
    return () => line;
  }
  // Only our own are believed about where they connect to.
  const domains = subject.source === 'builtin' ? own.filter(({ pattern }) => pattern?.kind === 'domain') : [];
  const paths = pathRules(rules, subject);
  return (effect) => {
    if (isPathEffect(effect)) return pathRule(paths, effect, subject.scope);
    if (effect.kind !== 'net') return undefined;
    return domains.find(({ pattern }) => pattern && domainMatches(effect.host, pattern.value, false));
  };
}

/** The allow rule that names exactly this file, which even a protected path accepts from a tool that is believed. */
export function exactRule(rules: readonly Rule[], effect: PathEffect, subject: Subject): Rule | undefined {
  const exact = pathRules(rules, subject).filter(({ pattern }) => pattern?.kind === 'exact');
  return pathRule(exact, effect, subject.scope);
}

/** The allow rules whose patterns are paths and that speak for the tool. Only our own are believed about their paths. */
function pathRules(rules: readonly Rule[], { tool, source }: Subject): Rule[] {
  if (source !== 'builtin' || !isFileTool(tool)) return [];
  return rules.filter((rule) => rule.outcome === 'allow' && rule.pattern !== undefined && sameTool(rule.tool, tool));
}

/** Both forms of the path must be named, each by any of the rules. A path nobody could follow is named by none. */
function pathRule(rules: readonly Rule[], effect: PathEffect, scope: PathScope): Rule | undefined {
  if (effect.resolved === undefined) return undefined;
  const found = pathForms(effect, scope).map((form) =>
    rules.find(({ pattern }) => pattern && pathMatches(form, absolutePath(pattern.value, scope), pattern.kind)),
  );
  return found.includes(undefined) ? undefined : found[0];
}

function pathMatches(path: string, wanted: string, kind: Pattern['kind']): boolean {
  return kind === 'exact' ? path === wanted : isWithin(path, wanted);
}

/** The rule that allows every line, if they are all allowed. */
function lineRule(rules: readonly Rule[], { lines, trustedPath }: Subject): Rule | undefined {
  const found = lines.map((line) => allowingRule(rules, line, trustedPath));
  return found.includes(undefined) ? undefined : found[0];
}

/**
 * The rule that allows a line: by naming it whole, or with the other rules by naming every command in it. Beside
 * allowed commands a read-only one passes if it opens no file; one that does cannot be judged here, because nobody
 * has followed its path.
 */
function allowingRule(rules: readonly Rule[], line: string, trustedPath: boolean): Rule | undefined {
  const whole = rules.find(({ pattern }) => pattern?.kind === 'exact' && pattern.value === line);
  if (whole !== undefined) return whole;
  let first: Rule | undefined;
  for (const command of splitCommands(line) ?? []) {
    const rule = rules.find(({ pattern }) => pattern !== undefined && commandMatches(pattern, command.words));
    if (rule === undefined && readPaths(command, trustedPath)?.length !== 0) return undefined;
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
