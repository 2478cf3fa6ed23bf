/** What fills the whole screen for a while: help, a diff, the transcript. Keys go there and nowhere else until it is closed. */
import { createViewer, type FullView, type KeyMatcher, type Screen, type Theme, textSections } from '@tau/tui';

export interface Viewing {
  readonly isOpen: boolean;
  /** Lines that are harmless already, with the colours they were given. */
  lines(title: string, lines: readonly string[]): void;
  /** Any other view. It is given how to close itself. */
  show(make: (close: () => void) => FullView): void;
}

export function createViewing(options: { screen: Screen; theme: Theme; keys: KeyMatcher; onChange(): void }): Viewing {
  const { screen, theme, keys, onChange } = options;
  let open = 0;
  function show(make: (close: () => void) => FullView): void {
    open += 1;
    const full = screen.openFull(
      make(() => {
        open -= 1;
        full.close();
        onChange();
      }),
    );
  }
  return {
    get isOpen() {
      return open > 0;
    },
    lines(title, lines) {
      show((onClose) => createViewer({ theme, keys, title, sections: textSections(lines), onChange, onClose }));
    },
    show,
  };
}
