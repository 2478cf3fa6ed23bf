/** What a project would enable, as lines for somebody who decides: nothing in it can hide, whatever it is padded with. */
import type { Enabled, TrustStatus } from '@tau/agent';
import { exactly, exactlyInLine } from '../render/exactly.ts';
import { visibleLine } from '../render/visible.ts';

const maxChars = 20_000;
const maxItemChars = 2000;
const maxRows = 100;

export function statusLines(status: TrustStatus): string[] {
  const { root, enables } = status;
  if (root === undefined) return ['There is no project here: what is in this folder is yours.'];
  const counting = enables.filter(({ counts }) => counts);
  const others = enables.filter(({ counts }) => !counts);
  return [
    visibleLine(`${root}: ${stateText(status)}`),
    ...changeLines(status),
    ...section(status.state === 'trusted' ? 'It enables:' : 'It would enable:', counting),
    ...section('These are recorded too, but enable nothing by themselves:', others),
    ...status.problems.map((problem) => visibleLine(problem)),
  ];
}

function stateText({ state, decision, changed, enables, problems }: TrustStatus): string {
  if (state === 'trusted') return 'trusted';
  if (enables.length === 0 && problems.length > 0) return 'not trusted, and what it would enable cannot be shown';
  if (decision === 'no' && changed.length === 0) return 'not trusted, as you said';
  if (state === 'nothing to trust') return 'nothing to trust: it enables nothing';
  return decision === undefined || changed.length === 0
    ? 'not trusted'
    : `not trusted: it changed since you said ${decision}`;
}

function changeLines({ changed }: TrustStatus): string[] {
  const rows = changed.map(({ path, change }) => `  ${change.padEnd(7)}  ${exactlyInLine(path, 300)}`);
  return rows.length === 0 ? [] : ['', 'Changed since then:', ...bounded(rows)];
}

function section(title: string, rows: readonly Enabled[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...bounded(rows.map((row) => rowLines(row).join('\n')))];
}

/** The first and the last: what is left out is in the middle, and counted. */
function bounded(rows: readonly string[]): string[] {
  const more = rows.length - maxRows;
  if (more <= 0) return [...rows];
  return [...rows.slice(0, maxRows / 2), `  … ${more} more; --json shows all of them`, ...rows.slice(-maxRows / 2)];
}

function rowLines({ kind, name, meaning, value, place }: Enabled): string[] {
  const what = kind === 'hook' ? `${name} hook` : name;
  const where = place === name ? '' : `  (${exactlyInLine(place, 300)})`;
  return [`  ${exactlyInLine(what, 300)}: ${exactlyInLine(meaning, 500)}${where}`, ...valueLines(value)];
}

function valueLines(value: unknown): string[] {
  if (value === undefined) return [];
  return exactly(textOf(value), maxChars)
    .split('\n')
    .map((line) => `      ${line}`);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((one) => exactlyInLine(itemText(one), maxItemChars)).join('\n');
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([name, one]) => exactlyInLine(`${name}=${itemText(one)}`, maxItemChars));
  return entries.join('\n');
}

function itemText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
