/** A small program for the tests that need a real process: what it does is asked for by keys. */
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import type { Component } from '../../src/component.ts';
import { cursorMarker } from '../../src/component.ts';
import { defaultActions } from '../../src/keys/defaults.ts';
import { createKeymap } from '../../src/keys/keymap.ts';
import { startTui } from '../../src/start.ts';
import { createProcessTerminal } from '../../src/terminal/process.ts';
import { createViewer, textSections } from '../../src/viewer/viewer.ts';

let typed = '';
let ticks = 0;
let working = false;
const root: Component = {
  render: (width) => [
    ...(working ? [`working ${'|/-\\'[ticks % 4]}`] : []),
    '─'.repeat(width),
    `> ${typed}${cursorMarker}`,
    '─'.repeat(width),
    `footer of ${width} columns`,
  ],
  handleInput(event) {
    if (event.type !== 'key' || event.text === undefined || event.kind === 'release') return false;
    typed += event.text;
    return true;
  },
};
const terminal = createProcessTerminal();
const tui = startTui({ root, terminal, onInput: (event) => event.type === 'key' && command(event.key) });
tui.screen.commit([`started ${process.pid}`]);

function command(key: string): boolean {
  switch (key) {
    case 'ctrl+q':
      void tui.stop();
      return true;
    case 'ctrl+s':
      stream();
      return true;
    case 'ctrl+t':
      recite();
      return true;
    case 'ctrl+b':
      beBusy();
      return true;
    case 'ctrl+w':
      spin();
      return true;
    case 'ctrl+z':
      terminal.suspend();
      return true;
    case 'ctrl+g':
      lend();
      return true;
    case 'ctrl+x':
      setImmediate(() => {
        throw new Error('thrown on purpose');
      });
      return true;
    case 'ctrl+o':
      view();
      return true;
    default:
      return false;
  }
}

/** To a program that reads one line as a shell would. */
function lend(): void {
  const takeBack = terminal.lend();
  spawn('sh', ['-c', 'echo it reads; read -r line; echo "it read $line"'], { stdio: 'inherit' }).once('exit', takeBack);
}

/** A frame is due while nothing is heard, until somebody lets it go on by a file beside the program. */
function beBusy(): void {
  working = true;
  tui.screen.commit(['busy']);
  tui.screen.draw();
  setTimeout(() => {
    ticks++;
    tui.screen.requestFrame();
    const goOn = `${process.argv[1]}.go`;
    for (const until = Date.now() + 20_000; !existsSync(goOn) && Date.now() < until; )
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    rmSync(goOn, { force: true });
  }, 2);
}

function spin(): void {
  working = true;
  setInterval(() => {
    ticks++;
    tui.screen.requestFrame();
  }, 5).unref();
}

/** Three hundred words, a few in a line. */
function recite(): void {
  let at = 0;
  const timer = setInterval(() => {
    ticks++;
    const line = Array.from({ length: Math.min(1 + (ticks % 7), 300 - at) }, () => `[${at++}]`);
    tui.screen.commit([line.join(' ')]);
    if (at < 300) return;
    clearInterval(timer);
    tui.screen.commit(['recited']);
  }, 30);
}

function stream(): void {
  working = true;
  const timer = setInterval(() => {
    ticks++;
    tui.screen.commit([`line ${ticks}`]);
    if (ticks < 40) return;
    clearInterval(timer);
    working = false;
    tui.screen.commit(['streamed']);
  }, 3);
}

function view(): void {
  const lines = Array.from({ length: 1000 }, (_, at) => `page line ${at}`);
  const keys = createKeymap({ actions: defaultActions });
  const theme = { name: 'none', kind: 'dark' as const, paint: (_: string, text: string) => text };
  const viewer = createViewer({
    theme,
    keys,
    sections: textSections(lines),
    title: 'the viewer',
    onClose: () => opened.close(),
    onChange: tui.screen.requestFrame,
  });
  const opened = tui.screen.openFull(viewer);
}
