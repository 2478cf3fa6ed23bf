import fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsKitty } from '../../src/keys/legacy.ts';
import { keyParts, modifier, namedKeys, normalChord, normalKey } from '../../src/keys/name.ts';
import { printKey } from '../../src/keys/print.ts';

test.each([
  ['ctrl+shift+p', 'ctrl+shift+p', 'Ctrl+Shift+P'],
  ['Shift+Control+P', 'ctrl+shift+p', 'Ctrl+Shift+P'],
  ['Ctrl+P', 'ctrl+p', 'Ctrl+P'],
  ['cmd+k', 'super+k', 'Super+K'],
  ['option+Return', 'alt+enter', 'Alt+Enter'],
  ['esc', 'escape', 'Esc'],
  ['PgDn', 'pagedown', 'PgDn'],
  ['ctrl++', 'ctrl++', 'Ctrl++'],
  ['+', '+', '+'],
  ['ctrl+plus', 'ctrl++', 'Ctrl++'],
  ['G', 'shift+g', 'Shift+G'],
  ['g', 'g', 'g'],
  ['shift+/', '?', '?'],
  ['shift+?', '?', '?'],
  ['ctrl+shift+1', 'ctrl+!', 'Ctrl+!'],
  [' ', 'space', 'Space'],
  ['shift+space', 'shift+space', 'Shift+Space'],
  ['ctrl+k ctrl+s', 'ctrl+k ctrl+s', 'Ctrl+K Ctrl+S'],
  ['ctrl+é', 'ctrl+é', 'Ctrl+É'],
  ['F12', 'f12', 'F12'],
])('%j is one key in every spelling', (written, normal, printed) => {
  const spelled = written === ' ' ? [normalKey(written)] : normalChord(written);
  expect(spelled?.join(' ')).toBe(normal);
  expect(printKey(normal)).toBe(printed);
});

test('what names no key is refused', () => {
  for (const text of ['', 'ctrl+', 'foo', 'ctrl+foo', 'hyperspace+a', 'a+b', 'ab', '\u0001', 'ctrl+\u0007']) {
    expect(normalKey(text)).toBeUndefined();
  }
});

test('a normal name stays as it is, and is taken apart to what it was made of', () => {
  const base = fc.oneof(
    fc.constantFrom(...namedKeys),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }).filter((key) => key !== ' '),
  );
  const modifiers = fc.subarray(['ctrl', 'alt', 'shift', 'super']);
  fc.assert(
    fc.property(base, modifiers, (key, held) => {
      const normal = normalKey([...held, key].join('+'));
      expect(normal).toBeDefined();
      expect(normalKey(normal ?? '')).toBe(normal);
      const parts = keyParts(normal ?? '');
      for (const name of ['ctrl', 'alt', 'super'] as const) {
        expect(Boolean((parts?.modifiers ?? 0) & modifier[name])).toBe(held.includes(name));
      }
    }),
    { seed: 8, numRuns: 500 },
  );
});

test('keys that need the Kitty protocol are known, with the reason', () => {
  const need = [
    'ctrl+i',
    'ctrl+m',
    'ctrl+h',
    'ctrl+shift+p',
    'shift+enter',
    'ctrl+enter',
    'ctrl+1',
    'super+k',
    'ctrl+tab',
  ];
  const go = [
    'ctrl+p',
    'alt+enter',
    'shift+tab',
    'ctrl+space',
    'ctrl+left',
    'alt+shift+b',
    'f5',
    'ctrl+_',
    'ctrl+alt+a',
    'é',
  ];
  for (const key of need) expect(needsKitty(key), key).toMatch(/^most terminals/);
  for (const key of go) expect(needsKitty(key), key).toBeUndefined();
});
