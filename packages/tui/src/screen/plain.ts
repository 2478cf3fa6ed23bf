/**
 * A screen for terminals that cannot move their cursor, for output that is no terminal, and for people who have the screen
 * read to them: lines in reading order, each once, nothing drawn over and nothing animated.
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
  /**
   * The live region as it is now, once, in lines, or what is open over it. Says nothing when it would say the same
   * again. It is said without being asked for when typing changed it and when something else has the focus.
   */
  say(): void;
}

const blank: Component = { render: () => [] };

export function createPlainScreen({ terminal, root: first = blank, styled = false }: PlainScreenOptions): PlainScreen {
  const focus = createFocus();
  /** What was opened over the root, the last on top. */
  const open: { render(): readonly string[]; view?: FullView }[] = [];
  let root = first;
  let said = '';
  let left = false;
  let waiting: NodeJS.Immediate | undefined;
  const columns = () => Math.max(1, terminal.columns);

  function print(lines: readonly string[]): void {
    if (left || lines.length === 0) return;
    const shown = lines.map((line) => (styled ? line : stripAnsi(line)));
    terminal.write(shown.map((line) => `${line.trimEnd()}\r\n`).join(''));
  }

  function say(): void {
    clearImmediate(waiting);
    waiting = undefined;
    const shown = open.at(-1)?.render() ?? root.render(columns());
    // Never wider than the terminal's own lines would be, so that readers and pagers see whole lines.
    const lines = shown.flatMap((line) => finalRows(line, columns()));
    const text = lines.join('\n');
    if (text === said) return;
    said = text;
    print(lines);
  }

  /** When what is going on now is done: a line that was typed is many keys, and is answered once. */
  function sayLater(): void {
    if (!left) waiting ??= setImmediate(say);
  }

  function opened(entry: (typeof open)[number], onClose?: () => void): Opened {
    open.push(entry);
    sayLater();
    return {
      close() {
        const at = open.indexOf(entry);
        if (at < 0) return;
        open.splice(at, 1);
        onClose?.();
        sayLater();
      },
    };
  }

  return {
    commit(lines) {
      // Long lines are left to the terminal, which knows how to wrap what it reads out.
      print(lines.flatMap((line) => finalRows(line, Number.POSITIVE_INFINITY)));
    },
    say,
    requestFrame(urgent) {
      // What answers a key is said; what moves by itself is not.
      if (urgent) sayLater();
    },
    draw() {
      if (waiting) say();
    },
    setRoot(component) {
      root = component;
      sayLater();
    },
    focus(component) {
      focus.set(component);
      sayLater();
    },
    handleInput(event) {
      const view = open.at(-1)?.view;
      const used = view ? view.handleInput(event) : (focus.current?.handleInput?.(event) ?? false);
      if (used) sayLater();
      return used;
    },
    showOverlay(component, options = {}) {
      const render = () => component.render(columns());
      if (!options.passive) return opened({ render }, focus.take(component).release);
      print(render().flatMap((line) => finalRows(line, columns())));
      return { close: () => undefined };
    },
    openFull: (view) => opened({ view, render: () => view.render(columns(), Math.max(1, terminal.rows)) }),
    send: () => undefined,
    resized: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    leave() {
      left = true;
      clearImmediate(waiting);
    },
    region: () => ({ lines: [], cursorRow: 0, cursorColumn: 0, cursorVisible: true }),
  };
}
