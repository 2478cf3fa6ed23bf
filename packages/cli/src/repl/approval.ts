/** An ask as a person sees it: what exactly would be done, why it is asked, and which answers there are. */
import { resolve } from 'node:path';
import { type Answer, type Ask, isRecord, type ToolInput } from '@tau/agent';
import { clip } from '../render/clip.ts';
import type { Style } from '../render/style.ts';
import { visible } from '../render/visible.ts';

/** Of a command more is shown than of a file: it is the deed itself. */
const maxCommandChars = 20_000;
const maxTextChars = 4000;
const maxRuleChars = 120;

type Effect = Ask['decision']['effects'][number];

export interface ApprovalOptions {
  /** What `s` would allow. */
  rules: readonly string[];
  cwd: string;
  style: Style;
}

export function approvalLines(ask: Ask, { rules, cwd, style }: ApprovalOptions): string[] {
  const { toolName, input, decision } = ask;
  const { reason, rule } = decision;
  if (toolName === 'plan_exit') {
    return [style.bold('The plan:'), ...indented(bothEnds(textOf(input.plan), maxCommandChars))];
  }
  const why = rule === undefined || reason.includes(rule) ? reason : `${reason} (rule ${rule})`;
  const effects = decision.effects.flatMap((effect) => effectText(effect, input, cwd) ?? []);
  return [
    `${style.bold(visible(toolName))} needs your approval: ${visible(why)}`,
    ...previewLines(toolName, input, style),
    ...effects.map((text) => style.dim(`  · ${visible(text)}`)),
    style.dim('  y: yes, once · n or Enter: no · any other words: no, and the model hears them'),
    ...rules.map((one) => style.dim(`  s: yes, and for this session allow ${clip(one, maxRuleChars)}`)),
  ];
}

export function approvalLabel({ toolName }: Ask, rules: readonly string[]): string {
  if (toolName === 'plan_exit') return 'Carry it out? (y, n, or what to change) ';
  return rules.length > 0 ? 'Allow? (y/n/s) ' : 'Allow? (y/n) ';
}

export type Approval = { answer: Answer; remember: boolean } | { again: string };

export function readApproval(line: string, rules: readonly string[]): Approval {
  const words = line.trim();
  switch (words.toLowerCase()) {
    case 'y':
    case 'yes':
      return { answer: { outcome: 'allow' }, remember: false };
    case '':
    case 'n':
    case 'no':
      return { answer: { outcome: 'deny' }, remember: false };
    case 's':
      if (rules.length === 0) return { again: 'This is asked every time: y or n.' };
      return { answer: { outcome: 'allow' }, remember: true };
    default:
      return { answer: { outcome: 'deny', feedback: words }, remember: false };
  }
}

function previewLines(toolName: string, input: ToolInput, style: Style): string[] {
  const { command, path, content, edits, old_string: before, new_string: after, ...rest } = input;
  const lines: string[] = [];
  if (typeof path === 'string') lines.push(`  ${visible(path)}`);
  if (typeof command === 'string') lines.push(...indented(bothEnds(command, maxCommandChars)));
  const changes = [...(Array.isArray(edits) ? edits.filter(isRecord) : []), { old_string: before, new_string: after }];
  for (const { old_string: from, new_string: to } of changes) {
    lines.push(...marked('-', from, style.red), ...marked('+', to, style.green));
  }
  if (content !== undefined) lines.push(...marked('+', content, style.green));
  const others = toolName === 'apply_patch' ? {} : rest;
  if (toolName === 'apply_patch') lines.push(...indented(bothEnds(textOf(input.input), maxCommandChars)));
  for (const [name, value] of Object.entries(others)) {
    lines.push(...indented(`${name}: ${bothEnds(textOf(value), maxTextChars)}`));
  }
  return lines;
}

function marked(mark: string, text: unknown, paint: (text: string) => string): string[] {
  if (typeof text !== 'string' || text === '') return [];
  const lines = visible(bothEnds(text.replace(/\n$/, ''), maxTextChars)).split('\n');
  return lines.map((line) => `    ${paint(`${mark}${line}`)}`);
}

function indented(text: string): string[] {
  return visible(text)
    .split('\n')
    .map((line) => `    ${line}`);
}

/** The end of a thing is as telling as its beginning: what is left out is in the middle, and is counted. */
function bothEnds(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters are not shown …]\n${text.slice(-half)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Undefined where the preview has said it. */
function effectText(effect: Effect, input: ToolInput, cwd: string): string | undefined {
  switch (effect.kind) {
    case 'read':
    case 'write': {
      const { kind, path, resolved } = effect;
      const elsewhere = resolved !== undefined && resolved !== resolve(cwd, path);
      if (path === input.path && !elsewhere) return undefined;
      return `${kind}s ${path}${elsewhere ? ` (${resolved})` : ''}`;
    }
    case 'exec':
      return undefined;
    case 'net':
      return `connects to ${effect.host}`;
    case 'spawn':
      return `starts the agent ${effect.agent}`;
    case 'mcp':
      return `calls ${effect.tool} of the MCP server ${effect.server}`;
    case 'config':
      return `changes the setting ${effect.key}`;
    case 'other':
      return effect.what;
  }
}
