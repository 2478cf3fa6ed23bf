/** Which number or letter in a sequence is which key: VT, xterm, rxvt, the Linux console and the Kitty protocol. */

/** `CSI n ~` */
export const tildeKeys: Record<number, string> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  ...numbered([11, 12, 13, 14, 15], 1),
  ...numbered([17, 18, 19, 20, 21], 6),
  ...numbered([23, 24, 25, 26], 11),
  28: 'f15',
  29: 'f16',
  ...numbered([31, 32, 33, 34], 17),
  ...numbered([42, 43, 44, 45], 21),
  57427: 'begin',
};

/** `CSI A`, `CSI 1;5A`, `SS3 A` */
export const letterKeys: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** The keypad in application mode, after SS3. */
export const keypadKeys: Record<string, string> = {
  M: 'enter',
  I: 'tab',
  ' ': ' ',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
};

/** rxvt's arrows with a modifier: `CSI a` is Shift, `SS3 a` is Ctrl. */
export const rxvtArrows: Record<string, string> = { a: 'up', b: 'down', c: 'right', d: 'left' };

/** `CSI [ A` of the Linux console. */
export const consoleKeys: Record<string, string> = { A: 'f1', B: 'f2', C: 'f3', D: 'f4', E: 'f5' };

/** `CSI n u` of the Kitty protocol where n is no character. */
export const kittyKeys: Record<number, string> = {
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  57344: 'escape',
  57345: 'enter',
  57346: 'tab',
  57347: 'backspace',
  57348: 'insert',
  57349: 'delete',
  57350: 'left',
  57351: 'right',
  57352: 'up',
  57353: 'down',
  57354: 'pageup',
  57355: 'pagedown',
  57356: 'home',
  57357: 'end',
  57358: 'capslock',
  57359: 'scrolllock',
  57360: 'numlock',
  57361: 'printscreen',
  57362: 'pause',
  57363: 'menu',
  ...numbered(
    Array.from({ length: 35 }, (_, index) => 57364 + index),
    1,
  ),
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
  57427: 'begin',
};

/** The Kitty protocol's keypad keys that type something. */
export const kittyKeypad: Record<number, string> = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [57399 + digit, String(digit)])),
  57409: '.',
  57410: '/',
  57411: '*',
  57412: '-',
  57413: '+',
  57415: '=',
  57416: ',',
};

function numbered(codes: readonly number[], first: number): Record<number, string> {
  return Object.fromEntries(codes.map((code, index) => [code, `f${first + index}`]));
}
