/** What fills the whole screen for a while: help, a diff, the transcript. Keys go there and nowhere else until it is closed. */
import {
  createViewer,
  cut,
  type FullView,
  type KeyMatcher,
  type Screen,
  type Sections,
  type Theme,
  wrap,
} from '@tau/tui';
import { closesAndSearches, withFoot } from './viewer/foot.ts';

export interface Viewing {
  readonly isOpen: boolean;
  /** Lines that are harmless already, with the colours they were given. What of a row of a table does not fit goes on at `hang`. */
  lines(title: string, lines: readonly string[], options?: { hang?: number }): void;
  /** Any other view. It is given how to close itself. `isAsked`: it shows what is asked, so nothing is to be said of that. */
  show(make: (close: () => void) => FullView, options?: { isAsked?: boolean }): void;
}

export interface ViewingOptions {
  screen: Screen;
  theme: Theme;
  keys: KeyMatcher;
  onChange(): void;
  /** Something is asked behind what is open. */
  isAsking?(): boolean;
}

export function createViewing({ screen, theme, keys, onChange, isAsking = () => false }: ViewingOptions): Viewing {
  let open = 0;
  const show: Viewing['show'] = (make, { isAsked = false } = {}) => {
    open += 1;
    const view = make(() => {
      open -= 1;
      full.close();
      onChange();
    });
    const full = screen.openFull(isAsked ? view : announcing(view, theme, isAsking));
  };
  return {
    get isOpen() {
      return open > 0;
    },
    lines(title, lines, { hang = 0 } = {}) {
      const sections: Sections = {
        length: lines.length,
        section(at) {
          const line = lines[at] ?? '';
          return { lines: (width) => wrap(line, width, { hang: line.startsWith(' ') ? hang : 0 }) };
        },
      };
      show((onClose) => {
        const viewer = createViewer({ theme, keys, title, sections, onChange, onClose });
        return withFoot(viewer, { theme, keys, hints: closesAndSearches });
      });
    },
    show,
  };
}

/** Whoever looks at something else hears that an answer is waited for. */
export function announcing({ render, handleInput }: FullView, theme: Theme, isAsking: () => boolean): FullView {
  let last: { body: readonly string[]; width: number; lines: readonly string[] } | undefined;
  return {
    handleInput,
    render(width, height) {
      if (!isAsking() || height < 4) {
        last = undefined;
        return render(width, height);
      }
      const body = render(width, height - 1);
      const word = theme.paint('askTitle', 'tau waits for your answer: close this to give it');
      if (last?.body !== body || last.width !== width) last = { body, width, lines: [...body, cut(word, width)] };
      return last.lines;
    },
  };
}
