/** What the screen draws: anything that can say itself in lines of a given width. */
import type { InputEvent } from './input/event.ts';

export interface Component {
  /**
   * Lines of at most `width` cells, each complete in itself: text, SGR sequences and OSC 8 links, closed at its end.
   * The same array as before means that nothing changed.
   */
  render(width: number): readonly string[];
  /** What was typed or pasted while it has the focus. True when it made use of it. */
  handleInput?(event: InputEvent): boolean;
}

/** A component that shows whether typing goes to it. The screen sets it. */
export interface Focusable extends Component {
  focused: boolean;
  handleInput(event: InputEvent): boolean;
}

/**
 * Stands in a line where the cursor is: the screen takes it out and puts the terminal's own cursor there, so that input
 * methods open at the right place. No terminal shows it.
 */
export const cursorMarker = '\u001b_tau:cursor\u0007';
