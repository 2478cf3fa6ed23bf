/** What a page of the gallery is made with. */
import type { Highlighter } from '../src/code/highlighter.ts';
import type { Component } from '../src/component.ts';
import type { Keymap } from '../src/keys/keymap.ts';
import type { Parser } from '../src/markdown/parser.ts';
import type { Capabilities } from '../src/terminal/capabilities.ts';
import type { Theme } from '../src/theme/theme.ts';

export interface Kit {
  theme: Theme;
  keys: Keymap;
  now(): number;
  capabilities(): Capabilities;
  highlighter: Highlighter;
  parser: Parser;
  redraw(): void;
  /** Says something at the foot of the screen for a while. */
  say(text: string): void;
  /** The name of the key that was pressed last. */
  lastKey(): string;
}

export interface Page {
  title: string;
  /** How often it looks different by itself. */
  everyMs?: number;
  make(kit: Kit): Component;
}
