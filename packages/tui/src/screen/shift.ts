/** Rows that moved as a block are moved by the terminal, not written again: where to insert or delete how many. */

export interface Shift {
  /** The first row that moves. */
  at: number;
  /** Downwards when positive, upwards when negative. */
  by: number;
}

/** Undefined when moving saves less than two rows of writing. */
export function bestShift(was: readonly string[], next: readonly string[]): Shift | undefined {
  const by = next.length - was.length;
  if (by === 0) return undefined;
  const gone = Math.max(0, -by);
  const stays = (row: number) => was[row] === next[row];
  const moves = (row: number) => was[row] === next[row + by];
  // With the split at 0 everything moves; each step to the right turns one moving row into one that stays.
  let kept = 0;
  for (let row = gone; row < was.length; row++) if (moves(row)) kept++;
  let best = { at: 0, kept };
  for (let at = 1; at + gone <= was.length; at++) {
    if (stays(at - 1)) kept++;
    if (moves(at - 1 + gone)) kept--;
    if (kept > best.kept) best = { at, kept };
  }
  let unmoved = 0;
  for (let row = 0; row < Math.min(was.length, next.length); row++) if (stays(row)) unmoved++;
  return best.kept > unmoved + 1 ? { at: best.at, by } : undefined;
}

/** The rows as they are after the terminal moved them. */
export function shifted(was: readonly string[], { at, by }: Shift): string[] {
  if (by < 0) return [...was.slice(0, at), ...was.slice(at - by)];
  return [...was.slice(0, at), ...Array.from({ length: by }, () => ''), ...was.slice(at)];
}
