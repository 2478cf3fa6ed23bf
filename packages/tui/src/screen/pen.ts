/**
 * Moves the cursor by rows counted from the top of what the screen has drawn, and collects what to write. Nothing here
 * needs to know where on the terminal that top is.
 */

export interface Pen {
  /** To a row and column, making rows at the end if there are not so many. */
  to(row: number, column: number): void;
  put(text: string): void;
  written(): string;
}

/** Starts in `row`; `rows` rows can be walked without making the terminal scroll. */
export function createPen(row: number, rows: number): Pen {
  let out = '';
  let at = row;
  let last = Math.max(0, rows - 1);

  return {
    to(target, column) {
      const within = Math.min(target, last);
      const fresh = target - within;
      if (within < at) out += `\u001b[${count(at - within)}A`;
      const down = Math.max(0, within - at) + fresh;
      // By line feeds: a window that has become lower by now scrolls, where a move would stop short at its end.
      if (down > 0) out += `\r${'\n'.repeat(down)}`;
      if (column > 0) out += `\u001b[${column + 1}G`;
      else if (down === 0) out += '\r';
      at = target;
      last = Math.max(last, target);
    },
    put(text) {
      out += text;
    },
    written: () => out,
  };
}

function count(number: number): string {
  return number === 1 ? '' : String(number);
}
