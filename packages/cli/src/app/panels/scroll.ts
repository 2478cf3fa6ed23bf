/** Lines in a few rows: those that do not fit are counted, and can be scrolled to. */
import { cut, type Theme } from '@tau/tui';

export interface Scroll {
  render(width: number, rows: number): string[];
  /** By pages. False when all is seen. */
  move(pages: 1 | -1): boolean;
}

export interface ScrollOptions {
  theme: Theme;
  lines(width: number): readonly string[];
  /** What is seen first: the beginning and the end, or the beginning alone. */
  fold: 'ends' | 'start';
  /** How to see the rest. */
  hint(): string;
}

export function createScroll({ theme, lines, fold, hint }: ScrollOptions): Scroll {
  /** The first line seen; undefined: nobody has scrolled. */
  let top: number | undefined;
  let size = { all: 0, rows: 0 };

  function note(text: string, width: number): string {
    return cut(theme.paint('warning', text), width);
  }

  return {
    render(width, rows) {
      const all = lines(width);
      size = { all: all.length, rows };
      if (all.length <= rows) {
        top = undefined;
        return [...all];
      }
      const room = Math.max(1, rows - 1);
      if (top === undefined && fold === 'ends') {
        const head = Math.ceil(room / 2);
        const hidden = all.length - room;
        const end = room - head > 0 ? all.slice(head - room) : [];
        return [...all.slice(0, head), note(`… ${hidden} lines in between: ${hint()}`, width), ...end];
      }
      const from = Math.max(0, Math.min(top ?? 0, all.length - room));
      top = top === undefined ? undefined : from;
      const seen = all.slice(from, from + room);
      return [...seen, note(`lines ${from + 1} to ${from + seen.length} of ${all.length}: ${hint()}`, width)];
    },
    move(pages) {
      const { all, rows } = size;
      if (all <= rows) return false;
      const room = Math.max(1, rows - 1);
      const page = Math.max(1, room - 1);
      const from = top ?? (fold === 'ends' && pages > 0 ? -page : 0);
      top = Math.max(0, Math.min(from + pages * page, all - room));
      return true;
    },
  };
}
