/** Settings with their values: a key goes to the next value, or opens a list of its own. */
import type { Component, Focusable } from '../component.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printable, printableLine } from '../text/ansi.ts';
import { cut, pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import type { Theme } from '../theme/theme.ts';
import { foundIn, marked } from './filter.ts';
import { createWalk } from './walk.ts';

export interface Setting {
  id: string;
  label: string;
  value: string;
  /** Said below the list while it is chosen. */
  description?: string;
  /** Settings of a group stand under its heading. Keep them together. */
  group?: string;
  /** What Enter, Space and the arrows go through. */
  values?: readonly string[];
  /** Opened by Enter in place of the list. `done` closes it, with the new value if there is one. */
  submenu?(value: string, done: (value?: string) => void): Component;
}

export interface SettingsListOptions {
  theme: Theme;
  keys: KeyMatcher;
  settings: readonly Setting[];
  height?: number;
  /** Typing searches. */
  filter?: boolean;
  onChange?(id: string, value: string): void;
  onCancel?(): void;
}

export interface SettingsList extends Focusable {
  readonly current: string | undefined;
  /** From outside: nobody is told. */
  setValue(id: string, value: string): void;
}

type Row = { kind: 'heading'; text: string } | SettingRow;

interface SettingRow {
  kind: 'setting';
  setting: Setting;
  label: string;
  positions: readonly number[];
}

export function createSettingsList(options: SettingsListOptions): SettingsList {
  const { theme } = options;
  let settings = options.settings;
  let rows = rowsFor(settings, '');
  let open: Component | undefined;
  const walk = createWalk<Row>({
    theme,
    keys: options.keys,
    contexts: ['settings', 'list'],
    filter: options.filter ?? false,
    height: options.height ?? 10,
    around: true,
    emptyText: 'No settings',
    rows: () => rows,
    canChoose: isSetting,
    isEntry: isSetting,
    drawRow: (row, chosen, width) =>
      row.kind === 'heading' ? theme.paint('label', cut(row.text, width)) : drawRow(row, chosen, width),
    below,
    goTo(row) {
      walk.place(row);
      return true;
    },
    search(query) {
      rows = rowsFor(settings, query);
      walk.place(walk.firstFrom(0));
    },
    act,
    onCancel: () => options.onCancel?.(),
  });
  walk.place(walk.firstFrom(0));

  function current(): Setting | undefined {
    const row = rows[walk.at];
    return row?.kind === 'setting' ? row.setting : undefined;
  }

  function below(width: number): readonly string[] {
    const about = current()?.description ?? '';
    return about === '' ? [] : ['', ...wrap(printable(about), width).map((line) => theme.paint('muted', line))];
  }

  function drawRow({ setting, label, positions }: SettingRow, chosen: boolean, width: number): string {
    const room = width - 2;
    if (room < 1) return cut(chosen ? '› ' : '  ', width);
    const labels = labelColumn(settings, room);
    const name = pad(cut(marked(label, positions, theme, chosen ? 'selection' : undefined), labels), labels);
    const arrow = setting.submenu ? ' ▸' : '';
    const value = cut(printableLine(setting.value) + arrow, Math.max(0, room - labels - 2));
    const line = `${chosen ? theme.paint('selection', '› ') : '  '}${name}  ${theme.paint(chosen ? 'accent' : 'muted', value)}`;
    return chosen ? theme.paint('selectionBg', pad(line, width)) : cut(line, width);
  }

  function change(id: string, value: string): void {
    settings = settings.map((setting) => (setting.id === id ? { ...setting, value } : setting));
    rows = rowsFor(settings, walk.query);
    walk.forget();
  }

  function cycle(by: number): boolean {
    const setting = current();
    const values = setting?.values ?? [];
    if (!setting || values.length === 0) return false;
    // A value that is not among them goes to the first or the last.
    const index = values.indexOf(setting.value);
    const next = index < 0 ? (by > 0 ? 0 : values.length - 1) : (index + by + values.length) % values.length;
    const value = values[next] ?? setting.value;
    if (value === setting.value) return true;
    change(setting.id, value);
    options.onChange?.(setting.id, value);
    return true;
  }

  function enter(): boolean {
    const setting = current();
    if (!setting?.submenu) return cycle(1);
    open = setting.submenu(setting.value, (value) => {
      open = undefined;
      walk.forget();
      if (value === undefined || value === setting.value) return;
      change(setting.id, value);
      options.onChange?.(setting.id, value);
    });
    return true;
  }

  function act(action: string): boolean {
    switch (action) {
      case 'tui.list.select':
        return enter();
      case 'tui.settings.next':
        return cycle(1);
      case 'tui.settings.previous':
        return cycle(-1);
      default:
        return false;
    }
  }

  return {
    render: (width) => (open ? open.render(width) : walk.render(width)),
    handleInput: (event) => (open ? (open.handleInput?.(event) ?? false) : walk.handleInput(event)),
    get focused() {
      return walk.focused;
    },
    set focused(value) {
      walk.focused = value;
    },
    get current() {
      return current()?.id;
    },
    setValue: change,
  };
}

function isSetting(row: Row): boolean {
  return row.kind === 'setting';
}

/** Labels get what they need as long as half of the room is left for the values that need it. */
function labelColumn(settings: readonly Setting[], room: number): number {
  const widest = (texts: readonly string[]) => Math.max(...texts.map((text) => widthOf(printableLine(text))));
  const values = Math.min(Math.floor(room / 2), widest(settings.map(({ value }) => value)));
  return Math.min(widest(settings.map(({ label }) => label)), Math.max(1, room - 2 - values));
}

/** Found ones stand by how well they fit, without headings. */
function rowsFor(settings: readonly Setting[], query: string): Row[] {
  const rows = settings.map(
    (setting): SettingRow => ({ kind: 'setting', setting, label: printableLine(setting.label), positions: [] }),
  );
  if (query === '') {
    return rows.flatMap((row, index): Row[] => {
      const { group } = row.setting;
      const begins = group !== undefined && group !== rows[index - 1]?.setting.group;
      return begins ? [{ kind: 'heading', text: printableLine(group) }, row] : [row];
    });
  }
  return rows
    .flatMap((row) => {
      const found = foundIn(query, row.label, printableLine(row.setting.description ?? ''));
      return found ? [{ row: { ...row, positions: found.label }, score: found.score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}
