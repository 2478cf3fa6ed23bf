/** Rows and columns. Where there is no room, the columns that matter least give way: they shrink, then they go. */
import { remember } from '../boxes/remember.ts';
import type { Component } from '../component.ts';
import { printableLine } from '../text/ansi.ts';
import { cut, pad } from '../text/cut.ts';
import { widthUpTo } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import type { Role, Theme } from '../theme/theme.ts';

export interface TableColumn {
  title: string;
  align?: 'left' | 'right' | 'center';
  /** The higher, the longer it keeps its width. All equal unless said. */
  priority?: number;
  /** It shrinks to this, then it goes. */
  min?: number;
  max?: number;
  /** What does not fit goes on below instead of being cut. */
  wrap?: boolean;
  role?: Role;
}

export interface TableOptions {
  theme: Theme;
  columns: readonly TableColumn[];
  rows: readonly (readonly string[])[];
  /** A line of titles. True unless said otherwise. */
  header?: boolean;
  emptyText?: string;
}

export interface Table extends Component {
  setRows(rows: readonly (readonly string[])[]): void;
}

const gap = 2;

export function createTable(options: TableOptions): Table {
  const { theme, columns, header = true, emptyText = 'No rows' } = options;
  let rows = options.rows;
  const { render, forget } = remember((width) => {
    if (width < 1) return [];
    const widths = fitted(columns, naturalWidths(columns, rows, header, width), width);
    const shown = columns.flatMap((column, index) => (widths[index] === undefined ? [] : [{ column, index }]));
    const titles = columns.map(({ title }) => title);
    const lines = header ? lineFor(titles, 'label') : [];
    for (const row of rows) for (const line of lineFor(row)) lines.push(line);
    if (rows.length === 0) lines.push(theme.paint('muted', cut(emptyText, width)));
    if (shown.length < columns.length) {
      const names = columns.filter((_, index) => widths[index] === undefined).map(({ title }) => printableLine(title));
      lines.push(theme.paint('muted', cut(`No room for: ${names.join(', ')}`, width)));
    }
    return lines;

    function lineFor(cells: readonly string[], role?: Role): string[] {
      const parts = shown.map(({ column, index }) => {
        const own = widths[index] ?? 0;
        const text = printableLine(cells[index] ?? '');
        return column.wrap ? wrap(text, own) : [cut(text, own)];
      });
      const height = Math.max(1, ...parts.map((part) => part.length));
      return Array.from({ length: height }, (_, row) =>
        parts
          .map((part, place) => {
            const { column, index } = shown[place] ?? { column: undefined, index: 0 };
            const text = part[row] ?? '';
            const paint = role ?? column?.role;
            const painted = paint && text !== '' ? theme.paint(paint, text) : text;
            const last = place === parts.length - 1 && (column?.align ?? 'left') === 'left';
            return last ? painted : pad(painted, widths[index] ?? 0, column?.align);
          })
          .join(' '.repeat(gap)),
      );
    }
  });
  return {
    render,
    setRows(next) {
      rows = next;
      forget();
    },
  };
}

function naturalWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  header: boolean,
  width: number,
): number[] {
  return columns.map(({ title, max = width }, index) => {
    // Nobody can have more than all of it.
    const most = Math.min(max, width);
    let widest = header ? widthUpTo(printableLine(title), most) : 1;
    for (const row of rows) {
      if (widest >= most) break;
      widest = Math.max(widest, widthUpTo(printableLine(row[index] ?? ''), most));
    }
    return Math.max(1, Math.min(widest, most));
  });
}

/** The width of each column; undefined for those that there is no room for. The first of the most important stays. */
function fitted(columns: readonly TableColumn[], natural: readonly number[], width: number): (number | undefined)[] {
  const widths: (number | undefined)[] = [...natural];
  const priorityOf = (index: number) => columns[index]?.priority ?? 0;
  const leastOf = (index: number) =>
    Math.min(natural[index] ?? 1, columns[index]?.min ?? Math.min(8, natural[index] ?? 1));
  // The least important first; among equals the last.
  const order = columns.map((_, index) => index).sort((a, b) => priorityOf(a) - priorityOf(b) || b - a);
  const excess = () => {
    const shown = widths.filter((own) => own !== undefined);
    return shown.reduce((sum, own) => sum + own, 0) + gap * Math.max(0, shown.length - 1) - width;
  };
  for (const level of new Set(order.map(priorityOf))) shrink(order.filter((index) => priorityOf(index) === level));
  for (const index of order.slice(0, -1)) if (excess() > 0) widths[index] = undefined;
  const keeper = order.at(-1) ?? 0;
  if (excess() > 0) widths[keeper] = Math.max(1, (widths[keeper] ?? 1) - excess());
  regrow();
  return widths;

  /** Columns that matter alike give way together: always the widest. */
  function shrink(members: readonly number[]): void {
    for (let over = excess(); over > 0; over -= 1) {
      const widest = members
        .filter((index) => (widths[index] ?? 0) > leastOf(index))
        .reduce<number | undefined>(
          (best, index) => (best === undefined || (widths[index] ?? 0) > (widths[best] ?? 0) ? index : best),
          undefined,
        );
      if (widest === undefined) return;
      widths[widest] = (widths[widest] ?? 1) - 1;
    }
  }

  /** What a column left that went is given back, the most important first. */
  function regrow(): void {
    for (const index of order.toReversed()) {
      const own = widths[index];
      if (own !== undefined) widths[index] = Math.min(natural[index] ?? own, own + Math.max(0, -excess()));
    }
  }
}
