/** The keys in force as rows for a help screen, grouped as the actions are. */
import type { Action } from './action.ts';
import { printKey } from './print.ts';

export interface HelpRow {
  context: string;
  action: string;
  /** For people: `↑`, `Ctrl+P`. Empty when nothing does it. */
  keys: readonly string[];
  description: string;
}

/** In the order of the actions; only those of the contexts, if some are named. */
export function helpRows(
  keymap: { actions: readonly Action[]; keysFor(action: string): readonly string[] },
  contexts?: readonly string[],
): HelpRow[] {
  return keymap.actions
    .filter(({ context }) => contexts === undefined || contexts.includes(context))
    .map(({ name, context, description }) => ({
      context,
      action: name,
      keys: keymap.keysFor(name).map(printKey),
      description,
    }));
}
