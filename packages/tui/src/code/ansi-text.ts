/** The output of a program, folded to its beginning and end until it is opened. */
import type { Component } from '../component.ts';
import { stripAnsi } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import type { Role, Theme } from '../theme/theme.ts';
import { type FoldSize, foldLines } from './fold.ts';
import { createOutput } from './output.ts';
import { rowsOf } from './rows.ts';

export interface AnsiText extends Component {
  append(text: string): void;
  /** Shows all of it, or only what the fold leaves. */
  expanded: boolean;
  /** All lines, without colours. */
  copyText(): string;
}

export interface AnsiTextOptions {
  theme: Theme;
  text?: string;
  /** What is shown while it is folded; without it everything is. */
  fold?: FoldSize;
  expanded?: boolean;
  /** Colours of the text where the program chose none. */
  role?: Role;
  /** The program's own colours are left out. */
  plain?: boolean;
  /** Said behind the number of hidden lines, such as the key that opens it. */
  hint?: string;
}

export function createAnsiText(options: AnsiTextOptions): AnsiText {
  const { theme, fold, role, hint } = options;
  const output = createOutput();
  if (options.text !== undefined) output.write(options.text);
  let expanded = options.expanded ?? false;
  let version = 0;
  let shown: { key: string; lines: readonly string[] } | undefined;
  // A line that did not change is not laid out again, however much is written below it.
  let laid = new Map<string, readonly string[]>();
  let laidWidth = 0;

  function layOut(width: number): string[] {
    if (laidWidth !== width) laid = new Map();
    laidWidth = width;
    const fresh = new Map<string, readonly string[]>();
    const lines: string[] = [];
    if (output.dropped > 0) lines.push(cut(theme.paint('muted', `… ${output.dropped} earlier lines are gone`), width));
    for (const line of output.lines()) {
      const made = laid.get(line) ?? painted(line, width);
      fresh.set(line, made);
      for (const part of made) lines.push(part);
    }
    laid = fresh;
    return lines;
  }

  function painted(line: string, width: number): readonly string[] {
    const parts = rowsOf(options.plain ? stripAnsi(line) : line, width);
    return role === undefined ? parts : parts.map((part) => theme.paint(role, part));
  }

  return {
    append(text) {
      output.write(text);
      version += 1;
    },
    get expanded() {
      return expanded;
    },
    set expanded(value) {
      expanded = value;
    },
    render(width) {
      const key = `${width} ${version} ${expanded}`;
      if (shown?.key === key) return shown.lines;
      const all = layOut(width);
      const { head, hidden, tail } = foldLines(
        all,
        fold === undefined || expanded ? { head: all.length, tail: 0 } : fold,
      );
      const note = `… ${hidden} lines${hint === undefined ? '' : ` ${hint}`}`;
      const lines = hidden === 0 ? head : [...head, cut(theme.paint('muted', note), width), ...tail];
      shown = { key, lines };
      return lines;
    },
    copyText: () => output.lines().map(stripAnsi).join('\n'),
  };
}
