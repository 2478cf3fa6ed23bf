/**
 * Which rules speak about a call. Rules that restrict match on anything that might happen, by either form of a path;
 * rules that allow match only when nothing else can happen, by both forms.
 */
import type { ResolvedEffect } from '@tau/core';
import type { PathEffect, PathScope } from '../paths/scope.ts';
import { foldPath, isPathEffect, isWithin, pathForms } from '../paths/scope.ts';
import type { Part } from '../shell/analysis.ts';
import type { Invocation } from '../shell/invocation.ts';
import { isHarmlessAssignment } from '../shell/walk/variables.ts';
import {
  type CommandGlob,
  type CommandPattern,
  commandAllowed,
  commandMayBeRestricted,
  commandRestricted,
  compileCommand,
  segmentsRestricted,
} from './command-pattern.ts';
import { domainMatches } from './domain.ts';
import { compileGlob, globMatches } from './glob.ts';
import { inputAllowed, inputRestricted } from './input-pattern.ts';
import {
  holdsRestricted,
  mayHoldRestricted,
  namesOnly,
  type PathPattern,
  pathAllowed,
  pathRestriction,
} from './path-pattern.ts';
import type { Rule } from './rule.ts';
import { mentionsOf, type Subject } from './subject.ts';
import { isCommandTool, isFileTool, namesTool, sameTool, serverTools } from './tool-names.ts';

export { type Subject, subjectOf } from './subject.ts';

/**
 * True when an ask or deny rule speaks about the call. A pattern is about what happens, whichever tool does it: a
 * `read` pattern covers `cat` in the shell, an `edit` pattern covers `write`. A name is taken loosely, so that a tool
 * that calls itself `BASH` is restricted like ours.
 */
export function restricts(rule: Rule, subject: Subject): boolean {
  const { pattern, tool } = rule;
  const named = namesCall(tool, subject);
  if (pattern === undefined) return named || (tool === 'network' && connects(subject));
  if (pattern.kind === 'input') return named && inputRestricted(subject.input, pattern);
  if (pattern.kind === 'domain') {
    return subject.effects.some((effect) => effect.kind === 'net' && domainMatches(effect.host, pattern.value, true));
  }
  if (tool === 'outside' || tool === 'contained') return named && lineRestricted(pattern, subject);
  return tool === 'bash' ? lineRestricted(pattern, subject) : placeRestricted(rule, pattern, named, subject);
}

function namesCall(tool: string, subject: Subject): boolean {
  if (tool === 'outside') return subject.outside;
  return tool === 'contained' ? subject.inside : namesTool(tool, subject.tool);
}

/** A command of ours that is known to connect. */
function connects({ tool, effects }: Subject): boolean {
  return tool === 'bash' && effects.some((effect) => effect.kind === 'net');
}

function lineRestricted(pattern: CommandPattern, subject: Subject): boolean {
  if (subject.lines.length === 0) return false;
  const glob = compileCommand(pattern);
  return (
    subject.lines.some((line) => isLine(line, pattern)) ||
    subject.commands().some((spellings) => commandRestricted(spellings, glob)) ||
    segmentsRestricted(subject.segments(), glob)
  );
}

/** Letter by letter, for patterns that are more than one command. */
function isLine(line: string, { kind, value }: CommandPattern): boolean {
  if (kind === 'wildcard') return false;
  return line.trim() === value.trim() || (kind === 'prefix' && line.trimStart().startsWith(`${value} `));
}

/** By what the call does to the path, or for `read` by a word that may be the path, where nobody knows what is done. */
function placeRestricted({ tool }: Rule, pattern: PathPattern, named: boolean, subject: Subject): boolean {
  const { effects, scope } = subject;
  const restricted = pathRestriction(pattern, scope);
  const done = effects.some(
    (effect) =>
      isPathEffect(effect) &&
      (named || (tool === 'read') === (effect.kind === 'read')) &&
      pathForms(effect, scope).some(
        (form) =>
          restricted(foldPath(form)) ||
          (effect.kind === 'write' && effect.removes === 'tree' && holdsRestricted(form, pattern, scope)),
      ),
  );
  if (done || tool !== 'read' || subject.lines.length === 0) return done;
  return subject.mentions().some(restricted);
}

/**
 * Why a line that no rule denies outright still has to be asked about: an ask or deny rule would speak of it if a word
 * that only the shell will know is the wrong one.
 */
export function hiddenRule(rules: readonly Rule[], line: string, subject: Subject): Rule | undefined {
  const { parts } = subject.analyse(line);
  const anything = parts.some(({ finding }) => finding.hidden);
  const hidden = parts.some(({ invocation: { words, open } }) => open || words.includes(undefined));
  if (!hidden && !anything) return undefined;
  return rules.find(({ outcome, tool, pattern }) => {
    if (outcome === 'allow' || !isCommandTool(tool) || pattern === undefined || !isCommand(pattern)) return false;
    if (tool !== 'bash' && !namesCall(tool, subject)) return false;
    if (anything) return true;
    const glob = compileCommand(pattern);
    return subject.commands().some((spellings) => commandMayBeRestricted(spellings, glob));
  });
}

/** The ask or deny rule about changes to a path that a word of an unknown program may mean. */
export function mentionedRule(rules: readonly Rule[], part: Part, { scope }: Subject): Rule | undefined {
  const guards = rules.filter(({ outcome, tool }) => outcome !== 'allow' && tool !== 'read' && isFileTool(tool));
  if (guards.length === 0) return undefined;
  const paths = mentionsOf([part], scope);
  return guards.find(({ pattern }) => isPlace(pattern) && paths.some(pathRestriction(pattern, scope)));
}

function isCommand(pattern: NonNullable<Rule['pattern']>): pattern is CommandPattern {
  return pattern.kind !== 'input' && pattern.kind !== 'domain';
}

function isPlace(pattern: Rule['pattern']): pattern is PathPattern {
  return pattern !== undefined && pattern.kind !== 'input' && pattern.kind !== 'domain';
}

/** True for an allow rule of the tool that is called. */
function allowsTool(rule: Rule, subject: Subject): boolean {
  if (rule.outcome !== 'allow') return false;
  // What is allowed in the sandbox is not allowed outside it, unless the rule says so.
  if (subject.inside && rule.tool === 'contained') return true;
  if (subject.source === 'builtin') return sameTool(rule.tool, subject.outside ? 'outside' : subject.tool);
  return rule.written === subject.tool || (subject.source === 'mcp' && allowsServer(rule, subject));
}

/** A server is believed about its name only when the call really goes there. */
function allowsServer({ written }: Rule, { tool, effects }: Subject): boolean {
  const named = serverTools(written);
  const prefix = `mcp__${named?.server}__`;
  if (named === undefined || !tool.startsWith(prefix)) return false;
  const there = effects.every((effect) => effect.kind !== 'mcp' || effect.server === named.server);
  return there && globMatches(tool.slice(prefix.length), compileGlob(named.tools));
}

/** The allow rule for all that the tool does, or for all that it does when it is called like this. */
export function wholeRule(rules: readonly Rule[], subject: Subject): Rule | undefined {
  return rules.find((rule) => {
    if (!allowsTool(rule, subject)) return false;
    const { pattern } = rule;
    return pattern === undefined || (pattern.kind === 'input' && inputAllowed(subject.input, pattern));
  });
}

/** The ask or deny rule about files that a read of a whole tree may meet. */
export function metRule(rules: readonly Rule[], effect: PathEffect, { scope }: Subject): Rule | undefined {
  return rules.find(({ outcome, tool, pattern }) => {
    if (outcome === 'allow' || tool !== 'read' || !isPlace(pattern)) return false;
    return pathForms(effect, scope).some((form) => mayHoldRestricted(form, pattern, scope));
  });
}

/** For each effect of the call, the allow rule that covers it. */
export function coverage(rules: readonly Rule[], subject: Subject): (effect: ResolvedEffect) => Rule | undefined {
  const own = rules.filter((rule) => allowsTool(rule, subject));
  const whole = wholeRule(rules, subject);
  if (whole !== undefined) return () => whole;
  // Only our own are believed about where they connect to.
  const domains = subject.source === 'builtin' ? own.filter(({ pattern }) => pattern?.kind === 'domain') : [];
  const paths = pathRules(rules, subject);
  return (effect) => {
    if (isPathEffect(effect)) return pathRule(paths, effect, subject.scope, pathAllowed);
    if (effect.kind !== 'net') return undefined;
    return domains.find(
      ({ pattern }) => pattern?.kind === 'domain' && domainMatches(effect.host, pattern.value, false),
    );
  };
}

/** The allow rule for a host that commands in the sandbox connect to. */
export function networkRule(rules: readonly Rule[], host: string): Rule | undefined {
  return rules.find(({ outcome, tool, pattern }) => {
    if (outcome !== 'allow' || tool !== 'network') return false;
    return pattern === undefined || (pattern.kind === 'domain' && domainMatches(host, pattern.value, false));
  });
}

/** The allow rule that names exactly this file, which even a protected path accepts from a tool that is believed. */
export function exactRule(rules: readonly Rule[], effect: PathEffect, subject: Subject): Rule | undefined {
  return pathRule(pathRules(rules, subject), effect, subject.scope, namesOnly);
}

/** The allow rules whose patterns are paths and that speak for the tool. Only our own are believed about their paths. */
function pathRules(rules: readonly Rule[], { tool, source }: Subject): Rule[] {
  if (source !== 'builtin' || !isFileTool(tool)) return [];
  return rules.filter((rule) => rule.outcome === 'allow' && rule.pattern !== undefined && sameTool(rule.tool, tool));
}

/** Both forms of the path must be named, each by any of the rules. A path nobody could follow is named by none. */
function pathRule(
  rules: readonly Rule[],
  effect: PathEffect,
  scope: PathScope,
  test: (path: string, pattern: PathPattern, scope: PathScope) => boolean,
): Rule | undefined {
  if (effect.resolved === undefined) return undefined;
  const found = pathForms(effect, scope).map((form) =>
    rules.find(({ pattern }) => isPlace(pattern) && test(form, pattern, scope)),
  );
  return found.includes(undefined) ? undefined : found[0];
}

/** The allow rule that names a whole line, letter by letter. */
export function lineRule(rules: readonly Rule[], line: string, subject: Subject): Rule | undefined {
  return bashRules(rules, subject).find(({ pattern }) => pattern?.kind === 'exact' && pattern.value === line);
}

/** For each command of a line, the allow rule that names it. A rule speaks about the project: nothing started elsewhere. */
export function commandRules(rules: readonly Rule[], subject: Subject): (invocation: Invocation) => Rule | undefined {
  const own = bashRules(rules, subject).map((rule) => ({ rule, glob: globOf(rule) }));
  const { roots, home } = subject.scope;
  return (invocation) => {
    const { assigns, folders } = invocation;
    if (folders?.every((folder) => roots.some((root) => isWithin(folder, root))) !== true) return undefined;
    if (!assigns.every(isHarmlessAssignment)) return undefined;
    return own.find(({ glob }) => glob === undefined || commandAllowed(invocation, glob, home))?.rule;
  };
}

function globOf({ pattern }: Rule): CommandGlob | undefined {
  return pattern !== undefined && isCommand(pattern) ? compileCommand(pattern) : undefined;
}

function bashRules(rules: readonly Rule[], subject: Subject): Rule[] {
  return subject.tool === 'bash' ? rules.filter((rule) => allowsTool(rule, subject)) : [];
}
