/** What a call is about: the tool by its name, then what matters most of its arguments. */
import { relative } from 'node:path';
import { isRecord, type ToolInput } from '@tau/agent';
import { cut, cutMiddle, printableLine, widthOf, wrap } from '@tau/tui';
import type { CardWorld } from './card.ts';

export interface Title {
  mark: string;
  tool: string;
  input: ToolInput;
  /** How it goes or went, in colours; empty when there is nothing to say yet. */
  state: string;
  /** The user runs it. */
  isUsers: boolean;
}

/** Rows that a command may take. */
const maxRows = 3;
const least = 12;

/** One row for all but commands, which are to be read as they are. */
export function titleLines(title: Title, world: CardWorld, width: number, rows: number): string[] {
  const { theme } = world;
  const { mark, tool, input, state, isUsers } = title;
  const name = isUsers ? theme.paint('bashMode', '!') : theme.paint('toolTitle', printableLine(tool));
  const head = `${mark} ${name} `;
  const tail = state === '' ? '' : ` ${state}`;
  const room = Math.max(least, width - widthOf(head));
  if (tool === 'bash' && typeof input.command === 'string') {
    const command = world.highlighter.lines(input.command.trim().slice(0, 4000), 'bash', theme);
    const all = command.flatMap((line) => wrap(line, room, { at: 'anywhere' }));
    if (all.length === 1 && widthOf(all[0] ?? '') + widthOf(tail) <= room) return [`${head}${all[0]}${tail}`];
    if (rows > 1) return commandLines(head, all, state, width, Math.min(rows, maxRows + 1), world);
    return [cut(`${head}${cut(all.join(' '), Math.max(least, room - widthOf(tail)))}${tail}`, width)];
  }
  const about = printableLine(aboutOf(tool, input, world.cwd));
  const fit = Math.max(least, room - widthOf(tail));
  const shown = isPath(input) && !about.includes(' ') ? cutMiddle(about, fit) : cut(about, fit);
  return [cut(`${head.trimEnd()}${shown === '' ? '' : ` ${theme.paint('toolInput', shown)}`}${tail}`, width)];
}

/** What does not fit is counted; how it went stands below. */
function commandLines(
  head: string,
  all: readonly string[],
  state: string,
  width: number,
  most: number,
  { theme }: CardWorld,
): string[] {
  const indent = ' '.repeat(Math.min(widthOf(head), Math.max(0, width - least)));
  const ends = state === '' ? 0 : 1;
  const room = Math.max(1, most - ends);
  const hidden = all.length - room;
  const more = hidden > 0 ? [theme.paint('muted', `… ${hidden} more rows`)] : [];
  const shown = all.slice(0, room).map((line, at) => (at === 0 ? `${head}${line}` : `${indent}${line}`));
  const last = [...more, ...(state === '' ? [] : [state])].join(' ');
  return [...shown, ...(last === '' ? [] : [`${indent}${last}`])].slice(0, most).map((line) => cut(line, width));
}

function isPath({ path }: ToolInput): boolean {
  return typeof path === 'string';
}

export function aboutOf(tool: string, input: ToolInput, cwd: string): string {
  const { command, path, pattern, url, query, question, action, id, todos, plan } = input;
  if (typeof command === 'string') return command;
  if ((tool === 'grep' || tool === 'glob') && typeof pattern === 'string') {
    const where = typeof path === 'string' && path !== '.' ? ` in ${near(path, cwd)}` : '';
    return `${tool === 'grep' ? `/${pattern}/` : pattern}${where}`;
  }
  if (tool === 'ls') return typeof path === 'string' ? near(path, cwd) : '.';
  if (typeof path === 'string') return `${near(path, cwd)}${rangeOf(input)}`;
  if (tool === 'apply_patch') return patchedFiles(input.input ?? input.patch).join(', ');
  if (tool === 'jobs') return [action, id].filter((one) => typeof one === 'string').join(' ');
  if (Array.isArray(todos)) return '';
  // All of it stands in the panel, and in the transcript.
  if (tool === 'plan_exit' && typeof plan === 'string')
    return (
      plan
        .trim()
        .split('\n', 1)[0]
        ?.replace(/^#+\s*/, '') ?? ''
    );
  const first = [url, query, question].find((one) => typeof one === 'string');
  return typeof first === 'string' ? first : argumentsText(input);
}

/** Of a tool that nothing is known of: its arguments by name. */
function argumentsText(input: ToolInput): string {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value.slice(0, 500) : shortJson(value)}`)
    .join(', ');
}

function shortJson(value: unknown): string {
  if (isRecord(value) || Array.isArray(value)) return JSON.stringify(value).slice(0, 500);
  return String(value);
}

function patchedFiles(patch: unknown): string[] {
  if (typeof patch !== 'string') return [];
  const names = patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm);
  return [...names].slice(0, 5).map(([, name = '']) => name);
}

/** Which lines of it. */
function rangeOf({ offset, limit }: ToolInput): string {
  if (typeof offset !== 'number') return '';
  return typeof limit === 'number' ? `:${offset}-${offset + limit - 1}` : `:${offset}`;
}

function near(path: string, cwd: string): string {
  if (!path.startsWith('/')) return path;
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}
