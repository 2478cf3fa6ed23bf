/**
 * Word wrap of styled text. Each line is complete in itself: styles and links are closed at its end and opened again on
 * the next. Addresses and paths stay whole if a line can hold them.
 */
import { cursorMarker } from '../component.ts';
import { type Cell, cellsOf, lineOf } from './cells.ts';
import { plainStyle } from './style.ts';

export interface WrapOptions {
  /** How far the lines after the first are moved in; `indent` takes the spaces the text begins with. */
  hang?: number | 'indent';
  /** `word` drops the spaces at which it breaks. `anywhere` breaks where the line is full and drops nothing. */
  at?: 'word' | 'anywhere';
}

/** Characters that no line may begin with, and those that none may end with, where text has no spaces. */
const noStart = /^[、。，．・：；？！）］｝」』】〉》〕ー々…‥ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)\]}»”’%]/u;
const noEnd = /^[（［｛「『【〈《〔([{«“‘$]/u;
/** Korean has spaces between its words, and they stay whole. */
const hangul = /^[\u1100-\u11ff\uac00-\ud7a3]/;

/** Most text: every character is a cell, and there is nothing to close. */
const asciiLines = /^[ -~\n]*$/;

/** At least one line for each line of the text, none wider than `width`. */
export function wrap(text: string, width: number, options: WrapOptions = {}): string[] {
  if (width < 1) return [''];
  const lines: string[] = [];
  if (asciiLines.test(text)) {
    for (const line of text.split('\n')) for (const made of wrapAscii(line, width, options)) lines.push(made);
    return lines;
  }
  let paragraph: Cell[] = [];
  const finish = () => {
    for (const line of wrapParagraph(paragraph, width, options)) lines.push(line);
    paragraph = [];
  };
  for (const cell of cellsOf(text)) {
    if (cell.text === '\n') finish();
    else paragraph.push(cell.width > width ? { ...cell, text: '…', width: 1 } : cell);
  }
  finish();
  return lines;
}

/** The same as for cells, and many times as fast. */
function wrapAscii(text: string, width: number, options: WrapOptions): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  const hang = hangOf(Math.max(0, text.search(/[^ ]/)), width, 1, options);
  let indent = 0;
  let line = '';
  const finish = () => {
    lines.push(' '.repeat(indent) + line);
    line = '';
    indent = hang;
  };
  const put = (word: string) => {
    let rest = word;
    for (let room = width - indent - line.length; rest.length > room; room = width - indent) {
      line += rest.slice(0, room);
      rest = rest.slice(room);
      finish();
    }
    line += rest;
  };
  // Sticky, or a long row of spaces would be searched from each of them.
  const gaps = options.at === 'anywhere' ? [] : text.matchAll(/( *)([^ ]+)/gy);
  let end = 0;
  for (const [all, spaces = '', word = ''] of gaps) {
    end += all.length;
    if (lines.length === 0 && line === '') {
      line = spaces.slice(0, Math.max(0, word.length > width ? Math.floor(width / 2) : width - word.length));
    } else if (indent + line.length + all.length <= width) {
      line += spaces;
    } else {
      if (line !== '') finish();
      if (word.length <= width) indent = Math.min(indent, width - word.length);
    }
    put(word);
  }
  const rest = text.slice(end);
  put(options.at === 'anywhere' ? rest : rest.slice(0, width - indent - line.length));
  finish();
  return lines;
}

/** At least half of a line is for the text, and never less than its widest character needs. */
function hangOf(indent: number, width: number, widest: number, { hang = 0 }: WrapOptions): number {
  return Math.max(0, Math.min(hang === 'indent' ? indent : hang, Math.floor(width / 2), width - widest));
}

/** Puts cells on lines, and knows how much room the present one has. */
interface Page {
  lines: string[];
  line: Cell[];
  column: number;
  /** How far the present line is moved in. */
  indent: number;
}

function wrapParagraph(cells: readonly Cell[], width: number, options: WrapOptions): string[] {
  const hang = hangOf(indentOf(cells), width, widest(cells), options);
  const page: Page = { lines: [], line: [], column: 0, indent: 0 };
  const finish = () => {
    page.lines.push(lineOf(page.indent > 0 ? [indentation(page.indent), ...page.line] : page.line));
    Object.assign(page, { line: [], column: 0, indent: hang });
  };
  const put = (cell: Cell) => {
    if (page.indent + page.column + cell.width > width) finish();
    page.line.push(cell);
    page.column += cell.width;
  };
  if (options.at === 'anywhere') for (const cell of cells) put(cell);
  else putWords(cells, width, page, put, finish);
  finish();
  return page.lines;
}

function putWords(cells: readonly Cell[], width: number, page: Page, put: (cell: Cell) => void, finish: () => void) {
  let spaces: Cell[] = [];
  for (const group of groups(cells)) {
    if (group.isSpace) {
      spaces = group.cells;
      continue;
    }
    const size = widthOfCells(group.cells);
    if (page.lines.length === 0 && page.column === 0) {
      // The text's own indentation gives way to a word that needs the room.
      const room = size > width ? Math.floor(width / 2) : width - size;
      for (const space of spaces) if (page.column + space.width <= room) put(space);
    } else if (page.indent + page.column + widthOfCells(spaces) + size <= width) {
      for (const space of spaces) put(space);
    } else {
      for (const mark of spaces) if (mark.width === 0) put(mark);
      if (page.column > 0) finish();
      if (size <= width) page.indent = Math.min(page.indent, width - size);
    }
    spaces = [];
    for (const cell of group.cells) put(cell);
  }
  // Spaces at the end are kept as far as there is room: a cursor may stand behind them.
  for (const space of spaces) if (page.indent + page.column + space.width <= width) put(space);
}

interface Group {
  isSpace: boolean;
  cells: Cell[];
}

/** Spaces, and what may not be broken while a line can hold it. What has no width goes with the word before it. */
function groups(cells: readonly Cell[]): Group[] {
  const found: Group[] = [];
  let before: Cell | undefined;
  for (const cell of cells) {
    const last = found.at(-1);
    const isSpace = cell.text === ' ';
    const joins =
      cell.text === cursorMarker ||
      (last?.isSpace === isSpace && (isSpace || cell.width === 0 || !mayBreak(before, cell)));
    if (last && joins) last.cells.push(cell);
    else found.push({ isSpace, cells: [cell] });
    if (cell.width > 0) before = cell;
  }
  return found;
}

/** Scripts written without spaces break between any two characters, but for those that belong to their neighbour. */
function mayBreak(before: Cell | undefined, after: Cell): boolean {
  if (!before || (before.width < 2 && after.width < 2)) return false;
  if (hangul.test(before.text) && hangul.test(after.text)) return false;
  return !noStart.test(after.text) && !noEnd.test(before.text);
}

function indentation(width: number): Cell {
  return { text: ' '.repeat(width), width, style: plainStyle };
}

function indentOf(cells: readonly Cell[]): number {
  const first = cells.findIndex((cell) => cell.text !== ' ');
  return first === -1 ? 0 : first;
}

function widest(cells: readonly Cell[]): number {
  return cells.reduce((most, cell) => Math.max(most, cell.width), 0);
}

function widthOfCells(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}
