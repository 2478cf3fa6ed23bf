/** A window on a page that may be longer than the screen. The page has the keys first; what it leaves scrolls. */
import { type Component, cursorMarker, type Focusable } from '../src/component.ts';
import type { KeyMatcher } from '../src/keys/keymap.ts';
import { stripAnsi } from '../src/text/ansi.ts';
import { cut } from '../src/text/cut.ts';
import type { Theme } from '../src/theme/theme.ts';

export function scrolled(child: Component, options: { theme: Theme; keys: KeyMatcher; height(): number }): Focusable {
  const { theme, keys, height } = options;
  let top = 0;
  /** The page made use of a key: what it chose, or where it is typed into, has to be seen. */
  let follows = false;
  let known: { lines: readonly string[]; top: number; height: number; shown: readonly string[] } | undefined;
  return {
    render(width) {
      const lines = child.render(width);
      const room = Math.max(1, height());
      if (lines.length <= room) return lines;
      const at = follows ? activeLine(lines) : -1;
      if (at >= 0) top = Math.min(Math.max(top, at - room + 2), at);
      follows = false;
      top = Math.max(0, Math.min(top, lines.length - room + 1));
      if (known?.lines !== lines || known.top !== top || known.height !== room) {
        const below = lines.length - top - (room - 1);
        const note = below > 0 ? `↓ ${below} more lines` : '↑';
        known = {
          lines,
          top,
          height: room,
          shown: [...lines.slice(top, top + room - 1), theme.paint('muted', cut(note, width))],
        };
      }
      return known.shown;
    },
    handleInput(event) {
      if (child.handleInput?.(event)) {
        follows = true;
        return true;
      }
      const match = keys.match(event, 'list');
      if (match === undefined || match === 'pending') return match === 'pending';
      const steps: Record<string, number> = {
        'tui.list.up': -1,
        'tui.list.down': 1,
        'tui.list.pageUp': 1 - height(),
        'tui.list.pageDown': height() - 1,
      };
      const by = steps[match.action];
      if (by === undefined) return false;
      top = Math.max(0, top + by);
      return true;
    },
    get focused() {
      return 'focused' in child && child.focused === true;
    },
    set focused(value) {
      if ('focused' in child) child.focused = value;
    },
  };
}

/** The chosen row of a list, else the line with the cursor. */
function activeLine(lines: readonly string[]): number {
  const chosen = lines.findIndex((line) => stripAnsi(line).startsWith('› '));
  return chosen >= 0 ? chosen : lines.findIndex((line) => line.includes(cursorMarker));
}
