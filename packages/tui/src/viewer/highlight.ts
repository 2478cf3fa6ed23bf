/** The places in a styled line that a search found, in the colours for them. */
import { stripAnsi } from '../text/ansi.ts';
import { slice } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';

/** `offsets` count characters of the line without styles. */
export function highlight(
  line: string,
  offsets: readonly number[],
  length: number,
  paint: (text: string) => string,
): string {
  if (offsets.length === 0) return line;
  const plain = stripAnsi(line);
  let shown = '';
  let column = 0;
  for (const offset of offsets) {
    const start = widthOf(plain.slice(0, offset));
    const end = widthOf(plain.slice(0, offset + length));
    shown += slice(line, column, start) + paint(plain.slice(offset, offset + length));
    column = end;
  }
  return shown + slice(line, column, widthOf(plain));
}
