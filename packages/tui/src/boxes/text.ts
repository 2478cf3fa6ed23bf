/** Plain pieces: wrapped text, a line that is cut, empty lines, a line across. */
import type { Component } from '../component.ts';
import { printable, printableLine } from '../text/ansi.ts';
import { cut, cutMiddle, cutStart, pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import type { Role, Theme } from '../theme/theme.ts';
import { remember } from './remember.ts';

export interface TextOptions {
  theme: Theme;
  /** Of unknown origin: shown harmlessly. With `styled`, made by us: its styles and links count. */
  text: string;
  styled?: boolean;
  role?: Role;
  align?: 'left' | 'right' | 'center';
}

export interface TextComponent extends Component {
  setText(text: string): void;
}

/** Text on as many lines as it needs. Empty text has no lines. */
export function createText({ theme, text, styled = false, role, align = 'left' }: TextOptions): TextComponent {
  let content = text;
  const { render, forget } = remember((width) => {
    if (content === '' || width < 1) return [];
    return wrap(styled ? content : printable(content), width).map((line) => {
      const painted = role && line !== '' ? theme.paint(role, line) : line;
      return align === 'left' ? painted : pad(painted, width, align).trimEnd();
    });
  });
  return {
    render,
    setText(next) {
      if (next === content) return;
      content = next;
      forget();
    },
  };
}

export interface CutTextOptions extends Omit<TextOptions, 'align'> {
  /** Which part goes when it is too long. */
  lose?: 'end' | 'middle' | 'start';
}

/** Text on one line, cut to fit. */
export function createCutText({ theme, text, styled = false, role, lose = 'end' }: CutTextOptions): TextComponent {
  let content = text;
  const shorten = lose === 'end' ? cut : lose === 'middle' ? cutMiddle : cutStart;
  const { render, forget } = remember((width) => {
    const line = shorten(styled ? content : printableLine(content), width);
    return [role ? theme.paint(role, line) : line];
  });
  return {
    render,
    setText(next) {
      if (next === content) return;
      content = next;
      forget();
    },
  };
}

export interface Lines extends Component {
  set(lines: readonly string[]): void;
}

/** Lines that somebody else made, styles and all; what is too wide is cut. */
export function createLines(lines: readonly string[] = []): Lines {
  let content = lines;
  const { render, forget } = remember((width) => content.map((line) => cut(line, width)));
  return {
    render,
    set(next) {
      content = next;
      forget();
    },
  };
}

/** Empty lines. */
export function createSpacer(lines = 1): Component {
  const empty = Array.from({ length: Math.max(0, lines) }, () => '');
  return { render: () => empty };
}

/** A line across, with a title in it if there is one. */
export function createRule({
  theme,
  title,
  role = 'border',
}: {
  theme: Theme;
  title?: string;
  role?: Role;
}): Component {
  const { render } = remember((width) => {
    if (width < 1) return [];
    const words = title === undefined || width < 8 ? '' : ` ${cut(printableLine(title), width - 6)} `;
    if (words === '') return [theme.paint(role, '─'.repeat(width))];
    const rest = width - 2 - widthOf(words);
    return [`${theme.paint(role, '──')}${theme.paint('title', words)}${theme.paint(role, '─'.repeat(rest))}`];
  });
  return { render };
}
