/** Lines of code and output on the rows they take: broken where a row is full, as a terminal does. */
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';

/** A line that fits, as nearly all do, is not taken apart. It has no line break and closes its styles. */
export function rowsOf(line: string, width: number): string[] {
  return widthOf(line) <= width ? [line] : wrap(line, width, { at: 'anywhere' });
}
