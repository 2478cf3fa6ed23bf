/** Tables: columns as wide as they need to be, shrunk to the width, or a list of rows where there is no room for them. */
import type { Tokens } from 'marked';
import { pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import { renderInline } from './inline.ts';
import { known } from './parser.ts';
import type { MarkdownStyle } from './style.ts';

/** What the first rows of a table decide for those that come later. */
export interface TableShape {
  /** Cells each column would like to have, and the least that keeps its words whole. */
  natural: readonly number[];
  words: readonly number[];
}

const between = 3;
const leastColumn = 4;
/** A word longer than this is broken before its column takes the room of the others. */
const longWord = 16;

export function renderTable(
  table: Tokens.Table,
  width: number,
  style: MarkdownStyle,
  from?: TableShape,
): { lines: string[]; shape: TableShape } {
  const heads = table.header.map((cell) => cellText(cell, style));
  const rows = table.rows.map((row) => row.map((cell) => cellText(cell, style)));
  const shape = from ?? measure([heads, ...rows]);
  const widths = fit(shape, width);
  if (widths === undefined) return { lines: records(heads, rows, width, style, from === undefined), shape };
  const { theme } = style;
  const line = (cells: readonly string[]) => layRow(cells, widths, table.align, style);
  const rule = widths.map((size) => '─'.repeat(size)).join('─┼─');
  // Rows of several lines each would run into each other.
  const isTall = shape.natural.some((size, index) => size > (widths[index] ?? 0));
  const lines = from === undefined ? line(heads.map((head) => theme.paint('markdownTableHeader', head))) : [];
  rows.forEach((row, index) => {
    const isFirst = from === undefined && index === 0;
    if (isFirst || isTall) lines.push(theme.paint('markdownTableBorder', rule));
    for (const made of line(row)) lines.push(made);
  });
  if (rows.length === 0 && from === undefined) lines.push(theme.paint('markdownTableBorder', rule));
  return { lines, shape };
}

function cellText(cell: Tokens.TableCell, style: MarkdownStyle): string {
  return renderInline(known(cell.tokens), style).trim();
}

function measure(rows: readonly (readonly string[])[]): TableShape {
  const natural: number[] = [];
  const words: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      for (const line of cell.split('\n')) {
        natural[index] = Math.max(natural[index] ?? 1, widthOf(line));
        for (const word of line.split(' '))
          words[index] = Math.max(words[index] ?? 1, Math.min(longWord, widthOf(word)));
      }
    });
  }
  return { natural, words };
}

/** Widths of the columns, or undefined when a list of rows reads better. */
function fit({ natural, words }: TableShape, width: number): number[] | undefined {
  const room = width - between * (natural.length - 1);
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  if (sum(natural) <= room) return [...natural];
  if (room < leastColumn * natural.length) return undefined;
  const least = sum(words) <= room ? words : natural.map((size) => Math.min(size, leastColumn));
  return share(natural, least, room);
}

/** Every column gets its least; what is left goes to where most is missing. */
function share(natural: readonly number[], least: readonly number[], room: number): number[] {
  const sizes = least.map((size, index) => Math.min(size, natural[index] ?? size));
  let left = room - sizes.reduce((total, size) => total + size, 0);
  while (left > 0) {
    const missing = sizes.map((size, index) => (natural[index] ?? 0) - size);
    const wanting = missing.filter((cells) => cells > 0).length;
    if (wanting === 0) break;
    const each = Math.max(1, Math.floor(left / wanting));
    missing.forEach((cells, index) => {
      const more = Math.max(0, Math.min(each, cells, left));
      sizes[index] = (sizes[index] ?? 0) + more;
      left -= more;
    });
  }
  return sizes;
}

function layRow(
  cells: readonly string[],
  widths: readonly number[],
  align: Tokens.Table['align'],
  style: MarkdownStyle,
): string[] {
  const wrapped = widths.map((size, index) => wrap(cells[index] ?? '', size));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  const bar = style.theme.paint('markdownTableBorder', ' │ ');
  return Array.from({ length: height }, (_, row) =>
    widths.map((size, index) => pad(wrapped[index]?.[row] ?? '', size, align[index] ?? 'left')).join(bar),
  );
}

/** Each row as a paragraph of `head: cell` lines. */
function records(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  style: MarkdownStyle,
  isFirst: boolean,
): string[] {
  if (rows.length === 0 && isFirst) return wrap(heads.join(', '), width);
  return rows.flatMap((row, index) => [
    ...(index === 0 && isFirst ? [] : ['']),
    ...row.flatMap((cell, column) =>
      wrap(`${style.theme.paint('markdownTableHeader', `${heads[column] ?? ''}:`)} ${cell}`, width, { hang: 2 }),
    ),
  ]);
}
