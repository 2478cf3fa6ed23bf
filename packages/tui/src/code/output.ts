/**
 * What a program wrote to its terminal, as the lines that would be seen in the end: a progress bar is its last state,
 * colours stay, everything else that steers a terminal is done here or left out.
 */
import { printable, tokens } from '../text/ansi.ts';
import { type Cell, cellsOf, lineOf } from '../text/cells.ts';
import { plainStyle, type Style, styleAfter } from '../text/style.ts';

export interface Output {
  write(text: string): void;
  /** The lines so far, oldest first. */
  lines(): readonly string[];
  /** Lines that were let go because there were too many. */
  readonly dropped: number;
}

/** Lines kept, and cells of one line. */
const maxRows = 5_000;
const maxColumns = 20_000;
/** So many more before the oldest go, all at once: letting go of each alone would copy the rest every time. */
const spareRows = 1_000;
const blank: Cell = { text: ' ', width: 1, style: plainStyle };
/** An escape sequence that is not complete: the rest comes with the next text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const unfinished = /(?:\x1b|\x1b\[[0-?]*[ -/]*|\x1b[\]PX^_][^\x07\x1b\n]{0,4096}\x1b?)$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const steering = /([\n\r\b\t\u0007\v\f])/;

interface Row {
  /** A wide character takes its column and leaves the next one undefined. */
  cells: (Cell | undefined)[];
  line: string | undefined;
}

export function createOutput(): Output {
  let rows: Row[] = [emptyRow()];
  let row = 0;
  let column = 0;
  let style = plainStyle;
  let held = '';
  let dropped = 0;
  let known: readonly string[] | undefined;

  function here(): Row {
    while (rows.length <= row) rows.push(emptyRow());
    const found = rows[row] ?? emptyRow();
    found.line = undefined;
    return found;
  }

  function put(text: string): void {
    for (const made of cellsOf(printable(text))) {
      const { cells } = here();
      if (column >= maxColumns) return;
      if (made.width === 0) {
        const at = cells[column - 1] === undefined ? column - 2 : column - 1;
        const before = cells[at];
        if (before !== undefined) cells[at] = { ...before, text: before.text + made.text };
        continue;
      }
      while (cells.length < column) cells.push(blank);
      // Half of a wide character does not stay.
      if (cells[column] === undefined && column > 0 && column < cells.length) cells[column - 1] = blank;
      cells[column] = { ...made, style: { ...style, isolates: made.style.isolates } };
      for (let more = 1; more < made.width; more += 1) cells[column + more] = undefined;
      column += made.width;
      if (column < cells.length && cells[column] === undefined) cells[column] = blank;
    }
  }

  function newLine(): void {
    row += 1;
    column = 0;
    here();
    if (rows.length > maxRows + spareRows) letGo();
  }

  function letGo(): void {
    const over = rows.length - maxRows;
    if (over <= 0) return;
    rows = rows.slice(over);
    row = Math.max(0, row - over);
    dropped += over;
  }

  function text(run: string): void {
    for (const part of run.split(steering)) {
      if (part === '\n' || part === '\v' || part === '\f') newLine();
      else if (part === '\r') column = 0;
      else if (part === '\b') column = Math.max(0, column - 1);
      else if (part === '\t') put(' '.repeat(8 - (column % 8)));
      else if (part !== '\u0007' && part !== '') put(part);
    }
  }

  function control(sequence: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
    const [, digits = '', final = ''] = /^(?:\x1b\[|\x9b)(\d*)(?:;\d*)*([A-Z])$/.exec(sequence) ?? [];
    const count = Math.min(maxColumns, Math.max(1, Number(digits)));
    if (final === 'A' || final === 'F') row = Math.max(0, row - count);
    else if (final === 'B' || final === 'E') row = Math.min(rows.length - 1, row + count);
    else if (final === 'C') column = Math.min(maxColumns, column + count);
    else if (final === 'D') column = Math.max(0, column - count);
    else if (final === 'G') column = count - 1;
    else if (final === 'K') eraseLine(Number(digits));
    else if (final === 'J') eraseScreen(Number(digits));
    if (final === 'E' || final === 'F') column = 0;
  }

  function eraseLine(which: number): void {
    const { cells } = here();
    if (which === 0 || which === 2) cells.length = Math.min(cells.length, which === 2 ? 0 : column);
    else cells.fill(blank, 0, Math.min(cells.length, column + 1));
  }

  function eraseScreen(which: number): void {
    if (which === 0) {
      eraseLine(0);
      rows.length = row + 1;
    } else if (which === 2 || which === 3) {
      rows = [emptyRow()];
      row = 0;
      column = 0;
    }
  }

  return {
    write(input) {
      known = undefined;
      const all = held + input;
      held = unfinished.exec(all)?.[0] ?? '';
      for (const token of tokens(all.slice(0, all.length - held.length))) {
        if (token.kind === 'text') text(token.text);
        else if (token.kind === 'style') style = seen(styleAfter(style, token));
        else if (token.kind === 'other') control(token.text);
      }
    },
    lines() {
      if (known === undefined) letGo();
      known ??= rows.map(lineOfRow);
      // The last line's end is no line of its own.
      if (known.length > 0 && known.at(-1) === '') known = known.slice(0, -1);
      return known;
    },
    get dropped() {
      return dropped + Math.max(0, rows.length - maxRows);
    },
  };
}

/** All lines of one text. */
export function settleOutput(text: string): readonly string[] {
  const output = createOutput();
  output.write(text);
  return output.lines();
}

function emptyRow(): Row {
  return { cells: [], line: undefined };
}

function lineOfRow(row: Row): string {
  row.line ??= lineOf(row.cells.filter((cell) => cell !== undefined)).trimEnd();
  return row.line;
}

/** Text that blinks or hides is shown like any other. */
function seen(style: Style): Style {
  const { blink: _blink, hidden: _hidden, ...slots } = style.slots;
  return { ...style, slots, link: undefined };
}
