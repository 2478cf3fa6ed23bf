/**
 * Splits a command line into simple commands, or refuses. It understands plain words, plain quotes and four separators;
 * anything else a shell might act on (expansion, redirection, grouping, globs, newlines) makes the whole line unknown.
 */

type Separator = '&&' | '||' | ';' | '|';

/** A piece of a word, with the quotes around it. */
export interface PlainPiece {
  quote: '' | "'" | '"';
  value: string;
}

export interface PlainCommand {
  words: readonly (readonly PlainPiece[])[];
  /** What stands between it and the next; nothing after the last. */
  next?: Separator;
}

/** Longer lines are for the parser. */
const longestLine = 65_536;

export function splitPlain(line: string): PlainCommand[] | undefined {
  if (line.length > longestLine) return undefined;
  const blank = /[ \t]+/y;
  const separator = /&&|\|\||;|\|/y;
  const commands: PlainCommand[] = [];
  let words: (readonly PlainPiece[])[] = [];
  let at = 0;
  while (at < line.length) {
    const space = matchAt(blank, line, at);
    if (space !== undefined) {
      at += space[0].length;
      continue;
    }
    const mark = separatorOf(matchAt(separator, line, at)?.[0]);
    if (mark !== undefined) {
      if (words.length === 0) return undefined;
      commands.push({ words, next: mark });
      words = [];
      at += mark.length;
      continue;
    }
    const word = wordAt(line, at);
    if (word === undefined) return undefined;
    words.push(word.pieces);
    at = word.end;
  }
  if (words.length === 0) return undefined;
  commands.push({ words });
  return commands;
}

function separatorOf(mark: string | undefined): Separator | undefined {
  return mark === '&&' || mark === '||' || mark === ';' || mark === '|' ? mark : undefined;
}

/** One word: adjacent plain and quoted pieces. Undefined when the next character is none we understand. */
function wordAt(line: string, start: number): { pieces: readonly PlainPiece[]; end: number } | undefined {
  const piece = /([A-Za-z0-9_./=:,@%+-]+)|'([^'\0]*)'|"([^"$`\\!\0]*)"/y;
  const pieces: PlainPiece[] = [];
  let end = start;
  for (let found = matchAt(piece, line, end); found !== undefined; found = matchAt(piece, line, end)) {
    const [whole, plain, single, double] = found;
    const quote = plain !== undefined ? '' : single !== undefined ? "'" : '"';
    pieces.push({ quote, value: plain ?? single ?? double ?? '' });
    end += whole.length;
  }
  return end === start ? undefined : { pieces, end };
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}
