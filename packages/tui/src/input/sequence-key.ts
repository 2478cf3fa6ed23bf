/** The key that an escape sequence means, in every dialect that terminals speak. */
import { allModifiers, keyName, modifier } from '../keys/name.ts';
import { press } from './characters.ts';
import { consoleKeys, keypadKeys, kittyKeypad, kittyKeys, letterKeys, rxvtArrows, tildeKeys } from './codes.ts';
import type { KeyEvent } from './event.ts';
import type { Sequence } from './scan.ts';

/** Undefined when it is no key that we know: the sequence is swallowed then. `alt` when ESC came before it. */
export function sequenceKey(sequence: Sequence, alt = false): KeyEvent | undefined {
  const held = alt ? modifier.alt : 0;
  switch (sequence.kind) {
    case 'csi':
      return sequence.prefix === '' && sequence.intermediates === ''
        ? csiKey(sequence.params, sequence.final, held)
        : undefined;
    case 'console':
      return named(consoleKeys[sequence.final], held);
    case 'ss3':
      return ss3Key(sequence.params, sequence.final, held);
    case 'string':
    case 'alt':
    case 'noise':
      return undefined;
  }
}

/** True for the older forms, where a modifier may be told by an ESC in front. */
export function takesAltPrefix(sequence: Sequence): boolean {
  return sequence.kind !== 'csi' || (sequence.final !== 'u' && !sequence.params.includes(':'));
}

function ss3Key(params: string, final: string, held: number): KeyEvent | undefined {
  const arrow = rxvtArrows[final];
  if (arrow !== undefined) return named(arrow, held | modifier.ctrl);
  // Some terminals put the modifier between SS3 and the letter.
  const modifiers = held | modifiersOf(params === '' ? undefined : Number(params));
  const typed = keypadKeys[final];
  if (typed !== undefined) return typed.length === 1 ? typing(typed, modifiers, 'press') : named(typed, modifiers);
  return named(letterKeys[final], modifiers);
}

function csiKey(params: string, final: string, held: number): KeyEvent | undefined {
  const fields = params.split(';').map((field) => field.split(':').map((part) => (part === '' ? undefined : +part)));
  const code = fields[0]?.[0];
  const modifiers = held | modifiersOf(fields[1]?.[0]);
  const kind = kindOf(fields[1]?.[1]);
  switch (final) {
    case 'u':
      return code === undefined ? undefined : kittyKey(code, fields, modifiers, kind);
    case '~':
      // modifyOtherKeys of xterm: `CSI 27 ; modifiers ; character ~`.
      if (code === 27 && fields[2]?.[0] !== undefined) return kittyKey(fields[2][0], [], modifiers, 'press');
      return named(tildeKeys[code ?? -1], modifiers, kind);
    case '$':
      return named(tildeKeys[code ?? -1], modifiers | modifier.shift);
    case '^':
      return named(tildeKeys[code ?? -1], modifiers | modifier.ctrl);
    case '@':
      return named(tildeKeys[code ?? -1], modifiers | modifier.ctrl | modifier.shift);
    case 'Z':
      return named('tab', modifiers | modifier.shift, kind);
    case 'a':
    case 'b':
    case 'c':
    case 'd':
      return params === '' ? named(rxvtArrows[final], modifiers | modifier.shift) : undefined;
    default:
      return named(letterKeys[final], modifiers, kind);
  }
}

function kittyKey(
  code: number,
  fields: readonly (readonly (number | undefined)[])[],
  modifiers: number,
  kind: KeyEvent['kind'],
): KeyEvent | undefined {
  const known = kittyKeys[code];
  if (known !== undefined) return named(known, modifiers, kind);
  const keypad = kittyKeypad[code];
  if (keypad !== undefined) return typing(keypad, modifiers, kind);
  const character = characterOf(code);
  if (character === undefined) return undefined;
  const typed = (fields[2] ?? []).map(characterOf).join('');
  const withShift = characterOf(fields[0]?.[1]);
  const onLatin = characterOf(fields[0]?.[2]);
  const shortcut = (modifiers & allModifiers & ~modifier.shift) !== 0;
  // On a keyboard with another alphabet a shortcut goes by the place of the key: Ctrl with the key of `c` is Ctrl+C.
  if (shortcut && code > 0x7f && onLatin !== undefined && onLatin <= '\u007f') {
    return { type: 'key', key: keyName(onLatin, modifiers), kind };
  }
  const shift = (modifiers & modifier.shift) !== 0 && withShift !== undefined;
  return typing(shift ? withShift : character, modifiers, kind, typed);
}

/** A key with a character: it types it unless Ctrl or the like is held or it was let go. */
function typing(character: string, modifiers: number, kind: KeyEvent['kind'], typed = ''): KeyEvent {
  const key = keyName(character, modifiers);
  if ((modifiers & allModifiers & ~modifier.shift) !== 0 || kind === 'release') return { type: 'key', key, kind };
  const shifted = key.startsWith('shift+') ? character.toUpperCase() : key === 'space' ? ' ' : key;
  return { type: 'key', key, text: typed || shifted, kind };
}

function named(key: string | undefined, modifiers: number, kind: KeyEvent['kind'] = 'press'): KeyEvent | undefined {
  if (key === undefined) return undefined;
  const name = keyName(key, modifiers);
  return kind === 'press' ? press(name) : { type: 'key', key: name, kind };
}

/** The number is one more than the bits; 0 and nothing mean none. */
function modifiersOf(field: number | undefined): number {
  return field === undefined || field < 1 ? 0 : (field - 1) & allModifiers;
}

function kindOf(field: number | undefined): KeyEvent['kind'] {
  return field === 2 ? 'repeat' : field === 3 ? 'release' : 'press';
}

/** Undefined for what types nothing: controls, surrogates, the private area where the protocol keeps its other keys. */
function characterOf(code: number | undefined): string | undefined {
  if (code === undefined || code < 0x20 || (code >= 0x7f && code < 0xa0) || code > 0x10ffff) return undefined;
  if ((code >= 0xd800 && code <= 0xdfff) || (code >= 0xe000 && code <= 0xf8ff)) return undefined;
  return String.fromCodePoint(code);
}
