/** Tool names as rules know them: lower case, with other agents' spellings mapped to ours. */
import { nearest } from '@tau/core';
import { compileGlob, globMatches, hasWildcard } from './glob.ts';

const spellings: Readonly<Record<string, readonly string[]>> = {
  bash: ['shell', 'run_shell', 'run_shell_command', 'shell_command', 'exec_command', 'local_shell', 'container.exec'],
  read: ['read_file', 'notebookread', 'view_image'],
  write: ['write_file', 'create_file'],
  edit: ['multiedit', 'replace', 'edit_file', 'notebookedit', 'notebook_edit'],
  apply_patch: ['applypatch'],
  glob: ['find'],
  grep: ['search_file_content', 'grep_search', 'grep_files'],
  ls: ['list', 'list_directory', 'list_dir', 'list_files'],
  jobs: ['bashoutput', 'killshell', 'killbash', 'taskoutput', 'taskstop'],
  web_fetch: ['webfetch', 'fetch_url'],
  todo: ['todowrite', 'update_plan', 'write_todos'],
  ask_user: ['askuserquestion', 'request_user_input'],
  send_file: ['senduserfile', 'send_user_file', 'sendfile'],
  plan_enter: ['enterplanmode', 'enter_plan_mode'],
  plan_exit: ['exitplanmode', 'exit_plan_mode'],
  tool_search: ['toolsearch'],
  // No tools, but what commands do in a sandbox and out of it.
  contained: [],
  outside: [],
  network: [],
};

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours] as const)),
);

/** Our name for a tool, whoever's spelling this is; any other name in lower case. */
export function toolName(name: string): string {
  const lower = name.toLowerCase();
  return aliases.get(lower) ?? lower;
}

/** Every name that means one of our tools. */
export const knownNames: readonly string[] = Object.entries(spellings).flatMap(([ours, theirs]) => [ours, ...theirs]);

/** Tools of Claude Code that tau has no counterpart of. Written as there: in small letters they may be an extension's. */
const foreign: ReadonlySet<string> = new Set(
  'Agent Task Skill SlashCommand WebSearch Cd PowerShell Monitor LSP Workflow SendMessage'.split(' '),
);

export function isForeign(written: string): boolean {
  return foreign.has(written);
}

/** Our tool that a name which is nobody's looks like. */
export function meantTool(written: string): string | undefined {
  const known = knownNames.includes(toolName(written)) || isForeign(written);
  if (known || hasWildcard(written) || written.toLowerCase().startsWith('mcp__')) return undefined;
  const near = nearest(written, knownNames);
  return near === undefined ? undefined : toolName(near);
}

/** Does a rule that asks or denies name the tool? Loosely: by a pattern, by any spelling, or by the server it is from. */
export function namesTool(wanted: string, name: string): boolean {
  const tool = toolName(name);
  if (wanted === '*' || sameTool(wanted, tool)) return true;
  if (hasWildcard(wanted)) {
    const glob = compileGlob(wanted);
    const names = changesFiles(tool) ? ['edit', 'write', 'apply_patch'] : [tool];
    return [...names, name.toLowerCase()].some((one) => globMatches(one, glob));
  }
  return isServer(wanted) && name.toLowerCase().startsWith(`${wanted}__`);
}

/** `mcp__server`: all the tools of one server. */
function isServer(name: string): boolean {
  return /^mcp__(?!.*__).+$/.test(name);
}

/**
 * Tools of one MCP server in a rule that allows: `mcp__server`, `mcp__server__*`, `mcp__server__get_*`. The server is
 * named in full.
 */
export function serverTools(written: string): { server: string; tools: string } | undefined {
  const [, server = '', tools = '*'] = /^mcp__((?:(?!__).)+)(?:__(.*))?$/s.exec(written) ?? [];
  if (server === '' || hasWildcard(server) || (written.endsWith(tools) && !hasWildcard(tools))) return undefined;
  return { server, tools };
}

/**
 * Rules whose patterns are commands: those in the sandbox or without one, those in the sandbox alone, and those that run
 * outside it.
 */
export function isCommandTool(tool: string): tool is 'bash' | 'contained' | 'outside' {
  return tool === 'bash' || tool === 'contained' || tool === 'outside';
}

/** Rules whose patterns are hosts. */
export function isHostTool(tool: string): tool is 'web_fetch' | 'network' {
  return tool === 'web_fetch' || tool === 'network';
}

/** Tools whose patterns are paths. */
export function isFileTool(tool: string): boolean {
  return tool === 'read' || changesFiles(tool);
}

/** `edit`, `write` and `apply_patch` are one permission: who may replace a file may change a part of it, and the reverse. */
export function sameTool(a: string, b: string): boolean {
  return a === b || (changesFiles(a) && changesFiles(b));
}

function changesFiles(tool: string): boolean {
  return tool === 'edit' || tool === 'write' || tool === 'apply_patch';
}
