/** Keys for components in tests, through the real decoder and the default keys. */
import type { Component } from '../src/component.ts';
import { createDecoder } from '../src/input/decoder.ts';
import { defaultActions } from '../src/keys/defaults.ts';
import { createKeymap, type Keymap } from '../src/keys/keymap.ts';

export function defaultKeys(): Keymap {
  return createKeymap({ actions: defaultActions });
}

export const bytes = {
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  enter: '\r',
  escape: '\u001b',
  backspace: '\u007f',
  tab: '\t',
  shiftTab: '\u001b[Z',
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 0x1f),
} as const;

/** True for each event that the component made use of. */
export function press(component: Pick<Component, 'handleInput'>, ...keys: readonly string[]): boolean[] {
  const used: boolean[] = [];
  const decoder = createDecoder({ onEvent: (event) => used.push(component.handleInput?.(event) ?? false) });
  for (const key of keys) {
    decoder.feed(key);
    decoder.flush();
  }
  return used;
}
