/** Blocks of code in a document: set in, coloured, with the name of their language above them. */
import { languageOf } from '../code/languages.ts';
import { rowsOf } from '../code/rows.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import type { MarkdownStyle } from './style.ts';

/** The name above a block; none if the block has none. */
export function codeLabel(info: string, width: number, style: MarkdownStyle): string[] {
  const label = printableLine(info.split(/\s/, 1)[0] ?? '');
  return label === '' ? [] : [style.theme.paint('muted', cut(label, width))];
}

/** Coloured lines, fitted to the width. */
export function codeLines(lines: readonly string[], width: number, style: MarkdownStyle): string[] {
  const margin = width > 12 ? '  ' : '';
  const room = width - margin.length;
  return lines.flatMap((line) => {
    if (line === '') return [''];
    if (style.longCode === 'cut') return [margin + cut(line, room)];
    return rowsOf(line, room).map((part) => margin + part);
  });
}

export function renderCode(info: string, code: string, width: number, style: MarkdownStyle): string[] {
  const lines = style.highlighter.lines(code, languageOf({ label: info }), style.theme);
  return [...codeLabel(info, width, style), ...codeLines(lines, width, style)];
}

/** The languages that a piece of source may need, by the labels in it. */
export function languagesIn(source: string): string[] {
  const fences = source.matchAll(/^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*([^\s`]+)/gm);
  return [...fences].flatMap(([, label]) => languageOf({ label }) ?? []);
}
