/** A line for a key: what is typed is not seen, and it goes nowhere but to whoever asked. */
import { createInput, type KeyMatcher, printableLine, type Theme, wrap } from '@tau/tui';
import type { Panel, Panels } from './panel.ts';

export interface SecretOptions {
  theme: Theme;
  keys: KeyMatcher;
  label: string;
  /** What is wrong with the last one. */
  problem(): string | undefined;
  onSecret(text: string): void;
  onCancel(): void;
}

export function createSecret({ theme, keys, label, problem, onSecret, onCancel }: SecretOptions): Panel {
  const input = createInput({ theme, keys, prompt: '> ', mask: '•', onSubmit: onSecret });
  return {
    get focused() {
      return input.focused;
    },
    set focused(on) {
      input.focused = on;
    },
    handleInput(event) {
      if (event.type === 'key' && event.kind !== 'release' && (event.key === 'escape' || event.key === 'ctrl+c')) {
        onCancel();
        return true;
      }
      return input.handleInput(event);
    },
    render(width) {
      const wrong = problem();
      return [
        theme.paint('borderAccent', '─'.repeat(Math.max(0, width))),
        ...wrap(theme.paint('title', printableLine(label)), width),
        ...input.render(width),
        ...(wrong === undefined ? [] : wrap(theme.paint('error', printableLine(wrong)), width)),
        ...wrap(theme.paint('keyHint', 'paste it here; it is not shown · enter keeps it · esc goes back'), width),
      ];
    },
  };
}

/** Undefined when nobody wants to say it. */
export function askSecret(
  options: Pick<SecretOptions, 'theme' | 'keys' | 'label'> & { panels: Panels },
): Promise<string | undefined> {
  const { panels, ...look } = options;
  return new Promise((resolve) => {
    const end = (text: string | undefined) => {
      panels.close(panel);
      resolve(text);
    };
    const panel = createSecret({ ...look, problem: () => undefined, onSecret: end, onCancel: () => end(undefined) });
    panels.open(panel);
  });
}
