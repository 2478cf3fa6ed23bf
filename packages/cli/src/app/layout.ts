/** What is drawn below the scrollback, top to bottom: work that goes on, what waits, the editor or a question, the footer. */
import { type Component, cut, printableLine, type Theme } from '@tau/tui';
import type { Transcript } from './transcript.ts';

export interface LayoutParts {
  transcript: Transcript;
  /** Lines the terminal has. */
  rows(): number;
  queue(): readonly string[];
  /** What tau does at this moment; undefined while it waits for the user. */
  working(): Component | undefined;
  /** The editor, or what takes its place: it should do with so many rows. */
  input(rows: number): Component;
  footer: Component;
  theme: Theme;
}

const maxQueued = 5;

export function createLayout(parts: LayoutParts): Component {
  const { transcript, theme, footer } = parts;
  return {
    render(width) {
      const before = [...(parts.working()?.render(width) ?? []), ...queueLines(parts.queue(), theme, width)];
      const after = footer.render(width);
      const left = parts.rows() - 2 - before.length - after.length;
      const input = parts.input(Math.max(1, left)).render(width);
      // A question must be seen from its top: in a terminal of a few lines the footer gives way to it.
      if (input.length > left) return [...before, ...parts.input(Math.max(1, left + after.length + 1)).render(width)];
      const below = [...before, ...input, ...after];
      const room = parts.rows() - 2 - below.length;
      const above = room > 0 ? transcript.live(width, room) : [];
      return [...above, '', ...below];
    },
  };
}

function queueLines(texts: readonly string[], theme: Theme, width: number): string[] {
  const shown = texts.slice(0, maxQueued).map((text) => `◷ ${printableLine(text)}`);
  const more = texts.length - shown.length;
  const hint = texts.length > 0 ? ['  alt+up takes it back'] : [];
  return [...shown, ...(more > 0 ? [`◷ and ${more} more`] : []), ...hint].map((line) =>
    cut(theme.paint('queuedText', line), width),
  );
}
