/** What every card is drawn with, and the pieces that several kinds of them share. */
import { isRecord, type ToolResult } from '@tau/agent';
import { createImage, cut, type Differ, type Highlighter, printable, type Role, type Theme, wrap } from '@tau/tui';

export interface CardWorld {
  theme: Theme;
  /** Paths are told from there. */
  cwd: string;
  now(): number;
  /** Shared by all that shows code. */
  highlighter: Highlighter;
  /** Points out what differs inside of lines, once it is loaded. */
  differ(): Differ | undefined;
  /** How the terminal shows images, if it does. */
  images(): 'kitty' | 'iterm2' | undefined;
}

/** What stands below the title of a call. */
export interface CallBody {
  /** Its arguments, as far as they are known. */
  input(input: Record<string, unknown>): void;
  write(text: string): void;
  end(result: ToolResult): void;
  /** While it is open: the newest of it, at most so many lines. */
  live(width: number, rows: number): readonly string[];
  /** As it stays. */
  final(width: number): readonly string[];
}

export const inset = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** Room for what stands below a title. */
export const innerWidth = (width: number) => Math.max(1, width - 2);

export function textOfResult({ content }: ToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

export function detailsOf({ details }: ToolResult): Record<string, unknown> {
  return isRecord(details) ? details : {};
}

const maxErrorLines = 8;

/** Why it failed or was not allowed, in the result's own words. */
export function errorLines(text: string, { theme }: CardWorld, width: number): string[] {
  return firstLines(text, theme, width, 'toolError', maxErrorLines);
}

function firstLines(text: string, theme: Theme, width: number, role: Role, most: number): string[] {
  if (text.trim() === '') return [];
  // What is far behind the cut need not be laid out.
  const near = printable(text.trim().slice(0, most * 1000));
  const lines = wrap(near, width);
  const more = lines.length - most;
  const shown = more > 1 ? lines.slice(0, most) : lines;
  return [
    ...shown.map((line) => theme.paint(role, line)),
    ...(more > 1 || near.length < text.trim().length ? [cut(theme.paint('muted', '… ctrl+o shows all'), width)] : []),
  ];
}

/** Where the whole of an output is that was cut. */
export function wholeLines(result: ToolResult, theme: Theme, width: number): string[] {
  const { truncated, fullOutputPath } = detailsOf(result);
  if (truncated !== true || typeof fullOutputPath !== 'string') return [];
  return wrap(printable(`the whole output: ${fullOutputPath}`), width).map((line) => theme.paint('muted', line));
}

const imageRows = 16;

/** The images of a result. Given out once: a terminal keeps what it was sent. */
export function imageLines(result: ToolResult, { theme, images }: CardWorld, width: number): string[] {
  return result.content.flatMap((block) =>
    block.type === 'image'
      ? createImage({
          ...{ theme, protocol: images(), maxRows: imageRows },
          data: `data:${block.mimeType};base64,${block.data}`,
        }).render(width)
      : [],
  );
}
