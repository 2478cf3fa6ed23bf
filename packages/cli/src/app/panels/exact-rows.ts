/** Lines of something that is judged, on the rows they take: nothing is cut, and what goes on is marked in the margin. */
import { type Theme, wrap } from '@tau/tui';

const margin = 2;

export function exactRows(lines: readonly string[], width: number, theme: Theme): string[] {
  const room = Math.max(1, width - margin);
  return lines.flatMap((line) =>
    wrap(line, room, { at: 'anywhere' }).map((row, at) => `${at === 0 ? '  ' : theme.paint('muted', '↪ ')}${row}`),
  );
}
