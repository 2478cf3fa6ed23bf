/** What a rule must and must not cover, as its writer says it: checked when rules are loaded. */
import type { Effect, GateCall, ResolvedEffect, ToolSource } from '@tau/core';
import { absolutePath, type PathScope } from '../paths/scope.ts';
import type { Analysis } from '../shell/analysis.ts';
import { commandRules, coverage, lineRule, restricts, subjectOf, wholeRule } from './match.ts';
import type { Opens, Rule } from './rule.ts';
import { isCommandTool, isFileTool, isHostTool } from './tool-names.ts';

export interface ExamplePlace {
  scope: PathScope;
  analyse(line: string): Analysis;
}

/** The command lines among the examples: who checks them makes them ready first, see `ShellReader`. */
export function exampleLines(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ tool, examples }) =>
    isCommandTool(tool) && examples ? [...examples.match, ...examples.notMatch] : [],
  );
}

/**
 * Examples are command lines for `bash`, paths for the file tools, hosts for `web_fetch`, values of the parameter for a
 * rule about one, else names of tools. An allow whose example fails is left out; the others stay as they are written.
 */
export function checkExamples(rules: readonly Rule[], place: ExamplePlace): { rules: Rule[]; problems: string[] } {
  const problems: string[] = [];
  const kept = rules.filter((rule) => {
    const wrong = failures(rule, place);
    const { outcome, text } = rule;
    const end = outcome === 'allow' ? 'It allows nothing until it is fixed.' : 'It still holds as it is written.';
    problems.push(...wrong.map((what) => `The ${outcome} rule ${JSON.stringify(text)} ${what}. ${end}`));
    return outcome !== 'allow' || wrong.length === 0;
  });
  return { rules: kept, problems };
}

/** What the sandbox opens to a command line: all of it is allowed by one rule, which says so. */
export function opensFor(rules: readonly Rule[], line: string, place: ExamplePlace): Opens {
  const found = rules.flatMap((rule) => (rule.opens && speaksOf(rule, line, place) ? [rule.opens] : []));
  return {
    writable: found.flatMap(({ writable }) => writable),
    hosts: found.flatMap(({ hosts }) => hosts),
  };
}

function failures(rule: Rule, place: ExamplePlace): string[] {
  const { match = [], notMatch = [] } = rule.examples ?? {};
  return [
    ...match
      .filter((example) => !speaksOf(rule, example, place))
      .map((example) => `does not cover its example ${JSON.stringify(example)}`),
    ...notMatch
      .filter((example) => speaksOf(rule, example, place))
      .map((example) => `covers ${JSON.stringify(example)}, which it must not`),
  ];
}

function speaksOf(rule: Rule, example: string, place: ExamplePlace): boolean {
  const { call, source, effects } = exampleCall(rule, example, place.scope);
  const subject = subjectOf(call, source, effects, { ...place, contained: rule.tool === 'contained' });
  if (rule.outcome !== 'allow') return restricts(rule, subject);
  if (wholeRule([rule], subject)) return true;
  if (!isCommandTool(rule.tool)) {
    const cover = coverage([rule], subject);
    return effects.length > 0 && effects.every((effect) => cover(effect) !== undefined);
  }
  if (lineRule([rule], example, subject)) return true;
  const { parts, problem } = place.analyse(example);
  const named = commandRules([rule], subject);
  const deeds = parts.filter(({ invocation }) => !invocation.wrapper);
  return problem === undefined && deeds.length > 0 && deeds.every(({ invocation }) => named(invocation) !== undefined);
}

function exampleCall(
  { tool, written, pattern }: Rule,
  example: string,
  scope: PathScope,
): { call: GateCall; source: ToolSource; effects: ResolvedEffect[] } {
  const call = (toolName: string, input = {}) => ({ id: '', toolName, input });
  if (pattern?.kind === 'input') {
    return { call: call(written, { [pattern.key]: example }), source: 'extension', effects: [] };
  }
  const effect = exampleEffect(tool, example);
  if (effect === undefined)
    return { call: call(example), source: example.startsWith('mcp__') ? 'mcp' : 'extension', effects: [] };
  const resolved = isFileTool(tool) ? { ...effect, resolved: absolutePath(example, scope) } : effect;
  return { call: call(isCommandTool(tool) ? 'bash' : tool), source: 'builtin', effects: [resolved] };
}

function exampleEffect(tool: string, example: string): Effect | undefined {
  if (isCommandTool(tool)) {
    return { kind: 'exec', command: example, readOnly: false, ...(tool === 'outside' && { outside: true }) };
  }
  if (isHostTool(tool)) return { kind: 'net', host: URL.canParse(example) ? new URL(example).hostname : example };
  if (!isFileTool(tool)) return undefined;
  return { kind: tool === 'read' ? 'read' : 'write', path: example };
}
