/**
 * The system prompt of a session, from everywhere it may come from. What is said nearer wins: a flag over a setting, a
 * setting over a file. A project's own SYSTEM.md would take tau's guards out of the prompt, so it does not count.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { withHiddenTold } from '@tau/core';
import type { GitContext } from '../git/context.ts';
import type { ContextFile } from './collect.ts';
import { composePrompt, type PromptTool } from './compose.ts';
import { findContextFiles } from './context-files.ts';
import type { Family } from './family.ts';
import { readPlainFile } from './plain-file.ts';
import type { Project } from './project.ts';
import { languageText, styleText } from './styles.ts';
import { projectContext } from './wrap.ts';

/** From the settings. */
interface PromptSettings {
  systemPrompt?: string;
  appendSystemPrompt?: string;
  customInstructions?: string;
  language?: string;
  /** `concise`, `explanatory`, `learning`, or a description. */
  outputStyle?: string;
}

export interface SystemPromptOptions {
  cwd: string;
  /** `YYYY-MM-DD`. */
  date: string;
  home: { user: string; tau: string };
  project: Project;
  family: Family;
  tools: readonly PromptTool[];
  settings: PromptSettings;
  /** What was said for this run alone. */
  flags: { systemPrompt?: string; appendSystemPrompt?: string };
  /** False leaves AGENTS.md, CLAUDE.md and rules out. */
  contextFiles: boolean;
  git?: GitContext;
}

export interface SystemPrompt {
  text: string;
  /** The context files in it, in their order. */
  files: readonly ContextFile[];
  warnings: string[];
}

export function buildSystemPrompt(options: SystemPromptOptions): SystemPrompt {
  const { cwd, date, home, project, family, tools, settings, flags, git } = options;
  const warnings: string[] = [];
  const found = options.contextFiles ? findContextFiles(project, home) : { files: [], warnings: [] };
  const read = (folder: string, name: string, within: readonly string[]) =>
    textIn(join(folder, name), within, warnings);
  const own = [home.tau, home.user];
  const base = flags.systemPrompt ?? settings.systemPrompt ?? read(home.tau, 'SYSTEM.md', own)?.text;
  refuseProjectPrompt(project, warnings);

  const appended: string[] = [];
  if (flags.appendSystemPrompt === undefined) {
    const global = read(home.tau, 'APPEND_SYSTEM.md', own);
    const theirs = project.tau === undefined ? undefined : read(project.tau, 'APPEND_SYSTEM.md', [project.root]);
    if (global) appended.push(global.text);
    // A stranger's words, and marked as such.
    if (theirs) appended.push(projectContext([theirs]));
    if (settings.appendSystemPrompt !== undefined) appended.push(settings.appendSystemPrompt);
  } else appended.push(flags.appendSystemPrompt);
  const { customInstructions, outputStyle, language } = settings;
  if (customInstructions !== undefined) appended.push(customInstructions);
  if (outputStyle !== undefined) appended.push(styleText(outputStyle));
  if (language !== undefined) appended.push(languageText(language));

  // Files were looked through as they were read; names of branches and folders, and settings, come here.
  const { text, told } = withHiddenTold(
    composePrompt({
      cwd,
      date,
      family,
      tools,
      additions: appended,
      contextFiles: found.files,
      ...(base !== undefined && { base }),
      ...(git && { git }),
    }),
  );
  if (told !== undefined) warnings.push(`Removed ${told} from the system prompt`);
  return { text, files: found.files, warnings: [...warnings, ...found.warnings] };
}

function textIn(path: string, within: readonly string[], warnings: string[]): ContextFile | undefined {
  const found = readPlainFile(path, within);
  if (!found) return undefined;
  if ('problem' in found) {
    warnings.push(found.problem);
    return undefined;
  }
  if (found.warning !== undefined) warnings.push(found.warning);
  return found.file;
}

function refuseProjectPrompt(project: Project, warnings: string[]): void {
  if (project.tau === undefined) return;
  const path = join(project.tau, 'SYSTEM.md');
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  warnings.push(
    `${path} is left out: a project does not replace the system prompt. Put it into AGENTS.md, or use --system-prompt-file`,
  );
}

export function localDate(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
