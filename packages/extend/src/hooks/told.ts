/**
 * What a hook is told: JSON on its standard input or as the body of a request, and a few variables. Nothing that the
 * model wrote ever stands in a command line: there it would be read by the shell.
 */
import type { HookInput } from '@tau/core';
import { claudeInput, claudeName } from './claude-names.ts';
import type { Hook } from './hook.ts';

/** A single variable may have 128 KB on Linux; a longer input is on standard input only. */
const maxVariableBytes = 64 * 1024;

export function bodyFor(hook: Hook, input: HookInput): string {
  return JSON.stringify(hook.dialect === 'claude' ? asClaude(hook, input) : input);
}

function asClaude(hook: Hook, input: HookInput): object {
  const { tool_name: tool, tool_input: given, cwd } = input;
  const failed = hook.results === 'failed';
  const event = failed ? 'PostToolUseFailure' : input.hook_event_name === 'Compact' ? 'PostCompact' : undefined;
  return {
    ...input,
    ...(event !== undefined && { hook_event_name: event }),
    ...(tool !== undefined && { tool_name: claudeName(tool) }),
    ...(tool !== undefined && given !== undefined && { tool_input: claudeInput(tool, given, cwd) }),
  };
}

export function variablesFor(hook: Hook, input: HookInput, root: string): Record<string, string> {
  const { tool_name: tool, tool_input: given } = input;
  const json = given === undefined ? undefined : JSON.stringify(given);
  const fits = json !== undefined && Buffer.byteLength(json) <= maxVariableBytes;
  return {
    TAU_HOOK_EVENT: input.hook_event_name,
    TAU_SESSION_ID: input.session_id,
    TAU_PROJECT_DIR: root,
    ...(tool !== undefined && { TAU_TOOL_NAME: tool }),
    ...(fits && { TAU_TOOL_INPUT: json }),
    ...(json !== undefined && !fits && { TAU_TOOL_INPUT_OMITTED: '1' }),
    ...(hook.dialect === 'claude' && { CLAUDE_PROJECT_DIR: root }),
  };
}

/** The command with its names filled in, or why it cannot be. */
export function commandFor(
  command: string,
  input: HookInput,
  variables: Readonly<Record<string, string>>,
): { command: string } | { problem: string } {
  const tool = input.tool_name ?? '';
  if (command.includes('{{tool_name}}') && !/^[\w.-]*$/.test(tool)) {
    return { problem: 'the name of the tool has characters that cannot stand in a command' };
  }
  const unknown = /\{\{(?!event\}\}|tool_name\}\})\w*\}\}/.exec(command)?.[0];
  if (unknown !== undefined) return { problem: `${unknown} cannot stand in a command; it is on the standard input` };
  // Who looks only there would find nothing, and let everything pass.
  if (variables.TAU_TOOL_INPUT_OMITTED !== undefined && /TAU_TOOL_INPUT(?!_)/.test(command)) {
    return { problem: 'the input is too long for TAU_TOOL_INPUT; read it from the standard input' };
  }
  return { command: command.replaceAll('{{event}}', input.hook_event_name).replaceAll('{{tool_name}}', tool) };
}
