/**
 * Splits a command line into simple commands, or refuses. It understands plain words, plain quotes and four separators;
 * anything else a shell might act on (expansion, redirection, grouping, globs, newlines) makes the whole line unknown.
 */

export interface SimpleCommand {
  /** The words as the program would get them, quotes removed. */
  words: readonly string[];
  /** False when the first word was quoted anywhere. */
  bare: boolean;
}

/** Longer lines are not analysed: no honest read-only command comes near, and it bounds the work. */
const longestLine = 65_536;

export function splitCommands(line: string): SimpleCommand[] | undefined {
  if (line.length > longestLine) return undefined;
  const blank = /[ \t]+/y;
  const separator = /&&|\|\||;|\|/y;
  const commands: SimpleCommand[] = [];
  let words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    const space = matchAt(blank, line, at);
    if (space !== undefined) {
      at += space[0].length;
      continue;
    }
    const mark = matchAt(separator, line, at);
    if (mark !== undefined) {
      if (words.length === 0) return undefined;
      commands.push(simpleCommand(words));
      words = [];
      at += mark[0].length;
      continue;
    }
    const word = wordAt(line, at);
    if (word === undefined) return undefined;
    words.push(word);
    at = word.end;
  }
  if (words.length === 0) return undefined;
  commands.push(simpleCommand(words));
  return commands;
}

interface Word {
  value: string;
  quoted: boolean;
  end: number;
}

/** One word: adjacent plain and quoted pieces. Undefined when the next character is none we understand. */
function wordAt(line: string, start: number): Word | undefined {
  const piece = /([A-Za-z0-9_./=:,@%+-]+)|'([^'\0]*)'|"([^"$`\\!\0]*)"/y;
  let value = '';
  let quoted = false;
  let end = start;
  for (let found = matchAt(piece, line, end); found !== undefined; found = matchAt(piece, line, end)) {
    const [whole, plain, single, double] = found;
    value += plain ?? single ?? double ?? '';
    quoted ||= plain === undefined;
    end += whole.length;
  }
  return end === start ? undefined : { value, quoted, end };
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text) ?? undefined;
}

function simpleCommand(words: readonly Word[]): SimpleCommand {
  return { words: words.map((word) => word.value), bare: words[0]?.quoted === false };
}
