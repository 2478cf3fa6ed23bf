/** A tool call and its result as a few lines for a person. */
import type { RunEvent, ToolInput, ToolResult } from '@tau/agent';
import { clip } from './clip.ts';
import type { Style } from './style.ts';
import { visible, visibleLine } from './visible.ts';

export function callLine(toolName: string, input: ToolInput, style: Style, maxChars = 200): string {
  const about = input.command ?? input.path ?? JSON.stringify(input);
  return `${style.cyan('●')} ${style.bold(visibleLine(toolName))} ${clip(String(about), maxChars)}`;
}

/** Of these the model gets whole files and lists, and a person wants to know how much. */
const countedTools = ['read', 'write', 'edit', 'apply_patch', 'grep', 'glob', 'ls', 'web_fetch', 'todo'];

/** How a call went, on one line: its summary where that says more than the first words of the result. */
export function outcomeLine(
  {
    toolName,
    result,
    summary,
  }: Pick<Extract<RunEvent, { type: 'tool_execution_end' }>, 'toolName' | 'result' | 'summary'>,
  style: Style,
  maxChars: number,
): string {
  const mark = result.isError ? style.red('✗') : style.green('✓');
  const isCounted = !result.isError && countedTools.includes(toolName);
  const preview = clip(isCounted ? summary.slice(toolName.length) : textOfResult(result), maxChars);
  return `${mark} ${style.bold(visibleLine(toolName))}${preview === '' ? '' : ` ${style.dim(preview)}`}`;
}

function textOfResult({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '(image)')).join('\n');
}

/** A diff where there is one, else the end of the output. */
export function resultLines(result: ToolResult, style: Style, maxLines: number): string[] {
  const diff = diffOf(result.details);
  if (diff !== undefined) return diffLines(diff, style);
  const lines = visible(textOfResult(result).trimEnd()).split('\n');
  const shown = lines.slice(-maxLines);
  const cut = lines.length - shown.length;
  const paint = result.isError ? style.red : style.dim;
  return [...(cut > 0 ? [`… ${cut} more above`] : []), ...shown].map((line) => `  ${paint(line)}`);
}

/** Hunks only: the file is already named by the call. */
export function diffLines(diff: string, style: Style): string[] {
  const lines = visible(diff.trimEnd()).split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(first, 0)).map((line) => {
    if (line.startsWith('+')) return `  ${style.green(line)}`;
    if (line.startsWith('-')) return `  ${style.red(line)}`;
    return `  ${style.dim(line)}`;
  });
}

export function diffOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('diff' in details)) return undefined;
  return typeof details.diff === 'string' && details.diff !== '' ? details.diff : undefined;
}
