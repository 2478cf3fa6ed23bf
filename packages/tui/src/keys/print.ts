/** Keys as a person reads them. */
import { keyParts, modifier } from './name.ts';

const labels: Record<string, string> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  escape: 'Esc',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  delete: 'Del',
  insert: 'Ins',
  printscreen: 'PrtSc',
  capslock: 'CapsLock',
  scrolllock: 'ScrollLock',
  numlock: 'NumLock',
};

const held = [
  ['ctrl', 'Ctrl'],
  ['alt', 'Alt'],
  ['shift', 'Shift'],
  ['super', 'Super'],
  ['hyper', 'Hyper'],
  ['meta', 'Meta'],
] as const;

/** `ctrl+shift+p` gives `Ctrl+Shift+P`; a chord `ctrl+x ctrl+s` gives `Ctrl+X Ctrl+S`. */
export function printKey(chord: string): string {
  return chord
    .split(' ')
    .map((key) => {
      const parts = keyParts(key);
      if (!parts) return key;
      const modifiers = held.filter(([name]) => parts.modifiers & modifier[name]).map(([, label]) => label);
      return [...modifiers, labelOf(parts.base, parts.modifiers)].join('+');
    })
    .join(' ');
}

function labelOf(base: string, modifiers: number): string {
  const label = labels[base];
  if (label !== undefined) return label;
  if (base.length > 1) return base.charAt(0).toUpperCase() + base.slice(1);
  // A letter by itself is what is typed, `g` and not `G`.
  return modifiers === 0 ? base : base.toUpperCase();
}
