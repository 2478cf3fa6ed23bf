/** The settings at the screen: what each is, what counts now and from where. Only what is changed is written, for the user. */
import { type Config, describeError, describeSettings, type SettingFacts } from '@tau/agent';
import {
  type Component,
  createInput,
  createSettingsList,
  cut,
  type KeyMatcher,
  printableLine,
  printKey,
  type Setting,
  type Theme,
  wrap,
} from '@tau/tui';
import { valueText } from '../../config/lines.ts';
import type { Panel } from '../panels/panel.ts';

export interface SettingsOptions {
  theme: Theme;
  keys: KeyMatcher;
  config: Config;
  rows(): number;
  /** What a setting can be beside what its description says: the names of themes. */
  choices(key: string): readonly string[] | undefined;
  /** It was written and counts now; `value` is what counts. */
  onSet(key: string, value: unknown): void;
  onClose(): void;
  onChange(): void;
}

const unset = 'not set';
/** What stands for a secret where settings are shown. */
const hidden = '[secret]';
const maxRows = 14;

export async function createSettingsPanel(options: SettingsOptions): Promise<Panel> {
  const { theme, keys, config, onChange } = options;
  const loaded = await config.load();
  /** Which layers it is from. */
  const origins = new Map(loaded.list().map((one) => [one.key, one.origins.join(' and ')]));
  /** As it stands there. */
  const shown = new Map(loaded.list().map(({ key, value }) => [key, valueText(value)]));
  /** Those that hold no others first, then group by group. */
  const facts = describeSettings().sort((a, b) => Number(a.key.includes('.')) - Number(b.key.includes('.')));
  /** A value is being written: its keys are its own. */
  let typing = false;
  let said: { text: string; bad: boolean } | undefined;

  const list = createSettingsList({
    ...{ theme, keys, filter: true, onCancel: options.onClose },
    height: Math.max(3, Math.min(maxRows, options.rows() - 12)),
    settings: facts.map((fact) => settingOf(fact)),
    onChange: save,
  });

  function settingOf({ key, about, values, example }: SettingFacts): Setting {
    const choices = options.choices(key) ?? values;
    return {
      ...{ id: key, label: key, group: groupOf(key) },
      value: shown.get(key) ?? unset,
      description: `${about}${choices ? '' : `; for example ${valueText(example)}`}`,
      ...(choices ? { values: choices } : { submenu: (value, done) => inputFor(key, about, value, done) }),
    };
  }

  function inputFor(key: string, about: string, value: string, close: () => void): Component {
    typing = true;
    const done = () => {
      typing = false;
      close();
    };
    const input = createInput({
      ...{ theme, keys, prompt: `${key} = `, text: value === unset ? '' : value, placeholder: 'nothing takes it away' },
      validate: (text) => (text.trim() === '' ? undefined : problemOf(() => config.readValue(key, text.trim()))),
      onSubmit(text) {
        done();
        const typed = text.trim();
        if (typed === '') remove(key);
        else if (typed !== value) save(key, typed);
      },
    });
    input.focused = true;
    return {
      render: (width) => [...wrap(theme.paint('muted', printableLine(about)), width), ...input.render(width)],
      handleInput(event) {
        if (event.type !== 'key' || (event.key !== 'escape' && event.key !== 'ctrl+c')) return input.handleInput(event);
        done();
        return true;
      },
    };
  }

  function save(key: string, text: string): void {
    if (text.includes(hidden)) {
      said = { text: `A secret is hidden in it: change it in ${config.path('user')} itself`, bad: true };
      onChange();
      return;
    }
    void write(key, `${key} is written to`, () => config.save('user', key, config.readValue(key, text)));
  }

  function remove(key: string): void {
    void write(key, `${key} is no longer in`, () => config.remove('user', key));
  }

  /** Writes, then looks what counts: another layer may go before the user's. */
  async function write(
    key: string,
    done: string,
    change: () => Promise<{ path: string; changed: boolean }>,
  ): Promise<void> {
    try {
      const { path, changed } = await change();
      const next = await config.load();
      const value = next.get(key);
      if (value === undefined) shown.delete(key);
      else shown.set(key, valueText(value));
      const layers = next.list().find((one) => one.key === key)?.origins ?? [];
      origins.set(key, layers.join(' and '));
      const winner = (await next.explain(key)).findLast(({ not }) => not === undefined);
      const beaten = winner !== undefined && winner.origin !== 'user' && winner.origin !== 'default';
      said = beaten
        ? { text: `${path} is written, but ${winner.place ?? winner.origin} goes before it`, bad: true }
        : { text: changed ? `${done} ${path}` : `It was so already in ${path}`, bad: false };
      options.onSet(key, value);
    } catch (error) {
      said = { text: describeError(error), bad: true };
    }
    list.setValue(key, shown.get(key) ?? unset);
    onChange();
  }

  const hint = () => {
    const [key] = keys.keysFor('app.settings.reset');
    const from = origins.get(list.current ?? '') ?? '';
    return `${from === '' ? '' : `from: ${from} · `}Enter, ← and → change it${key === undefined ? '' : ` · ${printKey(key)} takes it out of your settings`} · Esc closes`;
  };

  return {
    get focused() {
      return list.focused;
    },
    set focused(on) {
      list.focused = on;
    },
    handleInput(event) {
      said = undefined;
      const found = keys.match(event, 'settingsScreen');
      if (typing || typeof found !== 'object' || list.current === undefined) return list.handleInput(event);
      remove(list.current);
      return true;
    },
    render(width) {
      const below =
        said === undefined
          ? [cut(theme.paint('muted', hint()), width)]
          : wrap(theme.paint(said.bad ? 'warning' : 'success', printableLine(said.text)), width);
      return [
        theme.paint('borderAccent', '─'.repeat(Math.max(0, width))),
        theme.paint('title', cut('Settings', width)),
        ...list.render(width),
        ...below,
      ];
    },
  };
}

function groupOf(key: string): string {
  const cut = key.indexOf('.');
  return cut < 0 ? 'general' : key.slice(0, cut);
}

function problemOf(deed: () => unknown): string | undefined {
  try {
    deed();
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}
