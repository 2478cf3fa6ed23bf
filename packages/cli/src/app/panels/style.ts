/** The few colours of lines that other modes print too, by the theme of the screen. */
import type { Theme } from '@tau/tui';
import type { Style } from '../../render/style.ts';

export function styleOf(theme: Theme): Style {
  return {
    bold: (text) => theme.paint('title', text),
    dim: (text) => theme.paint('muted', text),
    red: (text) => theme.paint('askDanger', text),
    green: (text) => theme.paint('success', text),
    cyan: (text) => theme.paint('accent', text),
  };
}
