/** Joins the parts: a terminal, its keys, what is found out about it, and a screen that draws a component. */
import type { Component } from './component.ts';
import { createDecoder } from './input/decoder.ts';
import type { InputEvent } from './input/event.ts';
import { createLineFeed } from './input/lines.ts';
import { createPlainScreen } from './screen/plain.ts';
import { createScreen, type Screen, type ScreenOptions } from './screen/screen.ts';
import { type Capabilities, guessCapabilities } from './terminal/capabilities.ts';
import { createProbe } from './terminal/probe.ts';
import { createProcessTerminal, type EndSignal } from './terminal/process.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface TuiOptions extends Pick<ScreenOptions, 'overflow'> {
  root: Component;
  /** Without it, the one that this process runs in. */
  terminal?: Terminal;
  environment?: Readonly<Record<string, string | undefined>>;
  isTerminal?: boolean;
  /** Plain lines in reading order, whatever the terminal can do. */
  accessible?: boolean;
  /** Sees what is typed before the screen does. True: it made use of it. */
  onInput?(event: InputEvent): boolean;
  /** The terminal said more about itself. */
  onCapabilities?(capabilities: Capabilities): void;
  /** The user's system turned dark or light. */
  onScheme?(scheme: 'dark' | 'light'): void;
  /** SIGTERM, SIGHUP, SIGINT. Without it the terminal is given back and the signal does its work. */
  onSignal?(signal: EndSignal): void;
  /** The terminal is gone. */
  onEnd?(): void;
}

export interface Tui {
  screen: Screen;
  terminal: Terminal;
  capabilities(): Capabilities;
  /** Draws what is left to draw and gives the terminal back. */
  stop(options?: { keep?: boolean }): Promise<void>;
}

export function startTui(options: TuiOptions): Tui {
  const { root, environment = process.env, accessible = false, onInput, onScheme, onSignal, onEnd, overflow } = options;
  const isTerminal = options.isTerminal ?? (process.stdin.isTTY === true && process.stdout.isTTY === true);
  const plain = accessible || guessCapabilities(environment, isTerminal).plain;
  const terminal = options.terminal ?? createProcessTerminal({ cooked: plain, ...(onSignal && { onSignal }) });
  const probe = createProbe({ environment, isTerminal, write: terminal.write, onChange: learned });
  const screen = plain
    ? createPlainScreen({ terminal, root, styled: probe.capabilities.colours !== 'none' })
    : createScreen({ terminal, root, capabilities: probe.forScreen, ...(overflow && { overflow }) });
  const decoder = createDecoder({
    onEvent(event) {
      if (onInput?.(event)) screen.requestFrame(true);
      else screen.handleInput(event);
    },
    onReply(reply) {
      if (reply.type === 'scheme') onScheme?.(reply.scheme);
      probe.reply(reply);
    },
  });

  function learned(capabilities: Capabilities): void {
    if (capabilities.kittyKeyboard) terminal.enable('kittyKeyboard');
    else if (probe.settled && !plain) terminal.enable('modifyOtherKeys');
    options.onCapabilities?.(capabilities);
  }

  screen.focus(root);
  terminal.start({
    onInput: plain ? createLineFeed(decoder) : decoder.feed,
    onResize: screen.resized,
    onSuspend: screen.pause,
    onResume: screen.resume,
    onStop: screen.leave,
    ...(onEnd && { onEnd }),
  });
  if (!plain) {
    probe.ask();
    screen.draw();
  }

  return {
    screen,
    terminal,
    capabilities: () => probe.capabilities,
    async stop(how) {
      probe.end();
      if (how?.keep !== false) screen.draw();
      screen.leave(how);
      await terminal.stop();
      decoder.flush();
    },
  };
}
