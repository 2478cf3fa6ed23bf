/**
 * What all lists that one can walk through have in common: the letters that filter it, the chosen row, the rows that are
 * seen around it, and the keys for these. Which rows there are, and what they look like, is for the list.
 */
import { remember } from '../boxes/remember.ts';
import type { InputEvent } from '../input/event.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import type { Theme } from '../theme/theme.ts';
import { firstFrom, moved, topFor } from './cursor.ts';
import { filterLine, takenBack, typedInto } from './filter.ts';

export interface WalkOptions<R> {
  theme: Theme;
  keys: KeyMatcher;
  /** Whose keys count, the nearest first. */
  contexts: readonly string[];
  filter: boolean;
  height: number;
  /** From the last to the first and back. */
  around: boolean;
  emptyText: string;
  rows(): readonly R[];
  canChoose(row: R): boolean;
  /** Counted where the place in the list is said; a heading is not. */
  isEntry(row: R): boolean;
  drawRow(row: R, chosen: boolean, width: number): string;
  /** Said below all rows. */
  below?(width: number): readonly string[];
  /** A key asks for this row. False when there is none to go to. */
  goTo(row: number): boolean;
  /** There is another query: make the rows anew. */
  search(query: string): void;
  /** An action of the list's own. */
  act(action: string): boolean;
  onCancel?(): void;
}

export interface Walk {
  readonly query: string;
  /** The chosen row, or -1. */
  readonly at: number;
  focused: boolean;
  /** The first row from here on that can be chosen, else the last before. */
  firstFrom(row: number): number;
  /** Chooses a row, whatever it is. */
  place(row: number): void;
  setQuery(query: string): void;
  render(width: number): readonly string[];
  handleInput(event: InputEvent): boolean;
  /** What the lines are made of changed. */
  forget(): void;
}

export function createWalk<R>(options: WalkOptions<R>): Walk {
  const { theme, keys, contexts, filter, height, around } = options;
  let query = '';
  let focused = false;
  let at = -1;
  let top = 0;
  const { render, forget } = remember(draw);

  function canChoose(index: number): boolean {
    const row = options.rows()[index];
    return row !== undefined && options.canChoose(row);
  }

  function first(from: number): number {
    return firstFrom(from, options.rows().length, canChoose);
  }

  function draw(width: number): readonly string[] {
    if (width < 1) return [];
    const rows = options.rows();
    const lines = filter ? [filterLine({ theme, query, prompt: '/ ', focused, width })] : [];
    if (rows.length === 0) {
      const why = query === '' ? options.emptyText : `Nothing matches "${query}"`;
      return [...lines, theme.paint('muted', cut(printableLine(why), width))];
    }
    // The heading of the first is seen with it.
    top = topFor(at === first(0) ? 0 : top, at, rows.length, height);
    rows.slice(top, top + height).forEach((row, index) => {
      lines.push(options.drawRow(row, top + index === at, width));
    });
    if (rows.length > height) {
      const entries = (of: readonly R[]) => of.filter(options.isEntry).length;
      lines.push(theme.paint('muted', cut(`  ${entries(rows.slice(0, at + 1))}/${entries(rows)}`, width)));
    }
    return [...lines, ...(options.below?.(width) ?? [])];
  }

  function act(action: string): boolean {
    const count = options.rows().length;
    const move = (from: number, by: number, over = false) =>
      options.goTo(moved(from, count, canChoose, { by, around: over }));
    switch (action) {
      case 'tui.list.up':
        return move(at, -1, around);
      case 'tui.list.down':
        return move(at, 1, around);
      case 'tui.list.pageUp':
        return move(at, -height);
      case 'tui.list.pageDown':
        return move(at, height);
      case 'tui.list.first':
        return options.goTo(first(0));
      case 'tui.list.last':
        return move(count, -1);
      case 'tui.list.cancel':
        options.onCancel?.();
        return true;
      default:
        return options.act(action) || (filter && search(takenBack(query, action)));
    }
  }

  function search(next: string | undefined): boolean {
    if (next === undefined) return false;
    query = next;
    options.search(query);
    return true;
  }

  return {
    render,
    forget,
    handleInput(event) {
      // While there is a filter a letter is a letter, whatever is bound to it; Space still marks.
      const types =
        event.type === 'paste' || (event.type === 'key' && event.text !== undefined && event.key !== 'space');
      if (filter && types) return search(typedInto(query, event));
      const match = keys.match(event, contexts);
      if (match === 'pending') return true;
      if (match && act(match.action)) return true;
      return filter && search(typedInto(query, event));
    },
    firstFrom: first,
    place(row) {
      at = row;
      forget();
    },
    setQuery(next) {
      if (next !== query) search(next);
    },
    get query() {
      return query;
    },
    get at() {
      return at;
    },
    get focused() {
      return focused;
    },
    set focused(value) {
      if (value !== focused && filter) forget();
      focused = value;
    },
  };
}
