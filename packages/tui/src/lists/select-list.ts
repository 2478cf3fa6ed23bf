/** A list to choose from: one row or several, filtered by typing, in groups, with a description beside each. */
import type { Focusable } from '../component.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import type { Theme } from '../theme/theme.ts';
import { drawRow, labelWidth, type Row, rowsOf } from './select-rows.ts';
import { createWalk } from './walk.ts';

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
  const { theme, multiple = false } = options;
  let items = options.items;
  let checked = new Set<T>(options.checked ?? []);
  let rows = rowsOf(items, '');
  let labels = labelWidth(items);
  const walk = createWalk<Row<SelectItem<T>>>({
    theme,
    keys: options.keys,
    contexts: ['list'],
    filter: options.filter ?? false,
    height: options.height ?? 10,
    around: options.around ?? true,
    emptyText: options.emptyText ?? 'Nothing to choose from',
    rows: () => rows,
    canChoose,
    isEntry: (row) => row.kind === 'item',
    drawRow(row, chosen, width) {
      const mark = multiple && row.kind === 'item' ? checked.has(row.item.value) : undefined;
      return drawRow({ row, chosen, mark, labels, theme, width });
    },
    goTo,
    search: (query) => rebuild(query === ''),
    act,
    onCancel: () => options.onCancel?.(),
  });
  walk.place(walk.firstFrom(options.selected === undefined ? 0 : rowOf(options.selected)));

  function canChoose(row: Row<SelectItem<T>> | undefined): boolean {
    return row?.kind === 'item' && row.item.disabled === undefined;
  }

  function rowOf(value: T | undefined): number {
    return rows.findIndex((row) => row.kind === 'item' && row.item.value === value);
  }

  function current(): T | undefined {
    const row = rows[walk.at];
    return row?.kind === 'item' ? row.item.value : undefined;
  }

  function goTo(row: number): boolean {
    const before = current();
    walk.place(row);
    if (current() !== before) options.onChange?.(current());
    return true;
  }

  /** A new filter begins at its best match; new items, and no filter any more, leave the choice where it was. */
  function rebuild(keep: boolean): void {
    const before = current();
    rows = rowsOf(items, walk.query);
    const kept = keep && before !== undefined ? rowOf(before) : -1;
    walk.place(walk.firstFrom(Math.max(0, kept)));
    if (current() !== before) options.onChange?.(current());
  }

  function submit(): void {
    const value = current();
    const marked = multiple ? items.filter((item) => checked.has(item.value)).map((item) => item.value) : [];
    if (marked.length > 0) options.onSelect?.(marked);
    else if (value !== undefined) options.onSelect?.([value]);
  }

  function act(action: string): boolean {
    switch (action) {
      case 'tui.list.select':
        submit();
        return true;
      case 'tui.list.toggle':
        return multiple && toggle();
      case 'tui.list.toggleAll':
        return multiple && toggleAll();
      default:
        return false;
    }
  }

  function toggle(): boolean {
    const value = current();
    if (value === undefined) return false;
    if (!checked.delete(value)) checked.add(value);
    walk.forget();
    return true;
  }

  function toggleAll(): boolean {
    const seen = rows.flatMap((row) =>
      row.kind === 'item' && row.item.disabled === undefined ? [row.item.value] : [],
    );
    const all = seen.every((value) => checked.has(value));
    checked = new Set(all ? [...checked].filter((value) => !seen.includes(value)) : [...checked, ...seen]);
    walk.forget();
    return true;
  }

  return {
    render: walk.render,
    handleInput: walk.handleInput,
    get focused() {
      return walk.focused;
    },
    set focused(value) {
      walk.focused = value;
    },
    get current() {
      return current();
    },
    get query() {
      return walk.query;
    },
    get checked() {
      return [...checked];
    },
    setItems(next) {
      items = next;
      labels = labelWidth(items);
      rebuild(true);
    },
    setQuery: walk.setQuery,
    select(value) {
      const row = rowOf(value);
      if (canChoose(rows[row])) goTo(row);
    },
  };
}
