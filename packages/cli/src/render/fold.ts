/** Sentences and tables of two columns for a terminal, broken between words: none is cut in two where a row happens to end. */
import { lineWidth } from './wrap.ts';

const leastColumns = 20;
/** A second column narrower than this is none: what goes on stands further left. */
const leastBeside = 24;

const colours = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');
const width = (line: string) => lineWidth(line.replace(colours, ''));

/** What has no columns, as a file, keeps its lines. Blanks between words stay as they are. */
export function fold(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < leastColumns) return text;
  return text
    .split('\n')
    .flatMap((line) => (width(line) <= columns ? [line] : foldLine(line, columns)))
    .join('\n');
}

function foldLine(line: string, columns: number): string[] {
  const indent = ' '.repeat(hangOf(line, columns));
  const lines: string[] = [];
  let current = '';
  for (const part of line.split(/(?<=\S)(?= )/)) {
    if (current.trim() !== '' && width(current + part) > columns) {
      lines.push(current);
      current = indent + part.trimStart();
    } else current += part;
  }
  return [...lines, current];
}

/** Below the second column where there is one, else a little behind what it belongs to. */
function hangOf(line: string, columns: number): number {
  const bare = line.replace(colours, '');
  const [, left] = /^( *\S.*? {2,})\S/.exec(bare) ?? [];
  const leading = bare.length - bare.trimStart().length;
  if (left !== undefined && columns - left.length >= leastBeside) return left.length;
  return leading === 0 ? 0 : leading + 2;
}
