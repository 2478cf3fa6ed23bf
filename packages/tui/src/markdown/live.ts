/**
 * Shows the block that is still being written. To show it after each few characters would be work without end for a long
 * one, so there is a budget that grows with the text: when it is used up, what is new is shown as plain text for a while.
 */

import { rowsOf } from '../code/rows.ts';
import { printable } from '../text/ansi.ts';
import { wrap } from '../text/wrap.ts';
import { type Carry, languagesOf, showPiece, sizeOf } from './carry.ts';
import { codeLines } from './code.ts';
import type { Parser } from './parser.ts';
import type { Piece } from './piece.ts';
import type { MarkdownStyle } from './style.ts';

export interface Live {
  /** The document has grown by this text. */
  grow(delta: string): void;
  /** What was shown is out of date: blocks were finished, or something was loaded. */
  reset(): void;
  lines(open: () => Piece[], carry: Carry, width: number): readonly string[];
}

/** Characters shown again for each that is new, and how many may be saved up. */
const earned = 8;
const most = 32_768;

export function createLive(parser: Parser, style: MarkdownStyle): Live {
  let credit = most;
  let known: { width: number; lines: readonly string[]; last: Piece | undefined; isFinal: boolean } | undefined;
  /** What came since then, and what is shown with it. */
  let tail = '';
  let shown: readonly string[] | undefined;
  return {
    grow(delta) {
      credit = Math.min(most, credit + earned * delta.length);
      tail += delta;
      shown = undefined;
    },
    reset() {
      known = undefined;
      shown = undefined;
    },
    lines(open, carry, width) {
      if (known?.width === width && known.isFinal) {
        if (tail === '') return known.lines;
        if (shown !== undefined) return shown;
      }
      const pieces = open();
      const cost = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0);
      if (cost > credit && known?.width === width) {
        shown = withTail(known.lines, known.last, tail, width, style);
        return shown;
      }
      credit = Math.max(0, credit - cost);
      const lines: string[] = [];
      let before = carry;
      for (const piece of pieces) {
        const made = showPiece(piece, before, width, parser, style);
        for (const line of made.lines) lines.push(line);
        before = made.carry;
      }
      const isFinal = pieces.every((piece) => languagesOf(piece).every((name) => style.highlighter.isReady(name)));
      known = { width, lines, last: pieces.at(-1), isFinal };
      tail = '';
      return lines;
    },
  };
}

/** The lines that were laid out and, as plain text, what came after. Tables and quotes wait for the next time. */
function withTail(
  lines: readonly string[],
  piece: Piece | undefined,
  tail: string,
  width: number,
  style: MarkdownStyle,
): readonly string[] {
  const last = lines.at(-1) ?? '';
  if (piece === undefined || piece.kind === 'table') return lines;
  if (piece.kind === 'code') {
    const [rest = '', ...more] = printable(tail).split('\n');
    return [...lines.slice(0, -1), ...rowsOf(last + rest, width), ...codeLines(more, width, style)];
  }
  if (piece.kind === 'blocks' && /^ {0,3}[>|<]/.test(piece.source)) return lines;
  const hang = piece.kind === 'item' || piece.kind === 'rest' ? last.search(/[^ ]|$/) : 0;
  return [...lines.slice(0, -1), ...wrap(last + printable(tail.replace(/\s+/g, ' ')), width, { hang })];
}
