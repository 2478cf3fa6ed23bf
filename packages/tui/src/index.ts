/** A terminal toolkit: screen, input, text, components. It knows nothing about agents. */
export { type Component, cursorMarker, type Focusable } from './component.ts';
export type { FocusEvent, InputEvent, KeyEvent, PasteEvent } from './input/event.ts';
export { type Role, roles, type Theme } from './theme/theme.ts';
