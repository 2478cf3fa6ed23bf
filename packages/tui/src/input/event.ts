/** What comes from the keyboard, once its bytes are understood. */
export type InputEvent = KeyEvent | PasteEvent | FocusEvent;

export interface KeyEvent {
  type: 'key';
  /**
   * Modifiers in the order ctrl, alt, shift, super, then the key: `a`, `ctrl+c`, `alt+enter`, `shift+tab`, `f1`, `up`,
   * `space`. A letter is lower case; an upper-case letter is `shift+a`.
   */
  key: string;
  /** What it types, if it types anything: the letter, the composed character, the whole of an input method's word. */
  text?: string;
  /** Only terminals with the Kitty protocol tell. */
  kind: 'press' | 'repeat' | 'release';
}

export interface PasteEvent {
  type: 'paste';
  text: string;
}

/** The terminal's window was entered or left. */
export interface FocusEvent {
  type: 'focus';
  focused: boolean;
}
