/** A screen on a virtual terminal that checks every write, and a live region that a test sets. */
import { type Component, cursorMarker } from '../../src/component.ts';
import type { ScreenCapabilities } from '../../src/screen/canvas.ts';
import { createScreen, type Screen, type ScreenOptions } from '../../src/screen/screen.ts';
import { createVirtualTerminal, type VirtualOptions, type VirtualTerminal } from '../terminal/virtual.ts';

export interface Stage {
  terminal: VirtualTerminal;
  screen: Screen;
  /** Sets the live region and draws. `|` is the cursor. */
  show(...lines: string[]): void;
  /** Bytes written since the last call. */
  bytes(): string;
}

export function createStage(
  options: VirtualOptions & Partial<ScreenCapabilities> & Pick<ScreenOptions, 'overflow'> = {},
): Stage {
  const terminal = createVirtualTerminal(options);
  const live = liveLines();
  const { synchronizedOutput = true, reflow = 'xtermjs', hasAlternate = true, overflow } = options;
  // Mostly all is there at once.
  const { latencyMs = 0, doubtMs = 0, calmMs = doubtMs } = options;
  const screen = createScreen({
    terminal,
    root: live.component,
    capabilities: () => ({
      ...{ synchronizedOutput, reflow, alternateScreen: hasAlternate },
      ...{ latencyMs, doubtMs, calmMs },
    }),
    ...(overflow && { overflow }),
  });
  terminal.watch(screen);
  terminal.start({
    onInput: () => undefined,
    onResize: screen.resized,
    onSuspend: screen.pause,
    onResume: screen.resume,
    onStop: screen.leave,
  });
  let seen = 0;
  return {
    terminal,
    screen,
    show(...lines) {
      live.set(lines);
      screen.draw();
    },
    bytes() {
      const fresh = terminal.writes.slice(seen).join('');
      seen = terminal.writes.length;
      return fresh;
    },
  };
}

function liveLines(first: readonly string[] = []): {
  component: Component;
  set(lines: readonly string[]): void;
} {
  let lines = first;
  return {
    component: { render: () => lines },
    set(next) {
      lines = next.map((line) => line.replace('|', cursorMarker));
    },
  };
}
