/** Tools as Claude Code calls them, and their inputs, for hooks that were written for it. */
import { isAbsolute, join } from 'node:path/posix';
import type { ToolInput } from '@tau/core';

const names: ReadonlyMap<string, string> = new Map([
  ['bash', 'Bash'],
  ['read', 'Read'],
  ['write', 'Write'],
  ['edit', 'Edit'],
  ['glob', 'Glob'],
  ['grep', 'Grep'],
  ['ls', 'LS'],
  ['web_fetch', 'WebFetch'],
  ['todo', 'TodoWrite'],
  ['ask_user', 'AskUserQuestion'],
  ['plan_enter', 'EnterPlanMode'],
  ['plan_exit', 'ExitPlanMode'],
  ['tool_search', 'ToolSearch'],
]);

export function claudeName(tool: string): string {
  return names.get(tool) ?? tool;
}

/** Every name under which a matcher means the tool: a patch edits and writes, whatever it is called. */
export function matchedNames(tool: string): string[] {
  const own = [tool, claudeName(tool)];
  return tool === 'apply_patch' ? [...own, 'Edit', 'Write', 'MultiEdit'] : own;
}

/** Claude Code's file tools have a `file_path`, always absolute. When it comes back it is an alias of ours. */
export function claudeInput(tool: string, input: ToolInput, cwd: string): ToolInput {
  const { path, ...rest } = input;
  if (!['read', 'write', 'edit'].includes(tool) || typeof path !== 'string') return input;
  return { file_path: isAbsolute(path) || path.startsWith('~') ? path : join(cwd, path), ...rest };
}
