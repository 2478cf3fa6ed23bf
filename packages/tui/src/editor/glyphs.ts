/** How a unit of the text looks: never a control character, never without a cell, never wider than the row. */
import { printableGrapheme } from '../text/ansi.ts';
import { graphemeWidth, widthOf } from '../text/width.ts';

export interface Glyph {
  text: string;
  width: number;
}

const tabStop = 4;

/** The glyph of `text`, a unit, when it stands at this column of a row that takes `limit` cells. */
export function glyphOf(text: string, column: number, limit: number): Glyph {
  if (text === '\t') {
    const width = Math.min(tabStop - (column % tabStop), Math.max(1, limit - column));
    return { text: ' '.repeat(width), width };
  }
  const code = text.charCodeAt(0);
  if (text.length === 1 && code >= 0x20 && code < 0x7f) return { text, width: 1 };
  const shown = printableGrapheme(text);
  const width = shown.length === text.length ? graphemeWidth(shown) : widthOf(shown);
  if (width > Math.max(1, limit)) return { text: '\ufffd', width: 1 };
  if (width > 0) return { text: shown, width };
  return { text: /^\p{M}/u.test(shown) ? `◌${shown}` : '◌', width: 1 };
}
