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
  let shown: { width: number; lines: readonly string[]; isFinal: boolean } | undefined;
  const style = styleOf(options, () => options.onChange?.());
  let pieces: Piece[] | undefined;
  const all = () => {
    pieces ??= piecesOf(text);
    return pieces;
  };
  const isReady = () =>
    parser.loaded && all().every((piece) => languagesOf(piece).every((name) => style.highlighter.isReady(name)));
  return {
    render(width) {
      if (shown?.width === width && (shown.isFinal || !isReady())) return shown.lines;
      if (!parser.loaded) void parser.load().then(options.onChange, options.onChange);
      const lines = parser.loaded ? showPieces(all(), width, parser, style) : wrap(printable(text), width);
      shown = { width, lines, isFinal: isReady() };
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
      await Promise.all(
        all()
          .flatMap(languagesOf)
          .map((name) => style.highlighter.load(name)),
      );
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
    lines.push(...made.lines);
    carry = made.carry;
  }
  return lines;
}
