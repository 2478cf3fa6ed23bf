/** The one call that a rule allows, where it is so narrow: an exact command, or an exact path of a file tool. */
import type { ToolInput } from '@tau/core';
import { parseRules } from './parse.ts';

export interface ExactCall {
  toolName: string;
  input: ToolInput;
}

/** Undefined for a rule that means more than one call, or nothing. */
export function exactCall(rule: string): ExactCall | undefined {
  const { rules, problems } = parseRules({ allow: [rule] });
  const [{ tool, pattern } = { tool: '' }] = rules;
  if (problems.length > 0 || pattern?.kind !== 'exact') return undefined;
  if (tool === 'bash') return { toolName: tool, input: { command: pattern.value } };
  if (tool !== 'read' && tool !== 'write' && tool !== 'edit') return undefined;
  const isOne = !('anywhere' in pattern) && !('below' in pattern);
  return isOne ? { toolName: tool, input: { path: pattern.value } } : undefined;
}
