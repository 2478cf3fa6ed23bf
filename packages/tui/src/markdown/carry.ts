/** Shows the pieces of a document one after the other. What a piece must know of those before it is carried along. */

import { languageOf } from '../code/languages.ts';
import { printable } from '../text/ansi.ts';
import { wrap } from '../text/wrap.ts';
import { asText, renderBlocks, renderList, setIn } from './blocks.ts';
import { codeLabel, codeLines, languagesIn } from './code.ts';
import { renderInline } from './inline.ts';
import { depthOf } from './lines.ts';
import type { Definitions, Parser } from './parser.ts';
import { limits, type Piece } from './piece.ts';
import type { MarkdownStyle } from './style.ts';
import { renderTable, type TableShape } from './table.ts';

export interface Carry {
  /** The piece that was shown last; nothing was yet. */
  before: Piece['kind'] | undefined;
  definitions: Definitions;
  /** The last list item. */
  item: { delimiter: string; indent: number; number: number | undefined; lead: number } | undefined;
  table: TableShape | undefined;
  /** Code above that the colours of the next lines depend on; `lost` when that became too much. */
  code: { above: readonly string[]; language: string | undefined; lost: boolean };
}

export const noCarry: Carry = {
  before: undefined,
  definitions: {},
  item: undefined,
  table: undefined,
  code: { above: [], language: undefined, lost: false },
};

const maxDefinitions = 500;
/** Lines of one comment or string after which its end is no longer waited for. */
const maxAbove = 256;

export interface Shown {
  lines: string[];
  carry: Carry;
}

export function showPiece(piece: Piece, carry: Carry, width: number, parser: Parser, style: MarkdownStyle): Shown {
  const { lines, carry: next } = showContent(piece, carry, width, parser, style);
  if (lines.length === 0) return { lines, carry: { ...next, before: carry.before } };
  const gap = needsGap(piece, carry.before) ? [''] : [];
  return { lines: [...gap, ...lines], carry: { ...next, before: piece.kind } };
}

/** The languages without which the piece cannot be shown for good. */
export function languagesOf(piece: Piece): string[] {
  if (piece.kind === 'table') return [];
  if (piece.kind !== 'code') return languagesIn(piece.source);
  const language = piece.first ? languageOf({ label: piece.info, code: piece.lines[0] }) : undefined;
  return language === undefined ? [] : [language];
}

export function sizeOf(piece: Piece): number {
  switch (piece.kind) {
    case 'table':
      return piece.rows.reduce((sum, row) => sum + row.length + 1, piece.head.length);
    case 'code':
      return piece.lines.reduce((sum, line) => sum + line.length + 1, 0);
    default:
      return piece.source.length;
  }
}

function needsGap({ kind, at }: Piece, before: Piece['kind'] | undefined): boolean {
  if (before === undefined) return false;
  if (at.joined || kind === 'rest') return at.gap;
  if (kind === 'item' && (before === 'item' || before === 'rest' || before === 'blocks')) return at.gap;
  return true;
}

function showContent(piece: Piece, carry: Carry, width: number, parser: Parser, style: MarkdownStyle): Shown {
  switch (piece.kind) {
    case 'blocks': {
      if (isTooDeep(piece.source)) return { lines: asText(piece.source, width, style), carry };
      const { tokens, definitions } = parser.blocks(piece.source, carry.definitions);
      const isFull = Object.keys(definitions).length > maxDefinitions;
      const lines = renderBlocks(tokens, width, style);
      return { lines, carry: { ...carry, item: undefined, definitions: isFull ? carry.definitions : definitions } };
    }
    case 'text':
      return { lines: wrap(renderInline(parser.inline(piece.source, carry.definitions), style), width), carry };
    case 'item':
      return showItem(piece, carry, width, parser, style);
    case 'rest': {
      const lead = Math.min(carry.item?.lead ?? 2, Math.max(0, width - 10));
      const { tokens } = parser.blocks(piece.source, carry.definitions);
      const lines = renderBlocks(tokens, width - lead, style, 1, true);
      return { lines: setIn(lines, ' '.repeat(lead), ' '.repeat(lead)), carry };
    }
    case 'table':
      return showTable(piece, carry, width, parser, style);
    case 'code':
      return showCode(piece, carry, width, style);
  }
}

function isTooDeep(source: string): boolean {
  return source.split('\n').some((line) => depthOf(line) > limits.depth);
}

function showItem(
  piece: Piece & { kind: 'item' },
  carry: Carry,
  width: number,
  parser: Parser,
  style: MarkdownStyle,
): Shown {
  if (isTooDeep(piece.source)) return { lines: asText(piece.source, width, style), carry };
  const { indent, delimiter } = piece.start;
  const last = carry.item;
  const isNext =
    last !== undefined && last.delimiter === delimiter && last.indent === indent && last.number !== undefined;
  const number = isNext && last.number !== undefined ? last.number + 1 : piece.start.number;
  const { tokens } = parser.blocks(piece.source, carry.definitions);
  // An item that the author set in a little was meant to stand under the one before it.
  const margin = last !== undefined && width > 20 ? indent : 0;
  const lines = tokens.flatMap((token) =>
    token.type === 'list'
      ? renderList(token, width - margin, style, margin > 0 ? 1 : 0, number)
      : renderBlocks([token], width - margin, style),
  );
  const lead = margin + (number === undefined ? 2 : String(number).length + 2);
  const item = { delimiter, indent, number, lead };
  return {
    lines: margin > 0 ? setIn(lines, ' '.repeat(margin), ' '.repeat(margin)) : lines,
    carry: { ...carry, item },
  };
}

function showTable(
  piece: Piece & { kind: 'table' },
  carry: Carry,
  width: number,
  parser: Parser,
  style: MarkdownStyle,
): Shown {
  const source = [piece.head, ...piece.rows].join('\n');
  const { tokens } = parser.blocks(source, carry.definitions);
  const [table] = tokens;
  const shape = piece.first ? undefined : carry.table;
  if (table?.type !== 'table') return { lines: renderBlocks(tokens, width, style), carry };
  const made = renderTable(table, width, style, shape);
  return { lines: made.lines, carry: { ...carry, item: undefined, table: made.shape } };
}

function showCode(piece: Piece & { kind: 'code' }, carry: Carry, width: number, style: MarkdownStyle): Shown {
  const text = piece.lines.join('\n');
  const code = piece.first
    ? { above: [], language: languageOf({ label: piece.info, code: text }), lost: false }
    : carry.code;
  const label = piece.first ? codeLabel(piece.info, width, style) : [];
  if (piece.lines.length === 0) return { lines: label, carry: { ...carry, item: undefined, code } };
  const above = [...code.above, ...piece.lines];
  const language = code.lost ? undefined : code.language;
  // A line that is not complete gets its colours when it is: not after each letter.
  const known = piece.isPartial ? above.slice(0, -1) : above;
  const section = style.highlighter.section(known.join('\n'), language, style.theme);
  const lines = known.length > 0 ? section.lines.slice(code.above.length) : [];
  if (piece.isPartial) for (const line of printable(piece.lines.at(-1) ?? '').split('\n')) lines.push(line);
  const isLost = code.lost || (!section.isClosed && above.length > maxAbove);
  const next = { ...code, above: section.isClosed || isLost ? [] : above, lost: isLost };
  return { lines: [...label, ...codeLines(lines, width, style)], carry: { ...carry, item: undefined, code: next } };
}
