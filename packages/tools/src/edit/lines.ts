/** Lines of a text: where they start, which one a position is in, how they end. Pure. */

export type LineEnding = '\n' | '\r\n';

export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Where each line starts. A text that ends in a line break has an empty last line. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The ending that every line has; `\n` when there is none, or not one for all. */
export function uniformEnding(text: string): LineEnding {
  return text.includes('\n') && !/(?<!\r)\n/.test(text) ? '\r\n' : '\n';
}

/** The ending most lines have. Undefined when there is none. */
export function usualEnding(text: string): LineEnding | undefined {
  const all = count(text, '\n');
  if (all === 0) return undefined;
  return count(text, '\r\n') * 2 > all ? '\r\n' : '\n';
}

export function withEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}
