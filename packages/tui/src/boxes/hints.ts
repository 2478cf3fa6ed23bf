/** One line that says which keys do what, as they are bound now. */
import type { Component } from '../component.ts';
import { printKey } from '../keys/print.ts';
import { printableLine } from '../text/ansi.ts';
import { widthOf } from '../text/width.ts';
import type { Theme } from '../theme/theme.ts';
import { remember } from './remember.ts';

export interface Hint {
  /** An action, or several that go together: up and down. */
  action: string | readonly string[];
  label: string;
}

/** The first come first: what there is no room for is left out from the end, as a whole. */
export function createHints(options: {
  theme: Theme;
  keys: { keysFor(action: string): readonly string[] };
  hints: readonly Hint[];
}): Component {
  const { theme, keys, hints } = options;
  const { render } = remember((width) => {
    let line = '';
    for (const { action, label } of hints) {
      const names = (typeof action === 'string' ? [action] : action).flatMap((name) => keys.keysFor(name).slice(0, 1));
      if (names.length === 0) continue;
      const hint = `${theme.paint('key', names.map(printKey).join('/'))} ${theme.paint('keyHint', printableLine(label))}`;
      const longer = line === '' ? hint : `${line}${theme.paint('keyHint', ' · ')}${hint}`;
      if (widthOf(longer) > width) break;
      line = longer;
    }
    return line === '' ? [] : [line];
  });
  return { render };
}
