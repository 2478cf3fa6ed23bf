/** Who is typed to: a component, or what was opened over it last. What closes gives the focus back. */
import type { Component, Focusable } from '../component.ts';

export interface Focus {
  readonly current: Component | undefined;
  set(component: Component | undefined): void;
  /** Typing goes here until it is released, in whatever order. */
  take(component: Component): { release(): void };
}

export function createFocus(): Focus {
  let base: Component | undefined;
  const taken: { component: Component }[] = [];
  let shown: Component | undefined;

  const current = () => taken.at(-1)?.component ?? base;

  function settle(): void {
    const next = current();
    if (next === shown) return;
    if (shown && isFocusable(shown)) shown.focused = false;
    if (next && isFocusable(next)) next.focused = true;
    shown = next;
  }

  return {
    get current() {
      return current();
    },
    set(component) {
      base = component;
      settle();
    },
    take(component) {
      const entry = { component };
      taken.push(entry);
      settle();
      return {
        release() {
          const at = taken.indexOf(entry);
          if (at >= 0) taken.splice(at, 1);
          settle();
        },
      };
    },
  };
}

function isFocusable(component: Component): component is Focusable {
  return 'focused' in component;
}
