/** The rows of a select list: which there are for a query, and what each looks like. */
import { printableLine } from '../text/ansi.ts';
import { cut, pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Theme } from '../theme/theme.ts';
import { foundIn, marked } from './filter.ts';

/** What of an item is drawn. */
interface Item {
  label: string;
  description?: string;
  group?: string;
  disabled?: string;
}

export type Row<I extends Item> =
  | { kind: 'heading'; text: string }
  | {
      kind: 'item';
      item: I;
      label: string;
      description: string;
      inLabel: readonly number[];
      inDescription: readonly number[];
    };

/** Without a query in the given order; with one the best first, groups in the order of their best. */
export function rowsOf<I extends Item>(items: readonly I[], query: string): Row<I>[] {
  const found = query === '' ? items.map((item) => itemRow(item)) : matching(items, query);
  const groups = new Map<string, Row<I>[]>();
  for (const row of found) {
    const group = row.item.group ?? '';
    const members = groups.get(group);
    if (members) members.push(row);
    else groups.set(group, [row]);
  }
  return [...groups].flatMap(([group, members]): Row<I>[] =>
    group === '' ? members : [{ kind: 'heading', text: printableLine(group) }, ...members],
  );
}

type ItemRow<I extends Item> = Extract<Row<I>, { kind: 'item' }>;

function itemRow<I extends Item>(item: I): ItemRow<I> {
  return {
    kind: 'item',
    item,
    label: printableLine(item.label),
    description: printableLine(item.disabled ?? item.description ?? ''),
    inLabel: [],
    inDescription: [],
  };
}

function matching<I extends Item>(items: readonly I[], query: string): ItemRow<I>[] {
  return items
    .flatMap((item) => {
      const row = itemRow(item);
      const found = foundIn(query, row.label, row.description);
      return found
        ? [{ row: { ...row, inLabel: found.label, inDescription: found.description }, score: found.score }]
        : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

/** How wide the labels want to be. A very long list is judged by its beginning. */
export function labelWidth(items: readonly Item[]): number {
  let widest = 0;
  for (const { label } of items.slice(0, 1_000)) widest = Math.max(widest, widthOf(printableLine(label)));
  return widest;
}

/** Less than this beside the labels is not worth a column. */
const leastDescription = 12;

export function drawRow<I extends Item>(options: {
  row: Row<I>;
  chosen: boolean;
  /** Undefined where nothing can be marked. */
  mark: boolean | undefined;
  labels: number;
  theme: Theme;
  width: number;
}): string {
  const { row, chosen, mark, theme, width } = options;
  if (row.kind === 'heading') return theme.paint('label', cut(row.text, width));
  const disabled = row.item.disabled !== undefined;
  const box = mark === undefined ? '' : mark ? '[x] ' : '[ ] ';
  const before = `${chosen ? '› ' : '  '}${box}`;
  const room = width - before.length;
  if (room < 1) return cut(before, width);
  const wanted = Math.min(options.labels, Math.max(16, Math.floor(room * 0.6)));
  const beside = room - wanted - 2;
  const role = disabled ? 'disabled' : chosen ? 'selection' : undefined;
  const label = (most: number) => cut(marked(row.label, row.inLabel, theme, role), most);
  const two = row.description !== '' && beside >= leastDescription;
  const text = two
    ? `${pad(label(wanted), wanted)}  ${cut(marked(row.description, row.inDescription, theme, 'muted'), beside)}`
    : label(room);
  const line = `${chosen ? theme.paint('selection', before) : before}${text}`;
  return chosen ? theme.paint('selectionBg', pad(line, width)) : line;
}
