/**
 * A line broken before the terminal would break it: what goes on is marked, so that no part of it looks like a line of its
 * own. Characters whose width terminals disagree about count as wide; a line broken early is no harm.
 */
const mark = '↪ ';
const markWidth = 3;
const leastColumns = 20;
/** Ours are the only ones: in what is shown, escapes are seen. */
const parts = new RegExp(`${'\u001b'}\\[\\d+m|.`, 'gsu');

export function wrapped(line: string, columns: number): string[] {
  const room = Math.max(columns, leastColumns);
  if (line.length * 2 <= room && !line.includes('\t')) return [line];
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const [part] of line.matchAll(parts)) {
    const wide = widthOf(part);
    if (width + wide > room) {
      lines.push(current);
      current = mark;
      width = markWidth;
    }
    current += part;
    width += wide;
  }
  return [...lines, current];
}

export function lineWidth(line: string): number {
  return [...line].reduce((width, char) => width + widthOf(char), 0);
}

function widthOf(part: string): number {
  if (part.length > 2) return 0;
  if (part === '\t') return 8;
  return part >= ' ' && part <= '~' ? 1 : 2;
}
