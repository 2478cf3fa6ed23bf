/** What takes the editor's place for a while: a question, a list to choose from. One at a time, the others wait. */
import type { Component, Focusable } from '@tau/tui';

export type Panel = Focusable;

export interface Panels {
  /** The one that is open. */
  readonly current: Panel | undefined;
  readonly waiting: number;
  open(panel: Panel): void;
  close(panel: Panel): void;
  /** Another in its place. */
  replace(panel: Panel, by: Panel): void;
  /** The next of those that wait, or the last of them; the one that was open waits behind it. */
  turn(step: 1 | -1): void;
}

export function createPanels(onChange: (focused: Component | undefined) => void): Panels {
  let open: readonly Panel[] = [];
  const change = (next: readonly Panel[]) => {
    const [before] = open;
    open = next;
    if (open[0] !== before) onChange(open[0]);
  };
  return {
    get current() {
      return open[0];
    },
    get waiting() {
      return Math.max(0, open.length - 1);
    },
    open: (panel) => change([...open, panel]),
    close: (panel) => change(open.filter((one) => one !== panel)),
    turn: (step) => change([...open.slice(step), ...open.slice(0, step)]),
    replace: (panel, by) => change(open.map((one) => (one === panel ? by : one))),
  };
}
