/** An ask as a person sees it: what exactly would be done, why it is asked, and which answers there are. */
import { resolve } from 'node:path';
import { type Answer, type Ask, isRecord, type ToolInput } from '@tau/agent';
import { exactly, exactlyInLine } from '../render/exactly.ts';
import type { Style } from '../render/style.ts';
import { visibleLine } from '../render/visible.ts';
import { lineWidth, wrapped } from '../render/wrap.ts';

/** Of a command more is shown than of a file: it is the deed itself. */
const maxCommandChars = 20_000;
const maxTextChars = 4000;
const maxRuleChars = 120;
/** A rule of a plan is shown whole: nobody has seen the command before. */
const maxPlanRuleChars = 1000;
const maxReasonChars = 1000;
const maxLabelChars = 200;
const maxEffects = 50;

type Effect = Ask['decision']['effects'][number];

export interface ApprovalOptions {
  cwd: string;
  style: Style;
  /** The label says what would be run. */
  short?: boolean;
  /** Of the terminal: longer lines are broken where it would break them, and go on marked. */
  columns?: number;
}

export function approvalLines(ask: Ask, options: ApprovalOptions): string[] {
  const lines = unbroken(ask, options);
  const { columns } = options;
  return columns === undefined ? lines : lines.flatMap((line) => wrapped(line, columns));
}

function unbroken(ask: Ask, { cwd, style, short = false }: ApprovalOptions): string[] {
  const { toolName, input, decision } = ask;
  const { offer = [] } = decision;
  if (toolName === 'plan_exit') {
    return [
      style.bold('The plan:'),
      ...indented(exactly(textOf(input.plan), maxCommandChars)),
      ...planRules(input, offer).map((line) => style.dim(line)),
    ];
  }
  const badge = decision.class === 'dangerous' ? style.red(`[${decision.class}]`) : `[${decision.class}]`;
  return [
    `${style.bold(exactlyInLine(toolName, maxLabelChars))} needs your approval ${badge}: ${whyText(ask)}`,
    ...(short ? [] : previewLines(toolName, input, style)),
    ...fewer(effectTexts(ask, cwd)).map((text) => style.dim(`  · ${text}`)),
    ...answerLines(offer).map(style.dim),
  ];
}

/** Why it is asked, and the rule that settled it. */
export function whyText({ decision: { reason, rule } }: Ask): string {
  const why = rule === undefined || reason.includes(rule) ? reason : `${reason} (rule ${rule})`;
  return exactlyInLine(why, maxReasonChars);
}

/** What it would do besides what its preview says. */
export function effectTexts({ input, decision }: Ask, cwd: string): string[] {
  const texts = decision.effects.flatMap((effect) => effectText(effect, input, cwd) ?? []);
  return [...texts, ...foreignHosts(input)].map((text) => exactlyInLine(text, maxReasonChars));
}

function answerLines(offer: readonly string[]): string[] {
  return [
    '  y: yes, once · n or Enter: no · any other words: no, and the model hears them',
    ...offer.map((one) => `  s: yes, and for this session allow ${exactlyInLine(one, maxRuleChars)}`),
    ...(offer.length > 0 ? ['  a: the same, in every session in this folder'] : []),
  ];
}

/** What a yes to the plan allows besides, and what it wanted and does not get. */
export function planRules({ allowed_prompts: wanted }: ToolInput, offer: readonly string[]): string[] {
  const rest = Array.isArray(wanted) ? wanted.map(textOf).filter((rule) => !offer.includes(rule)) : [];
  return [
    ...offer.map((rule) => `  y also allows, for this session: ${exactlyInLine(rule, maxPlanRuleChars)}`),
    ...rest.map((rule) => `  asked about as usual, though the plan wants it: ${exactlyInLine(rule, maxPlanRuleChars)}`),
  ];
}

export function approvalLabel({ toolName, decision }: Ask): string {
  if (toolName === 'plan_exit') return 'Carry it out? (y, n, or what to change) ';
  return decision.offer === undefined ? 'Allow? (y/n) ' : 'Allow? (y/n/s/a) ';
}

/** For one line at a terminal: the command itself is the question, where it fits. */
export function shortLabel(ask: Ask, columns = Number.POSITIVE_INFINITY): { label: string; short: boolean } {
  const { toolName, input, decision } = ask;
  if (toolName === 'plan_exit') return { label: approvalLabel(ask), short: false };
  const answers = decision.offer === undefined ? '[y/N]' : '[y/N/s/a]';
  const { command } = input;
  if (toolName !== 'bash' || typeof command !== 'string') return { label: `Allow? ${answers} `, short: false };
  const shown = exactly(command, maxCommandChars);
  const label = `Run: ${shown} ${answers} `;
  const fits = shown.length <= maxLabelChars && !shown.includes('\n') && lineWidth(label) < columns;
  return fits ? { label, short: true } : { label: `Run it? ${answers} `, short: false };
}

export type Approval = { answer: Answer } | { again: string };

export function readApproval(line: string, { decision: { offer } }: Ask): Approval {
  const words = line.trim();
  switch (words.toLowerCase()) {
    case 'y':
    case 'yes':
      return { answer: { outcome: 'allow' } };
    case '':
    case 'n':
    case 'no':
      return { answer: { outcome: 'deny' } };
    case 's':
    case 'a':
      if (offer === undefined) return { again: 'This is asked every time: y or n.' };
      return { answer: { outcome: 'allow', scope: words.toLowerCase() === 's' ? 'session' : 'always' } };
    default:
      return { answer: { outcome: 'deny', feedback: words } };
  }
}

/** A command may touch more than anybody reads; what is left out is counted. */
function fewer(texts: readonly string[]): readonly string[] {
  const more = texts.length - maxEffects;
  return more <= 0 ? texts : [...texts.slice(0, maxEffects), `and ${more} more`];
}

export function previewLines(toolName: string, input: ToolInput, style: Style): string[] {
  const { command, path, content, edits, old_string: before, new_string: after, ...rest } = input;
  const lines: string[] = [];
  if (typeof path === 'string') lines.push(`  ${exactlyInLine(path, maxTextChars)}`);
  if (typeof command === 'string') lines.push(...indented(exactly(command, maxCommandChars)));
  const changes = [...(Array.isArray(edits) ? edits.filter(isRecord) : []), { old_string: before, new_string: after }];
  for (const { old_string: from, new_string: to } of changes) {
    lines.push(...marked('-', from, style.red), ...marked('+', to, style.green));
  }
  if (content !== undefined) lines.push(...marked('+', content, style.green));
  const others = toolName === 'apply_patch' ? {} : rest;
  if (toolName === 'apply_patch') lines.push(...indented(exactly(textOf(input.input), maxCommandChars)));
  for (const [name, value] of Object.entries(others)) {
    lines.push(...indented(`${visibleLine(name)}: ${exactly(textOf(value), maxTextChars)}`));
  }
  return lines;
}

function marked(mark: string, text: unknown, paint: (text: string) => string): string[] {
  if (typeof text !== 'string' || text === '') return [];
  const lines = exactly(text.replace(/\n$/, ''), maxTextChars).split('\n');
  return lines.map((line) => `    ${paint(`${mark}${line}`)}`);
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`);
}

export function textOf(value: unknown): string {
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
      return effect.outside ? 'runs outside the sandbox, with your rights' : undefined;
    case 'net':
      return `connects to ${hostText(effect.host)}`;
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

/** The letters of another alphabet can look like those of a name one knows; what is asked for on the network cannot. */
function hostText(host: string): string {
  return isAscii.test(host) ? host : `${realHost(host)} (written ${host})`;
}

const isAscii = /^[\x20-\x7e]*$/;
const maxHosts = 10;

function realHost(written: string): string {
  return URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname : 'no possible name';
}

/** In addresses, also of a command that nobody could take apart. */
function foreignHosts({ command, url }: ToolInput): string[] {
  const text = [command, url].filter((one) => typeof one === 'string').join('\n');
  const hosts = [...text.matchAll(/:\/\/([^\s/?#"'`\\<>|]{1,300})/g)].map(([, host = '']) => host);
  const foreign = [...new Set(hosts)].filter((host) => !isAscii.test(host));
  return foreign.slice(0, maxHosts).map((host) => `${host} is ${realHost(host)}`);
}
