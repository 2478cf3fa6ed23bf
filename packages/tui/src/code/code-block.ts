/** Code with its colours, numbers of lines and a marked range. */
import type { Component } from '../component.ts';
import { cut } from '../text/cut.ts';
import type { Theme } from '../theme/theme.ts';
import { type FoldSize, foldLines } from './fold.ts';
import type { Highlighter } from './highlighter.ts';
import { type LanguageHint, languageOf } from './languages.ts';
import { rowsOf } from './rows.ts';

export interface CodeBlockOptions extends LanguageHint {
  code: string;
  theme: Theme;
  /** Tells by its `onReady` when the colours have come. */
  highlighter: Highlighter;
  lineNumbers?: boolean;
  /** The number of the first line. */
  startLine?: number;
  /** Lines to point out, by their numbers, both included. */
  range?: { from: number; to: number };
  longLines?: 'wrap' | 'cut';
  /** How many lines at the beginning and the end are shown; without it all are. */
  fold?: FoldSize;
}

export interface CodeBlock extends Component {
  /** The code as it was given, for the clipboard. */
  copyText(): string;
}

export function createCodeBlock(options: CodeBlockOptions): CodeBlock {
  const { code, theme, highlighter } = options;
  const language = languageOf(options);
  let shown: { width: number; isFinal: boolean; lines: readonly string[] } | undefined;
  return {
    render(width) {
      const isFinal = highlighter.isReady(language);
      if (shown?.width === width && shown.isFinal === isFinal) return shown.lines;
      // The end of the last line does not begin another one.
      const painted = highlighter.lines(code.replace(/\r?\n$/, ''), language, theme);
      const rows = painted.flatMap((line, index) => layRow(line, index, painted.length, width, options));
      const { head, hidden, tail } = foldLines(rows, options.fold ?? { head: rows.length, tail: 0 });
      const note = () => cut(theme.paint('muted', `… ${hidden} lines`), width);
      const lines = hidden === 0 ? head : [...head, note(), ...tail];
      shown = { width, isFinal, lines };
      return lines;
    },
    copyText: () => code,
  };
}

/** One line of code; its number stands before the first of the lines it takes. */
function layRow(line: string, index: number, count: number, width: number, options: CodeBlockOptions): string[] {
  const { theme, startLine = 1, range } = options;
  const number = startLine + index;
  const digits = String(startLine + count - 1).length;
  const isMarked = range !== undefined && number >= range.from && number <= range.to;
  const mark = range === undefined ? '' : isMarked ? theme.paint('accent', '▌') : ' ';
  const size = (options.lineNumbers ? digits + 2 : 0) + (range === undefined ? 0 : 1);
  const hasGutter = width - size >= 8;
  const room = hasGutter ? width - size : width;
  const parts = options.longLines === 'cut' ? [cut(line, room)] : rowsOf(line, room);
  if (!hasGutter) return parts;
  return parts.map((part, at) => {
    if (!options.lineNumbers) return mark + part;
    const shown = at === 0 ? String(number).padStart(digits) : ' '.repeat(digits);
    return `${mark}${theme.paint(isMarked ? 'accent' : 'lineNumber', shown)}  ${part}`;
  });
}
