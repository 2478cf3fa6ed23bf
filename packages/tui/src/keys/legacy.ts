/** Which keys a terminal can tell apart without the Kitty protocol. */
import { keyParts, modifier } from './name.ts';

const sameAs: Record<string, string> = {
  'ctrl+i': 'Tab',
  'ctrl+m': 'Enter',
  'ctrl+[': 'Escape',
  'ctrl+h': 'Backspace',
  'ctrl+?': 'Backspace',
  'ctrl+/': 'Ctrl+_',
  'ctrl+@': 'Ctrl+Space',
};
const controlMarks = new Set(['\\', ']', '^', '_']);
/** Keys that are one byte: only ESC before them can be told. */
const plainKeys = new Set(['enter', 'tab', 'backspace', 'escape', 'space']);
const plainModified = new Set([
  'shift+tab',
  'ctrl+space',
  'ctrl+alt+space',
  'alt+enter',
  'alt+backspace',
  'alt+space',
  'alt+tab',
]);

/** Why an older terminal cannot send this key, or sends another for it. Undefined when it can. */
export function needsKitty(key: string): string | undefined {
  const parts = keyParts(key);
  if (!parts) return undefined;
  const { base, modifiers } = parts;
  const same = sameAs[key];
  if (same !== undefined) return `most terminals send the same for it as for ${same}`;
  if (modifiers >= modifier.super) return 'most terminals do not send it';
  if (plainKeys.has(base)) {
    return modifiers === 0 || plainModified.has(key) ? undefined : `most terminals send the same for it as for ${base}`;
  }
  if (base.length > 1 || (modifiers & modifier.ctrl) === 0) return undefined;
  const letter = /^[a-z]$/.test(base);
  if (letter && modifiers & modifier.shift) return 'most terminals do not tell Shift apart when Ctrl is held';
  return letter || controlMarks.has(base) ? undefined : 'most terminals do not send it';
}
