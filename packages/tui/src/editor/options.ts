/** What a program gives to an editor, and what it gets. */
import type { Focusable } from '../component.ts';
import type { KeyMatcher } from '../keys/keymap.ts';
import type { Theme } from '../theme/theme.ts';
import type { CompletionProvider } from './completion/provider.ts';
import type { Highlight } from './draw.ts';
import type { Look } from './frame.ts';
import type { History } from './history.ts';
import type { VimMode } from './vim/machine.ts';

export interface EditorOptions {
  theme: Theme;
  keys: KeyMatcher;
  look?: Partial<Look>;
  /** Rows of text seen at most; a function when it depends on the terminal's height. */
  maxRows?: number | (() => number);
  /** What was sent before; kept in memory unless given. */
  history?: History;
  provider?: CompletionProvider;
  vim?: boolean;
  /** Commands and mentions in their colours; each line that is seen is asked about. */
  highlight?: Highlight;
  /** Enter: the text, with what was pasted in full. The editor is empty by then. */
  onSubmit?(text: string): void;
  onChange?(): void;
  onCopy?(text: string): void;
  /** A paste before it is put in: another text for it, such as mentions of dropped files. Empty: it was taken care of. */
  onPaste?(text: string): string | undefined;
  /** Opens the text in another program and gives back what became of it; undefined: nothing. */
  onExternal?(text: string): Promise<string | undefined>;
  /** Vim's `:q`. */
  onQuit?(): void;
  /** Something is to be drawn that no key caused. */
  onUpdate?(): void;
  onError?(error: unknown): void;
}

export interface Editor extends Focusable {
  /** As it stands there, with markers for big pastes. */
  text(): string;
  /** As it would be sent. */
  expanded(): string;
  /** Replaces everything; undo brings it back. */
  setText(text: string): void;
  /** At the cursor, as one step. */
  insert(text: string): void;
  /** Empty, and nothing to undo. */
  clear(): void;
  setLook(look: Partial<Look>): void;
  /** Shows in grey how the text may go on; right arrow or Tab takes it, any change drops it. */
  suggest(text: string): void;
  setVim(on: boolean): void;
  /** Vim's mode; undefined without vim. */
  mode(): VimMode | undefined;
  /** What is open in it, by the context of its keys: they come before those of the program around it. */
  inner(): 'completion' | 'historySearch' | undefined;
  /** How many drafts were put aside. */
  stashed(): number;
}
