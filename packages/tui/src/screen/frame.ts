/** One frame, one write: shown by the terminal in one go where it can, with the cursor out of the way where it cannot. */
import type { Terminal } from '../terminal/terminal.ts';

export interface FrameWriter {
  /** Whether the cursor is seen, as far as we told the terminal. */
  readonly cursorVisible: boolean;
  write(out: string, cursorVisible: boolean): void;
}

/** A line wraps in no case, whatever the terminal thinks its width is. */
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h'];
const [frameBegin, frameEnd] = ['\u001b[?2026h', '\u001b[?2026l'];
const [hideCursor, showCursor] = ['\u001b[?25l', '\u001b[?25h'];

export function createFrameWriter(terminal: Terminal, synchronized: () => boolean): FrameWriter {
  let cursorVisible = true;
  return {
    get cursorVisible() {
      return cursorVisible;
    },
    write(out, visible) {
      const atOnce = synchronized();
      const hide = cursorVisible && (!visible || !atOnce) ? hideCursor : '';
      const show = visible && (!cursorVisible || hide !== '') ? showCursor : '';
      cursorVisible = visible;
      const frame = hide + wrapOff + out + wrapOn + show;
      terminal.write(atOnce ? frameBegin + frame + frameEnd : frame);
    },
  };
}
