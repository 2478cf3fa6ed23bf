/**
 * Rules as people write them: `tool`, `tool(pattern)`, or an object with the rule and examples of what it must and must
 * not cover. What a pattern may be depends on the tool: see `command-pattern`, `path-pattern`, `domain`, `input-pattern`.
 * A rule that cannot be read is reported, and it fails closed: an allow is dropped, an ask or a deny covers the whole tool.
 */
import type { Outcome } from '@tau/core';
import { bracesIn } from './braces.ts';
import { readCommandPattern } from './command-pattern.ts';
import { readDomain } from './domain.ts';
import { hasOpenClass, hasWildcard } from './glob.ts';
import { readInputPattern } from './input-pattern.ts';
import { type Dialect, readPathPattern } from './path-pattern.ts';
import { reviewRules } from './review.ts';
import type { Opens, Pattern, Rule, RuleEntry, RuleSet } from './rule.ts';
import {
  isCommandTool,
  isFileTool,
  isForeign,
  isHostTool,
  knownNames,
  meantTool,
  namesTool,
  serverTools,
  toolName,
} from './tool-names.ts';

export interface ParsedRules {
  rules: Rule[];
  /** Rules that cannot be read. */
  problems: string[];
  /** Rules that can, and are obeyed, but may not be what was meant. */
  readonly warnings: string[];
}

export function parseRules(set: RuleSet, dialect: Dialect = {}): ParsedRules {
  return parseAll([{ ...set, ...dialect }]);
}

/** Rules from several places, each read as it is meant there. */
export function parseAll(sets: readonly ((RuleSet & Dialect) | undefined)[]): ParsedRules {
  const rules: Rule[] = [];
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const outcome of ['deny', 'ask', 'allow'] as const) {
    for (const set of sets) {
      for (const entry of set?.[outcome] ?? []) {
        const { read, problem, warning } = parseRule(outcome, ruleText(entry), set ?? {});
        const { file } = set ?? {};
        for (const rule of read) rules.push(withMore(file === undefined ? rule : { ...rule, file }, entry));
        if (read[0] && opensOf(entry) && !mayOpen(read[0])) problems.push(cannotOpen(read[0]));
        if (problem !== undefined) problems.push(file === undefined ? problem : `${file}: ${problem}`);
        // What was written for another agent need not make sense here.
        if (warning !== undefined && file === undefined) warnings.push(warning);
      }
    }
  }
  return {
    rules,
    problems,
    // Every rule against every other: only for who wants to know.
    get warnings() {
      return [...warnings, ...reviewRules(rules)];
    },
  };
}

function ruleText(entry: RuleEntry): string {
  return (typeof entry === 'string' ? entry : entry.rule).trim();
}

function withMore(rule: Rule, entry: RuleEntry): Rule {
  if (typeof entry === 'string') return rule;
  const { match = [], notMatch = [] } = entry;
  const opens = opensOf(entry);
  return {
    ...rule,
    ...(match.length + notMatch.length > 0 && { examples: { match, notMatch } }),
    ...(opens && mayOpen(rule) && { opens }),
  };
}

function opensOf(entry: RuleEntry): Opens | undefined {
  if (typeof entry === 'string') return undefined;
  const { writable = [], hosts = [] } = entry;
  return writable.length + hosts.length === 0 ? undefined : { writable, hosts };
}

/** Who asks or denies opens nothing, and outside there is nothing to open. */
function mayOpen({ outcome, tool }: Rule): boolean {
  return outcome === 'allow' && (tool === 'bash' || tool === 'contained');
}

function cannotOpen({ outcome, text }: Rule): string {
  const why = 'writable and hosts belong to a rule that allows commands: bash(…).';
  return `The ${outcome} rule ${JSON.stringify(text)} opens nothing: ${why}`;
}

interface Read {
  /** One, none, or where it has a list in braces one for each. */
  read: readonly Rule[];
  problem?: string;
  warning?: string;
}

function parseRule(outcome: Outcome, text: string, dialect: Dialect): Read {
  const shape = /^([^()]*?)\s*(?:\((.*)\))?$/s.exec(text);
  const written = shape?.[1] ?? /^[^()]*/.exec(text)?.[0].trim() ?? '';
  if (!/^[A-Za-z_*?[][A-Za-z0-9_.*?[\]!^-]*$/.test(written) || hasOpenClass(written)) {
    return unreadable({ outcome, text, tool: '*', written }, 'it does not begin with the name of a tool');
  }
  const tool = toolName(written);
  const rule: Rule = { outcome, text, tool, written };
  if (shape === null) return unreadable(rule, 'its parentheses do not match');
  if (outcome === 'allow' && hasWildcard(written) && serverTools(written) === undefined) {
    const why =
      'an allow rule must name its tool; only the tools of one MCP server can be named together (mcp__server__*)';
    return unreadable(rule, why);
  }
  if (isForeign(written)) return foreignRule(rule, shape[2]);
  if (shape[2] === undefined) return { read: [rule] };
  if (isException(rule, shape[2], dialect)) {
    const why = 'it makes no exception here: what other rules say stays so.';
    return { read: [], problem: `The ${outcome} rule ${JSON.stringify(text)} is left out: ${why}` };
  }
  const read: Rule[] = [];
  for (const source of meantBy(rule, shape[2], dialect)) {
    const pattern = parsePattern(rule, source, dialect);
    if (typeof pattern === 'string') return unreadable(rule, pattern);
    read.push(pattern === undefined ? rule : { ...rule, pattern });
  }
  return { read };
}

/** `Read(!x)` takes something out of what Claude Code denies. Nothing is taken out here, which denies more. */
function isException({ outcome, tool }: Rule, source: string, { dialect }: Dialect): boolean {
  return dialect === 'claude' && outcome !== 'allow' && isFileTool(tool) && source.startsWith('!');
}

/** Whoever denies `*.{pem,key}` in Claude Code's files means both, and must not be left without either. */
function meantBy({ outcome, tool }: Rule, source: string, { dialect }: Dialect): readonly string[] {
  if (dialect !== 'claude' || outcome === 'allow' || !isFileTool(tool)) return [source];
  return bracesIn(source) ?? [source];
}

/** The pattern, undefined when it is all that the tool does, or what is wrong with it. */
function parsePattern(
  { outcome, tool, written }: Rule,
  source: string,
  dialect: Dialect,
): Pattern | string | undefined {
  if (isHostTool(tool)) {
    const value = readDomain(source);
    return value === undefined ? 'its pattern is domain:host or domain:*.host' : { kind: 'domain', value };
  }
  if (isCommandTool(tool)) return readCommandPattern(outcome, source);
  if (isFileTool(tool)) return readPathPattern(outcome, source, dialect);
  if (hasWildcard(written) && ['bash', 'read', 'edit', 'web_fetch'].some((name) => namesTool(tool, name))) {
    return 'a rule with a pattern names its tool in full';
  }
  if (outcome === 'allow' && knownNames.includes(tool)) return `an allow rule for ${written} takes no pattern`;
  const pattern = readInputPattern(source);
  const meant = typeof pattern === 'string' ? meantTool(written) : undefined;
  return meant === undefined ? pattern : `tau has no tool ${written}. Did you mean ${meant}?`;
}

/** A tool that only another agent has: the rule is kept for an extension that may bring one, as far as that is safe. */
function foreignRule(rule: Rule, pattern: string | undefined): Read {
  const { outcome, text, written } = rule;
  const warning = `The ${outcome} rule ${JSON.stringify(text)} says nothing here: tau has no tool ${written}. It can be removed.`;
  return { read: outcome === 'allow' && pattern !== undefined ? [] : [rule], warning };
}

/** What becomes of a rule whose pattern, or whose tool, is not understood. */
function unreadable(rule: Rule, why: string): Read {
  const { outcome, text, tool } = rule;
  const what = `The ${outcome} rule ${JSON.stringify(text)} cannot be read: ${why.replace(/[^?]$/, '$&.')}`;
  if (outcome === 'allow') return { read: [], problem: `${what} It allows nothing until it is fixed.` };
  const reach = tool === '*' ? 'every tool' : `every use of ${tool}`;
  const verb = outcome === 'ask' ? 'asks for' : 'denies';
  return { read: [rule], problem: `${what} Until it is fixed it ${verb} ${reach}.` };
}
