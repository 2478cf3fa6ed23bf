/**
 * A document that is still being written. Blocks that are finished are parsed and laid out once and given out for good;
 * the block that is still open is shown as far as it is known.
 */
import { createHighlighter, type Highlighter } from '../code/highlighter.ts';
import type { Theme } from '../theme/theme.ts';
import { type Carry, languagesOf, noCarry, showPiece } from './carry.ts';
import { createLive } from './live.ts';
import { createParser, type Parser } from './parser.ts';
import type { Piece } from './piece.ts';
import { createSplitter } from './split.ts';
import type { MarkdownStyle } from './style.ts';

export interface MarkdownOptions {
  theme: Theme;
  /** Shared by all that shows code; without it the document has its own. */
  highlighter?: Highlighter;
  /** Shared as well. */
  parser?: Parser;
  /** The terminal opens links. Without, an address is written behind its text. */
  hyperlinks?: boolean;
  /** What happens to lines of code that are too long. */
  longCode?: 'wrap' | 'cut';
  /** Something that was waited for has arrived: it is worth asking for lines again. */
  onChange?: () => void;
}

export interface MarkdownStream {
  push(delta: string): void;
  /** Nothing more comes: all that is left can be taken. */
  end(): void;
  /** Lines of the blocks that were finished since it was last asked; never to be given again. */
  take(width: number): string[];
  /** Lines of what is not finished, to be shown below those. */
  live(width: number): readonly string[];
  /** Resolves when what the text so far needs is loaded: after `end`, `take` then gives all that is left. */
  ready(): Promise<void>;
  /** Characters parsed so far. */
  readonly parsed: number;
}

export function createMarkdownStream(options: MarkdownOptions): MarkdownStream {
  const parser = options.parser ?? createParser();
  const style = styleOf(options, () => options.onChange?.());
  const { highlighter } = style;
  const splitter = createSplitter();
  const live = createLive(parser, style);
  let finished: Piece[] = [];
  let carry: Carry = noCarry;
  let isOver = false;

  function accept(pieces: readonly Piece[]): void {
    if (pieces.length === 0) return;
    for (const piece of pieces) finished.push(piece);
    live.reset();
    for (const name of pieces.flatMap(languagesOf)) void highlighter.load(name);
  }

  /** A block of code waits for its language: once it is given out, nobody will colour it any more. */
  const isReady = (piece: Piece) => languagesOf(piece).every((name) => highlighter.isReady(name));

  function start(): void {
    // Whoever awaits `ready` is told what went wrong.
    if (!parser.loaded) void parser.load().then(options.onChange, options.onChange);
  }

  return {
    push(delta) {
      if (isOver || delta === '') return;
      start();
      live.grow(delta);
      accept(splitter.push(delta));
    },
    end() {
      if (isOver) return;
      isOver = true;
      accept(splitter.end());
      live.reset();
    },
    take(width) {
      const lines: string[] = [];
      if (!parser.loaded) return lines;
      let count = 0;
      for (const piece of finished) {
        if (!isReady(piece)) break;
        const shown = showPiece(piece, carry, width, parser, style);
        for (const line of shown.lines) lines.push(line);
        carry = shown.carry;
        count += 1;
      }
      if (count > 0) {
        finished = finished.slice(count);
        live.reset();
      }
      return lines;
    },
    live(width) {
      if (!parser.loaded) return [];
      return live.lines(() => [...finished, ...(isOver ? [] : splitter.open())], carry, width);
    },
    async ready() {
      await parser.load();
      await Promise.all(finished.flatMap(languagesOf).map((name) => highlighter.load(name)));
    },
    get parsed() {
      return parser.read;
    },
  };
}

export function styleOf(options: MarkdownOptions, onReady: () => void): MarkdownStyle {
  return {
    theme: options.theme,
    highlighter: options.highlighter ?? createHighlighter({ onReady }),
    hyperlinks: options.hyperlinks ?? true,
    longCode: options.longCode ?? 'wrap',
  };
}
