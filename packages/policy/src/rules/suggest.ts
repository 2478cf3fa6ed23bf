/** The narrowest rule for a call, to offer beside a question. */
import type { GateCall } from '@tau/core';
import { isFileTool, toolName } from './tool-names.ts';

/**
 * The rule that would allow exactly this call. A call without the text a pattern needs gets an empty pattern, which is
 * no rule at all and so allows nothing.
 */
export function suggestRule(call: GateCall): string {
  const tool = toolName(call.toolName);
  if (tool === 'bash') return `${tool}(${literal(call.input.command)})`;
  if (isFileTool(tool)) return `${tool}(${literal(call.input.path)})`;
  return tool;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[*?[\\]/g, '\\$&') : '';
}
