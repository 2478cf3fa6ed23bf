/** A list to choose from, in the editor's place: filtered by typing, with keys of its own where it has some. */
import {
  createSelectList,
  cut,
  type KeyMatcher,
  printableLine,
  printKey,
  type SelectItem,
  type SelectList,
  type Theme,
} from '@tau/tui';
import type { Panel } from './panel.ts';

export interface ChooseOptions<T> {
  theme: Theme;
  keys: KeyMatcher;
  title: string;
  items: readonly SelectItem<T>[];
  selected?: T;
  /** Several can be marked; all marked ones are chosen. */
  checked?: readonly T[];
  rows(): number;
  onChoose(values: readonly T[]): void;
  onCancel(): void;
  /** Another one is under the cursor now. */
  onMove?(value: T): void;
  /** What else a key does here: actions of this context, asked before the list's own. `onOther`: it was another key. */
  more?: { context: string; act(action: string, value: T | undefined): void; onOther(): void };
  /** Below the list: what its keys do, as `[action, words]`. Actions without a key are left out. */
  hints?: readonly (readonly [action: string, words: string])[];
  /** A sentence below the list that matters now, instead of the hints. */
  warning?(): string | undefined;
}

export interface Choice<T> extends Panel {
  readonly list: SelectList<T>;
}

const maxRows = 15;

export function createChoice<T>(options: ChooseOptions<T>): Choice<T> {
  const { theme, keys, title, items, selected, checked, more, onChoose, onCancel, onMove } = options;
  const list = createSelectList<T>({
    ...{ theme, keys, items, filter: true, multiple: checked !== undefined, checked: checked ?? [] },
    height: Math.max(3, Math.min(maxRows, options.rows() - 8)),
    ...(selected !== undefined && { selected }),
    onSelect: onChoose,
    onCancel,
    onChange(value) {
      if (value !== undefined) onMove?.(value);
    },
  });
  const hint = () =>
    (options.hints ?? [])
      .flatMap(([action, words]) => {
        const [key] = keys.keysFor(action);
        return key === undefined ? [] : [`${printKey(key)} ${words}`];
      })
      .join(' · ');
  return {
    list,
    get focused() {
      return list.focused;
    },
    set focused(on) {
      list.focused = on;
    },
    handleInput(event) {
      const found = more && keys.match(event, more.context);
      if (found === 'pending') return true;
      if (!more || found === undefined) {
        if (event.type !== 'focus') more?.onOther();
        return list.handleInput(event);
      }
      more.act(found.action, list.current);
      return true;
    },
    render(width) {
      const warning = options.warning?.();
      const below = warning === undefined ? hint() : warning;
      return [
        theme.paint('borderAccent', '─'.repeat(Math.max(0, width))),
        cut(theme.paint('title', printableLine(title)), width),
        ...list.render(width),
        ...(below === ''
          ? []
          : [cut(theme.paint(warning === undefined ? 'muted' : 'warning', printableLine(below)), width)]),
      ];
    },
  };
}
