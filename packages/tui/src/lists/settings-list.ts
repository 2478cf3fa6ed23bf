/** Settings with their values: a key goes to the next value, or opens a list of its own. */
import { remember } from '../boxes/remember.ts';
import type { Component, Focusable } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printable, printableLine } from '../text/ansi.ts';
import { cut, pad } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import type { Theme } from '../theme/theme.ts';
import { firstFrom, moved, topFor } from './cursor.ts';
import { filterLine, foundIn, marked, takenBack, typedInto } from './filter.ts';

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
  const { theme, keys, height = 10, filter = false } = options;
  let settings = options.settings;
  let query = '';
  let focused = false;
  let rows = rowsFor(settings, query);
  const canChoose = (row: number) => rows[row]?.kind === 'setting';
  let at = firstFrom(0, rows.length, canChoose);
  let top = 0;
  let open: Component | undefined;
  const { render, forget } = remember(draw);

  function current(): Setting | undefined {
    const row = rows[at];
    return row?.kind === 'setting' ? row.setting : undefined;
  }

  function draw(width: number): readonly string[] {
    if (width < 1) return [];
    const lines = filter ? [filterLine({ theme, query, prompt: '/ ', focused, width })] : [];
    if (rows.length === 0) {
      const why = query === '' ? 'No settings' : `Nothing matches "${query}"`;
      return [...lines, theme.paint('muted', cut(printableLine(why), width))];
    }
    // The heading of the first is seen with it.
    top = topFor(at === firstFrom(0, rows.length, canChoose) ? 0 : top, at, rows.length, height);
    const labels = labelColumn(settings, width - 2);
    rows.slice(top, top + height).forEach((row, index) => {
      if (row.kind === 'heading') lines.push(theme.paint('label', cut(row.text, width)));
      else lines.push(drawRow(row, top + index === at, labels, width));
    });
    if (rows.length > height) {
      const isSetting = (row: Row) => row.kind === 'setting';
      const place = `  ${rows.slice(0, at + 1).filter(isSetting).length}/${rows.filter(isSetting).length}`;
      lines.push(theme.paint('muted', cut(place, width)));
    }
    const about = current()?.description;
    if (about !== undefined && about !== '') {
      lines.push('', ...wrap(printable(about), width).map((line) => theme.paint('muted', line)));
    }
    return lines;
  }

  function drawRow({ setting, label, positions }: SettingRow, chosen: boolean, labels: number, width: number): string {
    const room = width - 2;
    if (room < 1) return cut(chosen ? '› ' : '  ', width);
    const name = pad(cut(marked(label, positions, theme, chosen ? 'selection' : undefined), labels), labels);
    const arrow = setting.submenu ? ' ▸' : '';
    const value = cut(printableLine(setting.value) + arrow, Math.max(0, room - labels - 2));
    const line = `${chosen ? theme.paint('selection', '› ') : '  '}${name}  ${theme.paint(chosen ? 'accent' : 'muted', value)}`;
    return chosen ? theme.paint('selectionBg', pad(line, width)) : cut(line, width);
  }

  function change(id: string, value: string): void {
    settings = settings.map((setting) => (setting.id === id ? { ...setting, value } : setting));
    rows = rowsFor(settings, query);
    forget();
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
      forget();
      if (value === undefined || value === setting.value) return;
      change(setting.id, value);
      options.onChange?.(setting.id, value);
    });
    return true;
  }

  function search(next: string | undefined): boolean {
    if (next === undefined) return false;
    query = next;
    rows = rowsFor(settings, query);
    at = firstFrom(0, rows.length, canChoose);
    forget();
    return true;
  }

  function act(action: string): boolean {
    const move = (by: number, around: boolean) => {
      at = moved(at, rows.length, canChoose, { by, around });
      forget();
      return true;
    };
    switch (action) {
      case 'tui.list.up':
        return move(-1, true);
      case 'tui.list.down':
        return move(1, true);
      case 'tui.list.pageUp':
        return move(-height, false);
      case 'tui.list.pageDown':
        return move(height, false);
      case 'tui.list.first':
        return move(-rows.length, false);
      case 'tui.list.last':
        return move(rows.length, false);
      case 'tui.list.select':
        return enter();
      case 'tui.settings.next':
        return cycle(1);
      case 'tui.settings.previous':
        return cycle(-1);
      case 'tui.list.cancel':
        options.onCancel?.();
        return true;
      default:
        return filter && search(takenBack(query, action));
    }
  }

  function handleInput(event: InputEvent): boolean {
    if (open) return open.handleInput?.(event) ?? false;
    const types = event.type === 'paste' || (event.type === 'key' && event.text !== undefined && event.key !== 'space');
    if (filter && types) return search(typedInto(query, event));
    const match = keys.match(event, ['settings', 'list']);
    if (match === 'pending') return true;
    if (match && act(match.action)) return true;
    return filter && search(typedInto(query, event));
  }

  return {
    render: (width) => (open ? open.render(width) : render(width)),
    handleInput,
    get focused() {
      return focused;
    },
    set focused(value) {
      if (value !== focused && filter) forget();
      focused = value;
    },
    get current() {
      return current()?.id;
    },
    setValue: change,
  };
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
