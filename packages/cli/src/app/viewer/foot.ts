/** The last row under what fills the screen: which keys do what there. Nobody should have to guess how it is closed. */
import { createHints, type FullView, type Hint, type KeyMatcher, type Theme } from '@tau/tui';

export const closesAndSearches: readonly Hint[] = [
  { action: 'tui.viewer.close', label: 'closes' },
  { action: 'tui.viewer.search', label: 'searches' },
];

export function withFoot(
  { handleInput, render }: FullView,
  { theme, keys, hints }: { theme: Theme; keys: KeyMatcher; hints: readonly Hint[] },
): FullView {
  const foot = createHints({ theme, keys, hints });
  let last: { body: readonly string[]; row: string; lines: readonly string[] } | undefined;
  return {
    handleInput,
    render(width, height) {
      if (height < 4) return render(width, height);
      const body = render(width, height - 1);
      const row = foot.render(width)[0] ?? '';
      if (last?.body !== body || last.row !== row) last = { body, row, lines: [...body, row] };
      return last.lines;
    },
  };
}
