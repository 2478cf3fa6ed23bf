/**
 * Rules as people write them: `tool`, `tool(exact)`, `tool(prefix:*)`, `read(folder/**)`, `web_fetch(domain:host)`. A rule that cannot be
 * read is reported, and it fails closed: an allow is dropped, an ask or a deny covers the whole tool.
 */
import type { Outcome } from '@tau/core';
import { splitCommands } from '../shell/words.ts';
import { readDomain } from './domain.ts';
import { isFileTool, toolName } from './tool-names.ts';

export interface Rule {
  outcome: Outcome;
  /** As the user wrote it. */
  text: string;
  /** `*` is every tool. */
  tool: string;
  /** The tool's name as the user wrote it, which is all that a tool of somebody else answers to. */
  written: string;
  pattern?: { kind: 'exact' | 'prefix' | 'domain'; value: string };
}

export interface RuleSet {
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
}

export function parseRules(set: RuleSet): { rules: Rule[]; problems: string[] } {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const outcome of ['deny', 'ask', 'allow'] as const) {
    for (const written of set[outcome] ?? []) {
      const { rule, problem } = parseRule(outcome, written.trim());
      if (rule !== undefined) rules.push(rule);
      if (problem !== undefined) problems.push(problem);
    }
  }
  return { rules, problems };
}

function parseRule(outcome: Outcome, text: string): { rule?: Rule; problem?: string } {
  const shape = /^([^()]*?)\s*(?:\((.*)\))?$/s.exec(text);
  const written = shape?.[1] ?? /^[^()]*/.exec(text)?.[0].trim() ?? '';
  if (!/^([A-Za-z_][A-Za-z0-9_.-]*|\*)$/.test(written)) {
    return unreadable({ outcome, text, tool: '*', written }, 'it does not begin with the name of a tool');
  }
  const tool = toolName(written);
  const rule: Rule = { outcome, text, tool, written };
  if (shape === null) return unreadable(rule, 'its parentheses do not match');
  if (outcome === 'allow' && tool === '*') return unreadable(rule, 'an allow rule must name its tool');
  if (shape[2] === undefined) return { rule };
  const pattern = parsePattern(outcome, tool, shape[2]);
  return typeof pattern === 'string' ? unreadable(rule, pattern) : { rule: { ...rule, pattern } };
}

/** The pattern, or what is wrong with it. */
function parsePattern(outcome: Outcome, tool: string, source: string): NonNullable<Rule['pattern']> | string {
  if (tool === 'web_fetch') {
    const value = readDomain(source);
    return value === undefined ? 'its pattern is domain:host or domain:*.host' : { kind: 'domain', value };
  }
  if (tool !== 'bash' && !isFileTool(tool)) return 'only bash, the file tools and web_fetch take a pattern';
  // `src/**` is how others write `src:*`.
  const folder = isFileTool(tool) && /[^\\]\/\*\*$/.test(source);
  const prefix = folder || /(^|[^\\])(\\\\)*:\*$/.test(source);
  const body = folder ? source.slice(0, -3) : prefix ? source.slice(0, -2) : source;
  if (body.trim() === '') return 'its pattern is empty';
  const literal = body.replace(/\\[*?[\\]/g, '');
  if (/[*?[]/.test(literal)) return 'a pattern is literal or ends in :*, and \\ goes before a *, ? or [ that is meant';
  const value = body.replace(/\\([*?[\\])/g, '$1');
  if (outcome === 'allow' && tool === 'bash' && prefix && splitCommands(value)?.length !== 1) {
    return 'a prefix can only allow one simple command';
  }
  return { kind: prefix ? 'prefix' : 'exact', value };
}

/** What becomes of a rule whose pattern, or whose tool, is not understood. */
function unreadable(rule: Rule, why: string): { rule?: Rule; problem: string } {
  const { outcome, text, tool } = rule;
  const what = `The ${outcome} rule ${JSON.stringify(text)} cannot be read: ${why}.`;
  if (outcome === 'allow') return { problem: `${what} It allows nothing until it is fixed.` };
  const reach = tool === '*' ? 'every tool' : `every use of ${tool}`;
  const verb = outcome === 'ask' ? 'asks for' : 'denies';
  return { rule, problem: `${what} Until it is fixed it ${verb} ${reach}.` };
}
