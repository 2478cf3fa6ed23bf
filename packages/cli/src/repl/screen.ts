/** The line mode as a screen for what print mode shows too: answers, calls and asides on one terminal. */
import { frameMs, frames, type Screen } from '../print/screen.ts';
import type { Terminal } from './terminal.ts';

export function createLineScreen(terminal: Terminal, now: () => number = Date.now): Screen {
  let kind: 'answer' | 'aside' | undefined;
  let timer: NodeJS.Timeout | undefined;
  let label: string | undefined;

  /** Thinking and answering do not share a line. */
  function words(next: 'answer' | 'aside', text: string): void {
    if (text === '') return;
    if (kind !== next) terminal.endLine();
    kind = next;
    terminal.write(text);
  }

  function working(next: string | undefined): void {
    if (next === label) return;
    label = next;
    clearInterval(timer);
    terminal.status(undefined);
    if (next === undefined) return;
    const since = now();
    let frame = 0;
    const draw = () =>
      terminal.status(`${frames[frame++ % frames.length]} ${next} ${Math.floor((now() - since) / 1000)} s`);
    draw();
    timer = setInterval(draw, frameMs).unref();
  }

  return {
    line(text) {
      terminal.endLine();
      terminal.write(`${text}\n`);
    },
    aside: (text) => words('aside', text),
    answer: (text) => words('answer', text),
    endLine: terminal.endLine,
    // The terminal knows by itself.
    lineTyped() {},
    working,
    close() {
      working(undefined);
      terminal.endLine();
    },
  };
}
