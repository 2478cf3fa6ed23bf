/** Marks what comes from files as theirs. A file cannot end its own wrapper, nor open one in another's name. */
import type { ContextFile } from './collect.ts';

export function projectInstructions({ path, text }: ContextFile): string {
  return `<project_instructions path="${attribute(path)}">\n${harmless(text.trim())}\n</project_instructions>`;
}

export function projectContext(files: readonly ContextFile[]): string {
  return `<project_context>\n${files.map(projectInstructions).join('\n')}\n</project_context>`;
}

/** Our own marks, spelt so that they mark nothing. */
export function harmless(text: string): string {
  return text.replace(/<(?=[\s/]{0,20}(?:project_instructions|project_context|git_status)\b)/gi, '&lt;');
}

function attribute(path: string): string {
  const marks: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
  return path.replace(/[&"<>]/g, (mark) => marks[mark] ?? mark).replace(/\p{Cc}/gu, '?');
}
