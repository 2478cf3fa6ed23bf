/** A line for an answer in words: why not, what to change, what none of the options says. */
import { createEditor, type Focusable, type KeyMatcher, printable, type Theme, wrap } from '@tau/tui';
import type { Panel } from './panel.ts';

export interface WordsOptions {
  theme: Theme;
  keys: KeyMatcher;
  label: string;
  /** What the words are about. */
  about?(width: number): readonly string[];
  onWords(text: string): void;
  onCancel(): void;
}

/** Of a long label, the beginning. */
const maxLabelRows = 4;

export function createWords({ theme, keys, label, about, onWords, onCancel }: WordsOptions): Panel {
  const editor = createWordsEditor(theme, keys, onWords);
  return {
    get focused() {
      return editor.focused;
    },
    set focused(on) {
      editor.focused = on;
    },
    handleInput(event) {
      if (event.type === 'key' && event.kind !== 'release' && (event.key === 'escape' || event.key === 'ctrl+c')) {
        onCancel();
        return true;
      }
      return editor.handleInput(event);
    },
    render: (width) => [
      ...wrap(theme.paint('askTitle', printable(label)), width).slice(0, maxLabelRows),
      ...(about?.(width) ?? []),
      ...editor.render(width),
      theme.paint('keyHint', 'enter sends · esc goes back'.slice(0, width)),
    ],
  };
}

/** Enter gives the words, also when there are none. */
export function createWordsEditor(theme: Theme, keys: KeyMatcher, onWords: (text: string) => void): Focusable {
  const editor = createEditor({
    ...{ theme, keys, maxRows: 6, look: { prompt: '> ', borderRole: 'askBorder' } },
    onSubmit: (text) => onWords(text.trim()),
  });
  return {
    get focused() {
      return editor.focused;
    },
    set focused(on) {
      editor.focused = on;
    },
    render: editor.render,
    handleInput(event) {
      const isEmpty = editor.text().trim() === '' && event.type === 'key' && event.kind === 'press';
      if (!isEmpty || event.key !== 'enter') return editor.handleInput(event);
      onWords('');
      return true;
    },
  };
}
