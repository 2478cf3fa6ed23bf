/** How far something is. */
import type { Component } from '../component.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Theme } from '../theme/theme.ts';
import { remember } from './remember.ts';

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export interface ProgressOptions {
  theme: Theme;
  label?: string;
  /** From 0 to 1. */
  value?: number;
  /** Cells of the bar at most. */
  barWidth?: number;
}

export interface Progress extends Component {
  set(value: number, label?: string): void;
}

/** Label, bar and percentage on one line; what there is no room for goes in that order: label, then bar. */
export function createProgress({ theme, label = '', value = 0, barWidth = 40 }: ProgressOptions): Progress {
  let words = label;
  let done = bounded(value);
  const { render, forget } = remember((width) => {
    const percent = `${Math.floor(done * 100)}%`.padStart(4);
    if (width < percent.length + 4) return [cut(percent.trim(), width)];
    const room = width - percent.length - 1;
    const bar = Math.min(barWidth, Math.max(room >= 24 ? Math.floor(room / 2) : 0, Math.min(room, 10)));
    const name = cut(printableLine(words), Math.max(0, room - bar - 1));
    const before = name === '' ? '' : `${name} `;
    const own = Math.min(barWidth, room - widthOf(before));
    return [`${before}${barOf(done, own, theme)} ${theme.paint('muted', percent)}`];
  });
  return {
    render,
    set(next, nextLabel = words) {
      done = bounded(next);
      words = nextLabel;
      forget();
    },
  };
}

function barOf(value: number, width: number, theme: Theme): string {
  const cells = Math.round(value * width * 8);
  const full = '█'.repeat(Math.floor(cells / 8)) + (eighths[cells % 8] ?? '');
  const rest = '░'.repeat(Math.max(0, width - full.length));
  return `${full === '' ? '' : theme.paint('progress', full)}${rest === '' ? '' : theme.paint('progressRest', rest)}`;
}

function bounded(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
