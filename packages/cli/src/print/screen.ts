/**
 * What a person watches: the answer on stdout, everything else on stderr, which may be the same terminal. Nothing is
 * written into the middle of a line of another, and the line that says tau is working is gone before anything else comes.
 */
import { isatty } from 'node:tty';

export interface Screen {
  /** A line of its own, on stderr. */
  line(text: string): void;
  /** Words as they come, on stderr. */
  aside(text: string): void;
  /** Words of the answer as they come, on stdout. */
  answer(text: string): void;
  /** What was written so far is followed by a line break. */
  endLine(): void;
  /** The user has ended the line, by typing at its end. */
  lineTyped(): void;
  /** A moving line with how long it takes already; undefined takes it away. */
  working(label: string | undefined): void;
  close(): void;
}

export const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
export const frameMs = 120;

export function createScreen({ env = process.env, now = Date.now } = {}): Screen {
  const { stdout, stderr } = process;
  const oneTerminal = isatty(2);
  const mayMove = oneTerminal && env.TERM !== 'dumb';
  /** Which of them is in the middle of a line. */
  const open = { stdout: false, stderr: false };
  let label: string | undefined;
  let since = 0;
  let frame = 0;
  let shown = false;
  let timer: NodeJS.Timeout | undefined;

  function put(name: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    process[name].write(text);
    open[name] = !text.endsWith('\n');
  }

  function endLine(): void {
    if (open.stdout && (oneTerminal || stdout.isTTY)) put('stdout', '\n');
    if (open.stderr) put('stderr', '\n');
  }

  function clear(): void {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  }

  function draw(): void {
    if (label === undefined || open.stdout || open.stderr) return;
    const text = `${frames[frame++ % frames.length]} ${label} ${Math.floor((now() - since) / 1000)} s`;
    stderr.write(`\r${text.slice(0, (stderr.columns || 80) - 1)}\u001b[K`);
    shown = true;
  }

  function working(next: string | undefined): void {
    if (!mayMove || next === label) return;
    label = next;
    since = now();
    clear();
    clearInterval(timer);
    if (next === undefined) return;
    draw();
    timer = setInterval(draw, frameMs).unref();
  }

  // Whatever ends tau, the shell's prompt must not begin behind a half-drawn line.
  const restore = () => working(undefined);
  if (mayMove) process.on('uncaughtExceptionMonitor', restore).on('exit', restore);

  return {
    line(text) {
      clear();
      endLine();
      put('stderr', `${text}\n`);
    },
    aside(text) {
      clear();
      if (open.stdout && oneTerminal) put('stdout', '\n');
      put('stderr', text);
    },
    answer(text) {
      clear();
      if (open.stderr && oneTerminal) put('stderr', '\n');
      put('stdout', text);
    },
    endLine,
    lineTyped() {
      open.stderr = false;
    },
    working,
    close() {
      restore();
      endLine();
      process.off('uncaughtExceptionMonitor', restore).off('exit', restore);
    },
  };
}
