/** Tool names as rules know them: lower case, with other agents' spellings mapped to ours. */

const spellings: Readonly<Record<string, readonly string[]>> = {
  bash: ['shell', 'run_shell', 'run_shell_command', 'shell_command', 'exec_command', 'local_shell', 'container.exec'],
  read: ['read_file', 'notebookread', 'view_image'],
  write: ['write_file', 'create_file'],
  edit: ['multiedit', 'replace', 'edit_file'],
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
};

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours] as const)),
);

/** Our name for a tool, whoever's spelling this is; any other name in lower case. */
export function toolName(name: string): string {
  const lower = name.toLowerCase();
  return aliases.get(lower) ?? lower;
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
