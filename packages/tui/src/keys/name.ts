/**
 * The names of keys: modifiers in one order, then the key. What the decoder says and what a user writes in a file are
 * brought to the same spelling here, so that a binding is found by comparing strings.
 */

/** The bits that terminals send, less one, in modified keys. */
export const modifier = { shift: 1, alt: 2, ctrl: 4, super: 8, hyper: 16, meta: 32 } as const;
/** Caps lock and num lock come in the same number and mean nothing to a binding. */
export const allModifiers = 63;

/** The order of writing them. */
const written = ['ctrl', 'alt', 'shift', 'super', 'hyper', 'meta'] as const;

const modifierAliases: Record<string, (typeof written)[number]> = {
  control: 'ctrl',
  option: 'alt',
  opt: 'alt',
  cmd: 'super',
  command: 'super',
  win: 'super',
};

const functionKeys = Array.from({ length: 35 }, (_, index) => `f${index + 1}`);

/** Keys that have a name instead of a character. */
export const namedKeys: readonly string[] = [
  ...['enter', 'tab', 'space', 'backspace', 'escape', 'insert', 'delete', 'home', 'end', 'pageup', 'pagedown'],
  ...['up', 'down', 'left', 'right', 'begin', 'menu', 'pause', 'printscreen', 'capslock', 'scrolllock', 'numlock'],
  ...functionKeys,
];
const namedKeySet = new Set(namedKeys);

const keyAliases: Record<string, string> = {
  esc: 'escape',
  return: 'enter',
  cr: 'enter',
  del: 'delete',
  ins: 'insert',
  bs: 'backspace',
  pgup: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
  page_up: 'pageup',
  page_down: 'pagedown',
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
  spacebar: 'space',
  plus: '+',
  minus: '-',
  comma: ',',
};

/** With Shift the character is another one, and terminals that cannot say which mean this keyboard. */
const shifted: Record<string, string> = {
  '`': '~',
  '1': '!',
  '2': '@',
  '3': '#',
  '4': '$',
  '5': '%',
  '6': '^',
  '7': '&',
  '8': '*',
  '9': '(',
  '0': ')',
  '-': '_',
  '=': '+',
  '[': '{',
  ']': '}',
  '\\': '|',
  ';': ':',
  "'": '"',
  ',': '<',
  '.': '>',
  '/': '?',
};

/** The name of a key (a named key or one character) held with these modifiers. */
export function keyName(key: string, modifiers = 0): string {
  let base = key === ' ' ? 'space' : key;
  let bits = modifiers & allModifiers;
  if (!namedKeySet.has(base)) {
    const lower = base.toLowerCase();
    if (lower !== base && [...lower].length === 1) {
      base = lower;
      bits |= modifier.shift;
    } else if (bits & modifier.shift && base.toUpperCase() === base) {
      // Shift is already in the character (or will be, by the usual keyboard): `?`, never `shift+/`.
      base = shifted[base] ?? base;
      bits &= ~modifier.shift;
    }
  }
  return bits === 0 ? base : `${prefixOf(bits)}${base}`;
}

function prefixOf(bits: number): string {
  return written
    .filter((name) => bits & modifier[name])
    .map((name) => `${name}+`)
    .join('');
}

export interface KeyParts {
  /** A named key or one character. */
  base: string;
  modifiers: number;
}

/** Takes a key's name apart, as a person may write it (`Control+Shift+P`, `esc`). Undefined when it names no key. */
export function keyParts(name: string): KeyParts | undefined {
  let rest = name.trim();
  if (rest === '' && name !== '') rest = ' ';
  let modifiers = 0;
  for (;;) {
    const plus = rest.indexOf('+', 1);
    if (plus < 0) break;
    const word = rest.slice(0, plus).toLowerCase();
    const which = written.find((known) => known === (modifierAliases[word] ?? word));
    // `ctrl++` is Ctrl with the plus key, `ctrl+` is nothing.
    if (which === undefined || plus === rest.length - 1) return undefined;
    modifiers |= modifier[which];
    rest = rest.slice(plus + 1);
  }
  const lower = rest.toLowerCase();
  const named = keyAliases[lower] ?? lower;
  if (namedKeySet.has(named)) return { base: named, modifiers };
  // People write Ctrl+P and mean the key; a capital by itself is what is typed.
  const typed = modifiers === 0 ? rest : lower;
  const base = [...rest].length === 1 ? typed : [...named].length === 1 ? named : undefined;
  return base === undefined || isControl(base) ? undefined : { base, modifiers };
}

/** Not a key that anyone can write down. Plain letters do without the expression, which costs when first used. */
function isControl(character: string): boolean {
  return !(character >= ' ' && character <= '~') && /\p{C}/u.test(character);
}

/** The one spelling of a key. `Shift+Ctrl+P` gives `ctrl+shift+p`, `G` gives `shift+g`, `shift+/` gives `?`. */
export function normalKey(name: string): string | undefined {
  const parts = keyParts(name);
  return parts && keyName(parts.base, parts.modifiers);
}

/** A key or a chord of keys (`ctrl+k ctrl+s`) as a list of normal names. */
export function normalChord(text: string): readonly string[] | undefined {
  const words = text.trim().split(/\s+/);
  const keys: string[] = [];
  for (const word of words) {
    const key = normalKey(word);
    if (key === undefined) return undefined;
    keys.push(key);
  }
  return keys;
}
