/** A list to choose from: one row or several, filtered by typing, in groups, with a description beside each. */
import { remember } from '../boxes/remember.ts';
import type { Focusable } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import type { Theme } from '../theme/theme.ts';
import { firstFrom, moved, topFor } from './cursor.ts';
import { filterLine, takenBack, typedInto } from './filter.ts';
import { drawRow, labelWidth, rowsOf } from './select-rows.ts';

export interface SelectItem<T> {
  value: T;
  label: string;
  description?: string;
  /** Items of a group stand under its heading. Keep them together. */
  group?: string;
  /** Why it cannot be chosen. It is shown in place of the description. */
  disabled?: string;
}

export interface SelectListOptions<T> {
  theme: Theme;
  keys: KeyMatcher;
  items: readonly SelectItem<T>[];
  /** Rows that are seen at once. */
  height?: number;
  /** Typing filters. */
  filter?: boolean;
  /** Several can be marked; `onSelect` gets them all. */
  multiple?: boolean;
  /** Marked from the beginning. */
  checked?: readonly T[];
  /** Chosen in the beginning. */
  selected?: T;
  /** From the last to the first and back. True unless said otherwise. */
  around?: boolean;
  emptyText?: string;
  /** The chosen one; with `multiple`, all that are marked, or the chosen one if none is. */
  onSelect?(values: readonly T[]): void;
  onCancel?(): void;
  onChange?(value: T | undefined): void;
}

export interface SelectList<T> extends Focusable {
  readonly current: T | undefined;
  readonly query: string;
  readonly checked: readonly T[];
  /** The chosen value stays chosen if it is still there. */
  setItems(items: readonly SelectItem<T>[]): void;
  setQuery(query: string): void;
  select(value: T): void;
}

export function createSelectList<T>(options: SelectListOptions<T>): SelectList<T> {
  const { theme, keys, height = 10, filter = false, multiple = false, around = true } = options;
  const emptyText = options.emptyText ?? 'Nothing to choose from';
  let items = options.items;
  let query = '';
  let focused = false;
  let checked = new Set<T>(options.checked ?? []);
  let rows = rowsOf(items, query);
  let labels = labelWidth(items);
  let at = firstFrom(options.selected === undefined ? 0 : rowOf(options.selected), rows.length, canChoose);
  let top = 0;
  const { render, forget } = remember(draw);

  function canChoose(row: number): boolean {
    const found = rows[row];
    return found?.kind === 'item' && found.item.disabled === undefined;
  }

  function rowOf(value: T | undefined): number {
    return rows.findIndex((row) => row.kind === 'item' && row.item.value === value);
  }

  function current(): T | undefined {
    const row = rows[at];
    return row?.kind === 'item' ? row.item.value : undefined;
  }

  function goTo(row: number): void {
    const before = current();
    at = row;
    forget();
    if (current() !== before) options.onChange?.(current());
  }

  /** A new filter begins at its best match; new items, and no filter any more, leave the choice where it was. */
  function rebuild(keep: boolean): void {
    const before = current();
    rows = rowsOf(items, query);
    const kept = keep && before !== undefined ? rowOf(before) : -1;
    at = firstFrom(Math.max(0, kept), rows.length, canChoose);
    if (!keep) top = 0;
    forget();
    if (current() !== before) options.onChange?.(current());
  }

  function draw(width: number): readonly string[] {
    if (width < 1) return [];
    const lines = filter ? [filterLine({ theme, query, prompt: '/ ', focused, width })] : [];
    if (rows.length === 0) {
      const why = query === '' ? emptyText : `Nothing matches "${query}"`;
      return [...lines, theme.paint('muted', cut(printableLine(why), width))];
    }
    top = topFor(at === firstFrom(0, rows.length, canChoose) ? 0 : top, at, rows.length, height);
    rows.slice(top, top + height).forEach((row, index) => {
      const mark = multiple && row.kind === 'item' ? checked.has(row.item.value) : undefined;
      lines.push(drawRow({ row, chosen: top + index === at, mark, labels, theme, width }));
    });
    if (rows.length > height) lines.push(placeLine(width));
    return lines;
  }

  /** Where the chosen one stands among all, when not all are seen. */
  function placeLine(width: number): string {
    const all = rows.filter((row) => row.kind === 'item').length;
    const before = rows.slice(0, at + 1).filter((row) => row.kind === 'item').length;
    return theme.paint('muted', cut(`  ${before}/${all}`, width));
  }

  function submit(): void {
    const value = current();
    const marked = multiple ? items.filter((item) => checked.has(item.value)).map((item) => item.value) : [];
    if (marked.length > 0) options.onSelect?.(marked);
    else if (value !== undefined) options.onSelect?.([value]);
  }

  function act(action: string): boolean {
    const move = (by: number, over = false) => goTo(moved(at, rows.length, canChoose, { by, around: over }));
    switch (action) {
      case 'tui.list.up':
        move(-1, around);
        return true;
      case 'tui.list.down':
        move(1, around);
        return true;
      case 'tui.list.pageUp':
        move(-height);
        return true;
      case 'tui.list.pageDown':
        move(height);
        return true;
      case 'tui.list.first':
        goTo(firstFrom(0, rows.length, canChoose));
        return true;
      case 'tui.list.last':
        goTo(moved(rows.length, rows.length, canChoose, { by: -1, around: false }));
        return true;
      case 'tui.list.select':
        submit();
        return true;
      case 'tui.list.cancel':
        options.onCancel?.();
        return true;
      case 'tui.list.toggle':
        return multiple && toggle();
      case 'tui.list.toggleAll':
        return multiple && toggleAll();
      default:
        return filter && changeQuery(takenBack(query, action));
    }
  }

  function toggle(): boolean {
    const value = current();
    if (value === undefined) return false;
    if (!checked.delete(value)) checked.add(value);
    forget();
    return true;
  }

  function toggleAll(): boolean {
    const seen = rows.flatMap((row) =>
      row.kind === 'item' && row.item.disabled === undefined ? [row.item.value] : [],
    );
    const all = seen.every((value) => checked.has(value));
    checked = new Set(all ? [...checked].filter((value) => !seen.includes(value)) : [...checked, ...seen]);
    forget();
    return true;
  }

  function changeQuery(next: string | undefined): boolean {
    if (next === undefined) return false;
    query = next;
    rebuild(query === '');
    return true;
  }

  function handleInput(event: InputEvent): boolean {
    // While there is a filter a letter is a letter, whatever is bound to it; Space still marks.
    const types = event.type === 'paste' || (event.type === 'key' && event.text !== undefined && event.key !== 'space');
    if (filter && types) return changeQuery(typedInto(query, event));
    const match = keys.match(event, 'list');
    if (match === 'pending') return true;
    if (match && act(match.action)) return true;
    return filter && changeQuery(typedInto(query, event));
  }

  return {
    render,
    handleInput,
    get focused() {
      return focused;
    },
    set focused(value) {
      if (value !== focused && filter) forget();
      focused = value;
    },
    get current() {
      return current();
    },
    get query() {
      return query;
    },
    get checked() {
      return [...checked];
    },
    setItems(next) {
      items = next;
      labels = labelWidth(items);
      rebuild(true);
    },
    setQuery(next) {
      if (next !== query) changeQuery(next);
    },
    select(value) {
      const row = rowOf(value);
      if (row >= 0 && canChoose(row)) goTo(row);
    },
  };
}
