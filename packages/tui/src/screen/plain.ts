/**
 * A screen for terminals that cannot move their cursor, for output that is no terminal, and for people who have the screen
 * read to them: committed lines in reading order, each once, nothing drawn over and nothing animated.
 */
import type { Component } from '../component.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { stripAnsi } from '../text/ansi.ts';
import { createFocus } from './focus.ts';
import type { FullView } from './full.ts';
import { finalRows } from './line.ts';
import type { Opened, Screen } from './screen.ts';

export interface PlainScreenOptions {
  terminal: Terminal;
  root?: Component;
  /** Colours stay in. A dumb terminal gets none. */
  styled?: boolean;
}

export interface PlainScreen extends Screen {
  /** The live region as it is now, once, in lines. Says nothing when it would say the same again. */
  say(): void;
}

const blank: Component = { render: () => [] };
const shutNothing: Opened = { close: () => undefined };

export function createPlainScreen({ terminal, root: first = blank, styled = false }: PlainScreenOptions): PlainScreen {
  const focus = createFocus();
  const open: FullView[] = [];
  let root = first;
  let said = '';
  let left = false;

  function print(lines: readonly string[]): void {
    if (left || lines.length === 0) return;
    const shown = lines.map((line) => (styled ? line : stripAnsi(line)));
    terminal.write(shown.map((line) => `${line.trimEnd()}\r\n`).join(''));
  }

  /** Never wider than the terminal's own lines would be, so that readers and pagers see whole lines. */
  const live = () => root.render(Math.max(1, terminal.columns)).flatMap((line) => finalRows(line, terminal.columns));

  return {
    commit(lines) {
      // Long lines are left to the terminal, which knows how to wrap what it reads out.
      print(lines.flatMap((line) => finalRows(line, Number.POSITIVE_INFINITY)));
    },
    say() {
      const lines = live();
      const text = lines.join('\n');
      if (text === said) return;
      said = text;
      print(lines);
    },
    requestFrame: () => undefined,
    draw: () => undefined,
    setRoot(component) {
      root = component;
    },
    focus: (component) => focus.set(component),
    handleInput(event) {
      const view = open.at(-1);
      return view ? view.handleInput(event) : (focus.current?.handleInput?.(event) ?? false);
    },
    showOverlay(component, options = {}) {
      if (options.passive) return shutNothing;
      const taken = focus.take(component);
      print(component.render(Math.max(1, terminal.columns)));
      return { close: taken.release };
    },
    openFull(view) {
      open.push(view);
      print(view.render(Math.max(1, terminal.columns), Math.max(1, terminal.rows)));
      return {
        close() {
          const at = open.indexOf(view);
          if (at >= 0) open.splice(at, 1);
        },
      };
    },
    send: () => undefined,
    resized: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    leave() {
      left = true;
    },
    region: () => ({ lines: [], cursorRow: 0, cursorColumn: 0, cursorVisible: true }),
  };
}
