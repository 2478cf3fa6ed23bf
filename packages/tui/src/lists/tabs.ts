/** Pages with a line of titles above. What the page does not use of the keyboard goes from one page to the next. */
import { rememberParts } from '../boxes/remember.ts';
import type { Component, Focusable } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import { printableLine } from '../text/ansi.ts';
import { cut } from '../text/cut.ts';
import { widthOf } from '../text/width.ts';
import type { Theme } from '../theme/theme.ts';

export interface Tab {
  title: string;
  child: Component;
}

export interface TabsOptions {
  theme: Theme;
  keys: KeyMatcher;
  tabs: readonly Tab[];
  selected?: number;
  onChange?(index: number): void;
}

export interface Tabs extends Focusable {
  readonly selected: number;
  select(index: number): void;
}

export function createTabs({ theme, keys, tabs, selected: first = 0, onChange }: TabsOptions): Tabs {
  let selected = within(first);
  let focused = false;
  const { render, forget } = rememberParts(
    (width) => [tabs[selected]?.child.render(width) ?? []],
    ([lines = []], width) => (width < 1 ? [] : [titleLine(width), theme.paint('border', '─'.repeat(width)), ...lines]),
  );

  function within(index: number): number {
    return tabs.length === 0 ? 0 : ((index % tabs.length) + tabs.length) % tabs.length;
  }

  function select(index: number): void {
    const next = within(index);
    if (next === selected) return;
    setFocus(false);
    selected = next;
    setFocus(focused);
    forget();
    onChange?.(selected);
  }

  function setFocus(value: boolean): void {
    const child = tabs[selected]?.child;
    if (child && 'focused' in child) child.focused = value;
  }

  /** As many titles around the chosen one as there is room for, with arrows where there are more. */
  function titleLine(width: number): string {
    const titles = tabs.map(({ title }, index) => {
      const text = cut(printableLine(title), Math.max(1, width - 4));
      return index === selected ? `[${text}]` : ` ${text} `;
    });
    let from = selected;
    let to = selected + 1;
    let used = widthOf(titles[selected] ?? '');
    for (let grew = true; grew; ) {
      grew = false;
      for (const side of [to, from - 1]) {
        const title = titles[side];
        if (title === undefined || used + widthOf(title) > width - 2) continue;
        used += widthOf(title);
        if (side === to) to += 1;
        else from -= 1;
        grew = true;
      }
    }
    const shown = titles
      .slice(from, to)
      .map((title, index) => theme.paint(from + index === selected ? 'accent' : 'muted', title));
    return cut(`${from > 0 ? '‹' : ''}${shown.join('')}${to < titles.length ? '›' : ''}`, width);
  }

  function handleInput(event: InputEvent): boolean {
    if (tabs[selected]?.child.handleInput?.(event)) return true;
    const match = keys.match(event, 'tabs');
    if (match === 'pending' || match === undefined) return match === 'pending';
    if (match.action === 'tui.tabs.next') select(selected + 1);
    else if (match.action === 'tui.tabs.previous') select(selected - 1);
    else return false;
    return true;
  }

  return {
    render,
    handleInput,
    get focused() {
      return focused;
    },
    set focused(value) {
      focused = value;
      setFocus(value);
    },
    get selected() {
      return selected;
    },
    select,
  };
}
