/** Single characters as terminals send them without any protocol: letters, and the control codes that are keys. */
import { keyName, modifier } from '../keys/name.ts';
import type { KeyEvent } from './event.ts';

const controlKeys: Record<number, string> = { 8: 'backspace', 9: 'tab', 13: 'enter', 27: 'escape', 127: 'backspace' };

/** The key that sends this character; with `alt` when ESC came before it. Undefined for what no key sends. */
export function characterKey(character: string, alt = false): KeyEvent | undefined {
  const code = character.codePointAt(0) ?? 0;
  const held = alt ? modifier.alt : 0;
  const control = controlKeys[code];
  if (control !== undefined) return press(keyName(control, held));
  if (code < 0x20) {
    const key = code === 0 ? 'space' : String.fromCharCode(code + 0x40).toLowerCase();
    return press(keyName(key, held | modifier.ctrl));
  }
  if (code >= 0x80 && code <= 0x9f) return undefined;
  const text = code >= 0xd800 && code <= 0xdfff ? '\ufffd' : character;
  const key = keyName(text, held);
  return alt ? press(key) : { type: 'key', key, text, kind: 'press' };
}

export function press(key: string): KeyEvent {
  return { type: 'key', key, kind: 'press' };
}
