/**
 * The screen of a program that lives in the scrollback. Committed lines are written once, above, and belong to the
 * terminal from then on; the live region below them is drawn again where it changed. A frame costs what the live region
 * costs, however much was committed.
 */
import type { Component } from '../component.ts';
import type { InputEvent } from '../input/event.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createCanvas, type Region, type ScreenCapabilities } from './canvas.ts';
import { createComposer, type Layer, type OverflowLine } from './compose.ts';
import { createFocus } from './focus.ts';
import { createFrameWriter } from './frame.ts';
import { createFullCanvas, eraseRows, type FullCanvas, type FullView, scrollAway } from './full.ts';
import type { OverlayOptions } from './overlay.ts';
import { createPace } from './pace.ts';

export interface Screen {
  /** Lines for good, above the live region. They are written with the next frame. */
  commit(lines: readonly string[]): void;
  /** Something changed. Any number of these before a frame is drawn make one. Urgent is what answers a key. */
  requestFrame(urgent?: boolean): void;
  /** A frame now. */
  draw(): void;
  setRoot(component: Component): void;
  /** What is typed goes there when nothing is open over it. */
  focus(component: Component | undefined): void;
  /** To whatever has the focus. True when it made use of it; a frame follows at once. */
  handleInput(event: InputEvent): boolean;
  showOverlay(component: Component, options?: OverlayOptions): Opened;
  /** On the alternate screen. What is committed meanwhile is written when it is closed. */
  openFull(view: FullView): Opened;
  /** A sequence that shows nothing and moves nothing: a title, a notification. */
  send(sequence: string): void;
  /** The terminal has another size. */
  resized(): void;
  /** Takes the live region away, for another program or the shell, until `resume`. */
  pause(): void;
  /** Also when another program wrote without a `pause`: the live region is drawn anew where the cursor is. */
  resume(): void;
  /**
   * The end. What was committed is written, and the cursor stands on a new line. What was drawn last stays unless it is
   * not to be kept. Renders nothing, so it is safe in a crash; a second call does nothing.
   */
  leave(options?: { keep?: boolean }): void;
  region(): Region;
}

export interface Opened {
  close(): void;
}

export interface ScreenOptions {
  terminal: Terminal;
  root?: Component;
  /** What the terminal is known to do; asked for at every frame, since its answers come late. */
  capabilities?: () => ScreenCapabilities;
  /** Says how many lines at the top of the live region are not shown. Without it they are just not shown. */
  overflow?: OverflowLine;
}

/** How long the size of a window has to be the same before anything is drawn, and when rows were broken. */
const [quietMs, settleMs] = [40, 150];
/**
 * What goes into a frame while the size goes on changing: a terminal reads a few thousand bytes at a time, and a line of which
 * it has read a half when the size changes may lose its end.
 */
const mostInStorm = 1500;
/** How long neither the size changed nor anything was late before all counts as calm. */
const calmAfterMs = 1500;
const blank: Component = { render: () => [] };
const careful: ScreenCapabilities = { synchronizedOutput: false, reflow: 'exact' };
const nothing = { lines: [], cursor: { row: 0, column: 0 } };

export function createScreen({ terminal, root: first = blank, capabilities, overflow }: ScreenOptions): Screen {
  const able = capabilities ?? (() => careful);
  const frames = createFrameWriter(terminal, () => able().synchronizedOutput);
  const canvas = createCanvas(terminal, frames, able, isCalm);
  const focus = createFocus();
  const layers: Layer[] = [];
  const isTypedInto = (layer: Layer) => layer.component === focus.current;
  const composer = createComposer(overflow, (layer) => (layer ? isTypedInto(layer) : !layers.some(isTypedInto)));
  const pace = createPace(frame, () => terminal.look?.());
  const full: { view: FullView; canvas: FullCanvas }[] = [];
  let root = first;
  const waiting: string[] = [];
  let state: 'open' | 'paused' | 'left' = 'open';
  /** A view is drawn over the only screen there is. */
  let overMain = false;
  let resizedAt = Number.NEGATIVE_INFINITY;

  function isCalm(): boolean {
    return performance.now() >= Math.max(resizedAt, pace.lateAt) + calmAfterMs;
  }

  function frame(settled: boolean): void {
    pace.drawn();
    if (state !== 'open') return;
    const top = full.at(-1);
    if (top) drawFull(top.canvas);
    else drawLive(settled);
  }

  function drawLive(settled: boolean): void {
    const height = Math.max(1, terminal.rows - 1);
    const live = composer.compose(root, layers, Math.max(1, terminal.columns), height);
    canvas.draw(takeWaiting(settled ? undefined : mostInStorm), live, settled);
  }

  function drawFull(top: FullCanvas): void {
    const { out, cursor } = top.frame(Math.max(1, terminal.columns), Math.max(1, terminal.rows));
    if (out !== '') frames.write(out + (cursor ? `\u001b[${cursor.row + 1};${cursor.column + 1}H` : ''), !!cursor);
  }

  /** Another size may have come since, and no news of it: every frame would meet rows that nobody knows of. */
  function isToldLate(): boolean {
    return (able().newsEveryMs ?? 0) > 0;
  }

  /** At least one line, and no more than `most` characters. */
  function takeWaiting(most = Number.POSITIVE_INFINITY): string[] {
    let count = 0;
    for (let length = 0; count < waiting.length; count++) {
      length += waiting[count]?.length ?? 0;
      if (count > 0 && length > most) break;
    }
    return waiting.splice(0, count);
  }

  function enterFull(): void {
    overMain = able().alternateScreen === false;
    if (overMain) {
      canvas.draw(takeWaiting(), nothing);
      terminal.write(scrollAway(terminal.rows));
    }
    terminal.alternate(true);
  }

  function shutFull(): void {
    if (full.length === 0) return;
    if (overMain) {
      terminal.write(eraseRows(terminal.rows));
      canvas.forget();
    }
    terminal.alternate(false);
    // Its user may have switched one on all the same: then the cursor is back at the bottom.
    if (overMain) terminal.write(`\u001b[${terminal.rows}A\r`);
  }

  return {
    commit(lines) {
      for (const line of lines) waiting.push(line);
      pace.request();
    },
    requestFrame: (urgent) => pace.request(urgent),
    draw() {
      terminal.look?.();
      frame(true);
    },
    setRoot(component) {
      root = component;
      pace.request();
    },
    focus(component) {
      focus.set(component);
      pace.request();
    },
    handleInput(event) {
      const view = full.at(-1)?.view;
      const used = view ? view.handleInput(event) : (focus.current?.handleInput?.(event) ?? false);
      if (used) pace.request(true);
      return used;
    },
    showOverlay(component, options = {}) {
      const layer = { component, options };
      const taken = options.passive ? undefined : focus.take(component);
      layers.push(layer);
      pace.request();
      return {
        close() {
          const at = layers.indexOf(layer);
          if (at < 0) return;
          layers.splice(at, 1);
          taken?.release();
          pace.request();
        },
      };
    },
    openFull(view) {
      const entry = { view, canvas: createFullCanvas(view) };
      if (full.length === 0 && state === 'open') enterFull();
      full.push(entry);
      pace.request(true);
      return {
        close() {
          const at = full.indexOf(entry);
          if (at < 0) return;
          if (full.length === 1 && state === 'open') shutFull();
          full.splice(at, 1);
          full.at(-1)?.canvas.forget();
          // A change of size that has not been told yet would make a frame erase rows that are not its own.
          if (full.length === 0) pace.hold(quietMs);
          else pace.request(true);
        },
      };
    },
    send(sequence) {
      if (state !== 'left') terminal.write(sequence);
    },
    resized() {
      resizedAt = performance.now();
      const hasBroken = canvas.resized();
      // The alternate screen is drawn by rows of its own, so nothing there depends on what the terminal did to them.
      if (full.length > 0) pace.request();
      else pace.hold(hasBroken || isToldLate() ? (able().settleMs ?? settleMs) : quietMs);
    },
    pause() {
      if (state !== 'open') return;
      pace.cancel();
      shutFull();
      canvas.draw(takeWaiting(), nothing);
      state = 'paused';
    },
    resume() {
      if (state === 'left') return;
      state = 'open';
      canvas.forget();
      if (full.length > 0) enterFull();
      full.at(-1)?.canvas.forget();
      frame(true);
    },
    leave({ keep = true } = {}) {
      if (state === 'left') return;
      pace.cancel();
      if (state === 'open') {
        shutFull();
        if (keep) canvas.finish(takeWaiting());
        else canvas.draw(takeWaiting(), nothing);
      }
      state = 'left';
    },
    region: canvas.region,
  };
}
