/** What has to be written so that a row which shows one line shows another: the changed part, when that is shorter. */
import { type Cell, cellsOf, isAscii, lineOf } from '../text/cells.ts';
import { transition } from '../text/style.ts';
import { widthOf } from '../text/width.ts';

export interface Part {
  column: number;
  text: string;
}

/** Behind the text of a line that is shorter than what was there. Never in the last column: it would take its cell. */
const eraseRest = '\u001b[K';

export function changedPart(was: string, line: string): Part {
  return isAscii(was) && isAscii(line) ? asciiPart(was, line) : shorter(wholeLine(was, line), styledPart(was, line));
}

function wholeLine(was: string, line: string): Part {
  return { column: 0, text: widthOf(line) < widthOf(was) ? line + eraseRest : line };
}

function asciiPart(was: string, line: string): Part {
  let start = 0;
  while (start < line.length && line[start] === was[start]) start++;
  let end = line.length;
  if (was.length === line.length) while (end > start && line[end - 1] === was[end - 1]) end--;
  return { column: start, text: line.slice(start, end) + (line.length < was.length ? eraseRest : '') };
}

/** Undefined where cells do not tell the whole story: a sequence that is no style, text that runs the other way. */
function styledPart(was: string, line: string): Part | undefined {
  if (hasMore(was) || hasMore(line)) return undefined;
  const before = cellsOf(was);
  const after = cellsOf(line);
  if ([...before, ...after].some((cell) => cell.style.isolates > 0 || cell.width === 0)) return undefined;
  let start = 0;
  while (start < after.length && sameCell(before[start], after[start])) start++;
  const [wasWidth, width] = [widthOfCells(before), widthOfCells(after)];
  let cut = 0;
  if (wasWidth === width) {
    const most = Math.min(before.length, after.length) - start;
    while (cut < most && sameCell(before.at(-1 - cut), after.at(-1 - cut))) cut++;
  }
  const text = lineOf(after.slice(start, after.length - cut)) + (width < wasWidth ? eraseRest : '');
  return { column: widthOfCells(after.slice(0, start)), text };
}

/** Moving to a column costs a few bytes too. */
function shorter(whole: Part, part: Part | undefined): Part {
  return part && part.text.length + 4 < whole.text.length ? part : whole;
}

function sameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  if (a === undefined || b === undefined || a.text !== b.text) return false;
  return transition(a.style, b.style) === '';
}

function widthOfCells(cells: readonly Cell[]): number {
  let width = 0;
  for (const cell of cells) width += cell.width;
  return width;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const notStyleNorLink = /\x1b(?!\[[\d;:]*m|\]8;|\\)|[\x80-\x9f]/;

function hasMore(line: string): boolean {
  return notStyleNorLink.test(line);
}
