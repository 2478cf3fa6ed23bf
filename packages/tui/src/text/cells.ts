/** Styled text as the graphemes that take cells, each with its style: what cutting and wrapping work on. */
import { cursorMarker } from '../component.ts';
import { tokens } from './ansi.ts';
import { graphemes, plainBoundary } from './graphemes.ts';
import { isolateClose, isolated, isolateOpen, plainStyle, type Style, styleAfter, transition } from './style.ts';
import { graphemeWidth, tabAfter } from './width.ts';

export interface Cell {
  /** A grapheme, a line break, or the cursor's mark. */
  text: string;
  width: number;
  style: Style;
}

/** So many characters are looked at together: who wants the start of a long text does not pay for all of it. */
const blockLength = 1024;

/**
 * Line breaks are cells of no width, tabs are spaces. Other control characters, and sequences that are no style and no
 * link, are left out: nobody knows where they would put the rest.
 */
export function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const run of cellRuns(text)) for (const cell of run) cells.push(cell);
  return cells;
}

/** The same, a few at a time. */
export function* cellRuns(text: string): Generator<Cell[]> {
  let style = plainStyle;
  let column = 0;
  for (const token of tokens(text)) {
    if (token.kind === 'other') {
      if (token.text === cursorMarker) yield [{ text: token.text, width: 0, style }];
      continue;
    }
    style = styleAfter(style, token);
    if (token.kind !== 'text') continue;
    for (let at = 0; at < token.text.length; ) {
      const end = plainBoundary(token.text, at + blockLength);
      const run: Cell[] = [];
      for (const grapheme of graphemes(token.text.slice(at, end))) {
        if (grapheme === isolateOpen || grapheme === isolateClose) {
          style = isolated(style, grapheme);
        } else if (grapheme === '\n' || grapheme === '\r\n') {
          run.push({ text: '\n', width: 0, style });
          column = 0;
        } else if (grapheme === '\t') {
          const space = { text: ' ', width: 1, style };
          for (const stop = tabAfter(column); column < stop; column++) run.push(space);
        } else if (!isControl(grapheme)) {
          const width = graphemeWidth(grapheme);
          run.push({ text: grapheme, width, style });
          column += width;
        }
      }
      yield run;
      at = end;
    }
  }
}

/** The cells as one line that is complete in itself. */
export function lineOf(cells: Iterable<Cell>): string {
  let line = '';
  let style = plainStyle;
  for (const cell of cells) {
    line += transition(style, cell.style) + cell.text;
    style = cell.style;
  }
  return line + transition(style, plainStyle);
}

/** Printable ASCII only: every character is one cell, and there is nothing to close. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

function isControl(grapheme: string): boolean {
  const code = grapheme.charCodeAt(0);
  return code < 0x20 || code === 0x7f;
}
