/** Tool names as rules know them: lower case, with other agents' spellings mapped to ours. */

const aliases: ReadonlyMap<string, string> = new Map([
  ['multiedit', 'edit'],
  ['shell', 'bash'],
  ['run_shell', 'bash'],
  ['read_file', 'read'],
  ['write_file', 'write'],
]);

export function toolName(name: string): string {
  const lower = name.toLowerCase();
  return aliases.get(lower) ?? lower;
}

/** Tools whose patterns are paths. */
export function isFileTool(tool: string): boolean {
  return tool === 'read' || tool === 'write' || tool === 'edit';
}

/** `edit` and `write` are one permission: who may replace a file's content may change a part of it, and the reverse. */
export function sameTool(a: string, b: string): boolean {
  return a === b || (changesFiles(a) && changesFiles(b));
}

function changesFiles(tool: string): boolean {
  return tool === 'edit' || tool === 'write';
}
