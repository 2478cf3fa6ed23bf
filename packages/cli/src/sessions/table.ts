/** Sessions as the lines of a table for a person. */
import type { SessionInfo } from '@tau/agent';
import type { Style } from '../render/style.ts';
import { visible } from '../render/visible.ts';

interface TableOptions {
  /** Of every folder, so each line says which. */
  all: boolean;
  now: number;
  style: Style;
}

export function listLines(sessions: readonly SessionInfo[], { all, now, style }: TableOptions): string[] {
  const head = ['ID', 'USED', 'SIZE', 'MODEL', ...(all ? ['FOLDER'] : []), 'ABOUT'];
  const length = idLength(sessions.map(({ id }) => id));
  const rows = sessions.map((session) => [
    oneLine(session.id.slice(0, length)),
    session.owner === undefined ? ago(now - Date.parse(session.modified)) : `in use (${session.owner.pid})`,
    size(session.size),
    oneLine(session.model ?? '-'),
    ...(all ? [oneLine(session.cwd)] : []),
    about(session),
  ]);
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row, index) => {
    const line = row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
    return index === 0 ? style.bold(line.trimEnd()) : line.trimEnd();
  });
}

/** Ids begin with their time, so those of one day have much in common: as much is shown as tells all of them apart. */
function idLength(ids: readonly string[]): number {
  let length = 13;
  while (length < 36 && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length++;
  return length;
}

function about({ name, firstPrompt }: SessionInfo): string {
  const prompt = oneLine(firstPrompt ?? '');
  const text = name === undefined ? prompt : `[${oneLine(name)}] ${prompt}`;
  return text.length > 72 ? `${text.slice(0, 71)}…` : text.trimEnd();
}

const units: readonly [unit: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
];

function ago(ms: number): string {
  const [unit, length] = units.find(([, one]) => ms >= one) ?? ['', 0];
  return length === 0 ? 'just now' : `${Math.floor(ms / length)} ${unit} ago`;
}

function size(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1000))} KB`;
}

/** Most texts are plain: a look at them is quicker than to take them apart. */
const isPlain = /^[\x21-\x7e]*(?: [\x21-\x7e]+)*$/;

export function oneLine(text: string): string {
  return isPlain.test(text) ? text : visible(text).replace(/\s+/g, ' ');
}
