/** A whole document as a component, and as lines. */
import type { Component } from '../component.ts';
import { printable } from '../text/ansi.ts';
import { wrap } from '../text/wrap.ts';
import { type Carry, languagesOf, noCarry, showPiece } from './carry.ts';
import { createParser, type Parser } from './parser.ts';
import type { Piece } from './piece.ts';
import { createSplitter } from './split.ts';
import { type MarkdownOptions, styleOf } from './stream.ts';
import type { MarkdownStyle } from './style.ts';

export interface Markdown extends Component {
  setText(text: string): void;
  /** Resolves when the next rendering is the final one. */
  ready(): Promise<void>;
}

/** Plain text until the parser is loaded, plain code until its language is: `onChange` says when to render again. */
export function createMarkdown(text: string, options: MarkdownOptions): Markdown {
  const parser = options.parser ?? createParser();
  let shown: { width: number; lines: readonly string[]; isParsed: boolean; isFinal: boolean } | undefined;
  const style = styleOf(options, () => options.onChange?.());
  let pieces: Piece[] | undefined;
  const all = () => {
    pieces ??= piecesOf(text);
    return pieces;
  };
  const languages = () => all().flatMap(languagesOf);
  const isReady = () => parser.loaded && languages().every(style.highlighter.isReady);
  return {
    render(width) {
      const isParsed = parser.loaded;
      if (shown?.width === width && shown.isParsed === isParsed && (shown.isFinal || !isReady())) return shown.lines;
      if (!isParsed) void parser.load().then(options.onChange, options.onChange);
      // All that are named are waited for, so all are asked for: one may stand where nothing is coloured.
      for (const name of languages()) void style.highlighter.load(name);
      const lines = isParsed ? showPieces(all(), width, parser, style) : wrap(printable(text), width);
      shown = { width, lines, isParsed, isFinal: isReady() };
      return lines;
    },
    setText(next) {
      if (next === text) return;
      text = next;
      pieces = undefined;
      shown = undefined;
    },
    async ready() {
      await parser.load();
      await Promise.all(languages().map(style.highlighter.load));
    },
  };
}

function piecesOf(text: string): Piece[] {
  const splitter = createSplitter();
  return [...splitter.push(text), ...splitter.end()];
}

function showPieces(pieces: readonly Piece[], width: number, parser: Parser, style: MarkdownStyle): string[] {
  const lines: string[] = [];
  let carry: Carry = noCarry;
  for (const piece of pieces) {
    const made = showPiece(piece, carry, width, parser, style);
    for (const line of made.lines) lines.push(line);
    carry = made.carry;
  }
  return lines;
}
