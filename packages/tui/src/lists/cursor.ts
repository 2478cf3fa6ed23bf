/** Where a list stands: the chosen row, and the rows that are seen around it. Rows that cannot be chosen are passed over. */

export interface Move {
  by: number;
  /** Over the end to the beginning, for single steps. */
  around: boolean;
}

/** The row after a move, or the same where there is none to go to. -1 when nothing can be chosen. */
export function moved(at: number, count: number, canChoose: (row: number) => boolean, { by, around }: Move): number {
  const step = by < 0 ? -1 : 1;
  let to = at;
  let left = Math.abs(by);
  for (let row = at + step, tries = 0; left > 0 && tries < count; row += step, tries += 1) {
    if (row < 0 || row >= count) {
      if (!around) break;
      row = row < 0 ? count - 1 : 0;
    }
    if (!canChoose(row)) continue;
    to = row;
    left -= 1;
  }
  return to >= 0 && to < count && canChoose(to) ? to : firstFrom(0, count, canChoose);
}

/** The first row from here on that can be chosen, else the last before. */
export function firstFrom(from: number, count: number, canChoose: (row: number) => boolean): number {
  for (let row = Math.max(0, from); row < count; row += 1) if (canChoose(row)) return row;
  for (let row = Math.min(from, count) - 1; row >= 0; row -= 1) if (canChoose(row)) return row;
  return -1;
}

/** The first row that is seen, moved as little as needed so that the chosen one is. */
export function topFor(top: number, at: number, count: number, height: number): number {
  const most = Math.max(0, count - height);
  const shown = at < 0 ? top : Math.min(Math.max(top, at - height + 1), at);
  return Math.min(Math.max(0, shown), most);
}
