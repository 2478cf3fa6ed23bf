/** What takes the editor's place for a while: a question, a list to choose from. One at a time, the others wait. */
import type { Component, Focusable } from '@tau/tui';

export type Panel = Focusable;

export interface Panels {
  /** The one that is open. */
  readonly current: Panel | undefined;
  readonly waiting: number;
  /** Questions, open or waiting: somebody waits for their answer. */
  readonly asks: number;
  /** Those that nobody sees, because something else is open that asks nothing. */
  readonly unseen: number;
  open(panel: Panel, options?: { isAsk?: boolean }): void;
  close(panel: Panel): void;
  /** Another in its place. */
  replace(panel: Panel, by: Panel): void;
  /** The next of those that wait, or the last of them; the one that was open waits behind it. */
  turn(step: 1 | -1): void;
}

export function createPanels(onChange: (focused: Component | undefined) => void): Panels {
  let open: readonly Panel[] = [];
  const asking = new WeakSet<Panel>();
  const asks = () => open.filter((one) => asking.has(one)).length;
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
    get asks() {
      return asks();
    },
    get unseen() {
      return open[0] && !asking.has(open[0]) ? asks() : 0;
    },
    open(panel, { isAsk = false } = {}) {
      if (isAsk) asking.add(panel);
      change([...open, panel]);
    },
    close: (panel) => change(open.filter((one) => one !== panel)),
    turn: (step) => change([...open.slice(step), ...open.slice(0, step)]),
    replace(panel, by) {
      if (asking.has(panel)) asking.add(by);
      change(open.map((one) => (one === panel ? by : one)));
    },
  };
}
