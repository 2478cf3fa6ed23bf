/** A diff in which nothing is invisible, and one that is short enough to stand beside its answers. */
import type { DiffLine, FileDiff, Hunk } from '@tau/tui';
import { exactlyInLine } from '../../render/exactly.ts';

const maxLineChars = 4000;

export function exactDiff(diff: FileDiff): FileDiff {
  const all = diff.hunks.flatMap(({ lines }) => lines);
  // Where every line ends in a carriage return, none of them has to say so.
  const isPlain = all.length > 0 && all.every(({ text }) => text.endsWith('\r'));
  const shown = (line: DiffLine): DiffLine => {
    const bare = isPlain ? line.text.slice(0, -1) : line.text;
    const text = exactlyInLine(bare, maxLineChars);
    if (text === line.text) return line;
    // What differs inside of it stood somewhere else in the text as it was.
    const { marks: _, ...rest } = line;
    return { ...rest, text };
  };
  return { ...diff, hunks: diff.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(shown) })) };
}

/** Its beginning and its end; how much is left out between them stands there. */
export function bounded(diff: FileDiff, most: number): FileDiff {
  const count = diff.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count <= most) return diff;
  const half = Math.floor(most / 2);
  const [last, ...rest] = lastLines(diff.hunks, half);
  const between = `${count - 2 * half} lines of the diff are not shown here`;
  const end = last === undefined ? [] : [{ ...last, title: between }, ...rest];
  return { ...diff, hunks: [...firstLines(diff.hunks, half), ...end] };
}

function firstLines(hunks: readonly Hunk[], most: number): Hunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}

function lastLines(hunks: readonly Hunk[], most: number): Hunk[] {
  let left = most;
  return [...hunks]
    .reverse()
    .flatMap((hunk) => {
      const lines = left > 0 ? hunk.lines.slice(-left) : [];
      left -= lines.length;
      return lines.length === 0 ? [] : [{ ...hunk, lines }];
    })
    .reverse();
}
