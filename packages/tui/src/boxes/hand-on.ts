/** For a component around another one: what is typed goes to the inner one, and it knows whether it has the focus. */
import type { Component, Focusable } from '../component.ts';

export function handOn(render: Component['render'], child: Component): Component {
  const { handleInput } = child;
  if (!handleInput) return { render };
  const around = { render, handleInput: (event: Parameters<typeof handleInput>[0]) => handleInput.call(child, event) };
  if (!isFocusable(child)) return around;
  const focusable: Focusable = {
    ...around,
    get focused() {
      return child.focused;
    },
    set focused(value) {
      child.focused = value;
    },
  };
  return focusable;
}

function isFocusable(component: Component): component is Focusable {
  return 'focused' in component && component.handleInput !== undefined;
}
