/**
 * Puts the system prompt together, the same bytes from the same parts: tau's words or the user's instead, what is added to
 * them, what the tools want known, the context files, git, and last the date and the folder.
 */
import type { GitContext } from '../git/context.ts';
import { gitText } from '../git/text.ts';
import type { ContextFile } from './collect.ts';
import { bullets, defaultPrompt } from './default.ts';
import type { Family } from './family.ts';
import { projectContext } from './wrap.ts';

export interface PromptTool {
  name: string;
  description?: string;
  snippet?: string;
  guidelines?: readonly string[];
}

export interface PromptParts {
  cwd: string;
  date: string;
  family: Family;
  tools: readonly PromptTool[];
  /** Instead of tau's own words. */
  base?: string;
  /** After them, in this order. */
  additions: readonly string[];
  contextFiles: readonly ContextFile[];
  git?: GitContext;
}

export function composePrompt(parts: PromptParts): string {
  const { cwd, date, tools, contextFiles, git } = parts;
  const placed = new Set<string>();
  const instructions = contextFiles.length > 0 ? projectContext(contextFiles) : '';
  const guidelines = [...new Set(tools.flatMap((tool) => tool.guidelines ?? []))];
  const values: Readonly<Record<string, () => string>> = {
    tools: () => bullets([...tools.map(toolLine), ...guidelines]),
    instructions: () => instructions,
    cwd: () => cwd,
    date: () => date,
  };
  // One pass: what a placeholder brings in is not searched for others. What one has placed is not said again below.
  const base = parts.base?.replaceAll(/\{\{\s{0,8}(tools|cwd|date|instructions)\s{0,8}\}\}/g, (_, name: string) => {
    placed.add(name);
    return values[name]?.() ?? '';
  });
  const place = [
    ...(placed.has('date') ? [] : [`Current date: ${date}`]),
    ...(placed.has('cwd') ? [] : [`Current working directory: ${cwd}`]),
  ];
  const sections = [
    base ?? defaultPrompt(parts.family, tools),
    ...parts.additions,
    ...(guidelines.length === 0 || placed.has('tools') ? [] : [`Tools:\n${bullets(guidelines)}`]),
    ...(placed.has('instructions') ? [] : [instructions]),
    git ? gitText(git) : '',
    place.join('\n'),
  ];
  return sections
    .map((section) => section.trim())
    .filter((section) => section !== '')
    .join('\n\n');
}

function toolLine({ name, snippet, description = '' }: PromptTool): string {
  const about = snippet ?? /^[^\n]*?[.!?](?=\s|$)|^[^\n]*/.exec(description)?.[0] ?? '';
  return about === '' ? name : `${name}: ${about}`;
}
