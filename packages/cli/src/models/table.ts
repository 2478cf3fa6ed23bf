/** Models as the lines of a table for a person. */
import { type ListedModel, thinkingLevels } from '@tau/agent';
import type { Style } from '../render/style.ts';
import { visible } from '../render/visible.ts';

const head = ['MODEL', 'CONTEXT', 'OUTPUT', 'IN $/M', 'OUT $/M', 'THINKING', 'IMAGES', 'READY'];
/** Numbers stand at the right of their column. */
const numeric = new Set([1, 2, 3, 4]);
const gap = 2;

/** What a narrow terminal has no room for, first first. */
const dispensable = [6, 5, 2];

/** In so many columns, if they are known; what was left out for that is said. */
export function tableLines(models: readonly ListedModel[], style: Style, columns = Number.POSITIVE_INFINITY): string[] {
  const rows = [head, ...models.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const width = (left: ReadonlySet<number>) =>
    widths.reduce((sum, one, at) => (left.has(at) ? sum : sum + one + gap), -gap);
  const left = new Set<number>();
  for (const at of dispensable) if (width(left) > columns) left.add(at);
  const lines = rows.map((row, index) => {
    const padded = row.map((cell, at) =>
      numeric.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
    );
    const line = padded
      .filter((_, at) => !left.has(at))
      .join(' '.repeat(gap))
      .trimEnd();
    if (index === 0) return style.bold(line);
    return models[index - 1]?.ready ? line : style.dim(line);
  });
  if (left.size === 0) return lines;
  const names = head.filter((_, at) => left.has(at)).join(', ');
  return [...lines, style.dim(`A wider window also shows ${names}; --json tells all.`)];
}

function cells(model: ListedModel): string[] {
  const { provider, id, contextWindow, maxTokens, cost, images } = model;
  return [
    oneLine(`${provider}/${id}`),
    tokens(contextWindow),
    tokens(maxTokens),
    cost ? String(cost.input) : '-',
    cost ? String(cost.output) : '-',
    thinking(model),
    yesOrNo(images),
    model.ready ? 'ready' : oneLine(`needs ${model.missing ?? 'a key'}`),
  ];
}

function tokens(count: number | undefined): string {
  if (count === undefined) return '-';
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(2))}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}K` : String(count);
}

/** The levels it takes: from and to where none is missing between them. */
function thinking({ reasoning, thinkingLevels: levels }: ListedModel): string {
  if (reasoning === false) return 'no';
  const [first] = levels ?? [];
  const last = levels?.at(-1);
  if (!levels || first === undefined || last === undefined) return yesOrNo(reasoning);
  if (levels.length < 3) return levels.join(', ');
  const span = thinkingLevels.indexOf(last) - thinkingLevels.indexOf(first) + 1;
  return span === levels.length ? `${first} to ${last}` : levels.join(', ');
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '-';
  return value ? 'yes' : 'no';
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ');
}
