/**
 * The terminal of the line mode: what tau says, and the line being typed, which is never written into. While somebody
 * types, output comes in whole lines above; a dumb terminal edits and echoes by itself, and only gets the words.
 */
import type { Interface, Key } from 'node:readline';
import { visible } from '../render/visible.ts';

export interface Terminal {
  /** Words as they come. */
  write(text: string): void;
  /** What was written so far is followed by a line break. */
  endLine(): void;
  /** A line that moves while nothing else is on its row; undefined takes it away. */
  status(text: string | undefined): void;
  /** Something is wanted: the label is there until a line was typed. */
  prompt(label: string, typed?: string): void;
  /** Nothing is wanted, but what is typed is heard: it has a row as soon as there is something on it. */
  listen(typed?: string): void;
  /** Takes away what was typed and not sent. */
  takeTyped(): string;
  close(): void;
}

export interface TerminalOptions {
  env: NodeJS.ProcessEnv;
  /** A whole message: lines joined by a trailing backslash, or pasted together, are one. */
  onMessage(text: string): void;
  onInterrupt(): void;
  /** Ctrl+D, or the terminal went away. */
  onEnd(): void;
  /** False for lines that are no use later, as the answer to an ask. */
  keepsHistory(): boolean;
}

export const promptLabel = '> ';
const moreLabel = '… ';
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' };
const maxChars = 10 * 1024 * 1024;

export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { createInterface } = await import('node:readline');
  const { stdin, stdout } = process;
  const able = options.env.TERM !== 'dumb';
  const rl: Interface = createInterface({ input: stdin, output: stdout, terminal: able, crlfDelay: Infinity });
  const earlier: string[] = [];
  let label = promptLabel;
  /** A line is wanted, and its row stays. */
  let wanted = false;
  /** The row of the line being typed is on the screen. */
  let shown = false;
  /** The last thing written is in the middle of a line. */
  let open = false;
  let held = '';
  let moving = false;
  let pasting = false;
  let closed = false;

  const isTyping = () => shown && (wanted || rl.line !== '' || earlier.length > 0);

  function clearStatus(): void {
    if (moving) stdout.write('\r\u001b[K');
    moving = false;
  }

  function eraseRow(): void {
    if (!shown) return;
    const { rows } = rl.getCursorPos();
    stdout.write(`${rows > 0 ? `\u001b[${rows}A` : ''}\r\u001b[J`);
    shown = false;
  }

  /** Also when it is there already: it may have another label now. */
  function showRow(): void {
    if (!shown) {
      clearStatus();
      endLine();
    }
    rl.setPrompt(earlier.length > 0 ? moreLabel : label);
    rl.prompt(true);
    shown = able;
    open = !able;
  }

  /** Whole lines above the line being typed; readline goes up by the rows it drew, so it is put down by as many. */
  function writeAbove(): void {
    const end = held.lastIndexOf('\n') + 1;
    if (end === 0) return;
    const lines = held.slice(0, end);
    held = held.slice(end);
    const { rows } = rl.getCursorPos();
    // Its own count lags behind what was typed fast; it is no public field, hence the other.
    const drawn: unknown = Reflect.get(rl, 'prevRows');
    eraseRow();
    const below = '\n'.repeat(typeof drawn === 'number' ? drawn : rows);
    stdout.write(`${lines}${lines.includes('\u001b') ? '\u001b[0m' : ''}${below}`);
    rl.prompt(true);
    shown = true;
  }

  function write(text: string): void {
    if (text === '' || closed) return;
    if (isTyping()) {
      held += text;
      writeAbove();
    } else {
      clearStatus();
      eraseRow();
      put(text);
    }
  }

  function put(text: string): void {
    const whole = held + text;
    held = '';
    if (whole === '') return;
    stdout.write(whole);
    open = !whole.endsWith('\n');
  }

  function endLine(): void {
    if (held === '' ? open : !held.endsWith('\n')) write('\n');
  }

  /** As if it had been typed on an empty row: all but the last line are said already, the last can be changed. */
  function type(text: string): void {
    if (text !== '') endLine();
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    if (!able && text !== '') write(`tau: not sent: ${visible(text)}\n`);
    if (able) {
      for (const line of lines) {
        put(`${earlier.length > 0 ? moreLabel : label}${visible(line)}\n`);
        earlier.push(line);
      }
    }
    showRow();
    if (able) rl.write(last);
  }

  function onLine(line: string): void {
    shown = false;
    open = false;
    const backslashes = /\\*$/.exec(line)?.[0].length ?? 0;
    const size = earlier.reduce((sum, one) => sum + one.length, line.length);
    if ((pasting || backslashes % 2 === 1) && size < maxChars) {
      earlier.push(pasting ? line : line.slice(0, -1));
      showRow();
    } else {
      wanted = false;
      put('');
      options.onMessage([...earlier.splice(0), line].join('\n'));
    }
  }

  /** Before readline hears of the key: the row must be there for what it will write. */
  function onKey(_: string | undefined, key: Key): void {
    if (key.name === 'paste-start') pasting = true;
    if (key.name === 'paste-end') pasting = false;
    if (closed || shown || (key.ctrl && 'cdz'.includes(key.name ?? ' '))) return;
    showRow();
  }

  /** Ctrl+Z: the shell has the terminal until it gives it back, which is at once where there is no shell to do so. */
  function suspend(): void {
    const back = () => {
      process.off('SIGCONT', back);
      clearTimeout(timer);
      if (closed) return;
      stdin.setRawMode(true);
      stdout.write(pasteMarks.on);
      open = false;
      showRow();
    };
    clearStatus();
    stdout.write(`${open || shown ? '\n' : ''}${pasteMarks.off}`);
    shown = false;
    stdin.setRawMode(false);
    process.on('SIGCONT', back);
    process.kill(process.pid, 'SIGTSTP');
    const timer = setTimeout(back, 100);
  }

  // Whatever ends tau, the shell gets its terminal back.
  function restore(): void {
    if (closed) return;
    clearStatus();
    closed = true;
    if (able) stdout.write(`${open || shown ? '\n' : ''}${pasteMarks.off}`);
    else if (open) stdout.write('\n');
    stdin.off('keypress', onKey);
    rl.close();
  }

  if (able) {
    stdin.prependListener('keypress', onKey);
    stdout.write(pasteMarks.on);
  }
  rl.on('line', onLine);
  rl.on('SIGINT', options.onInterrupt);
  rl.on('SIGTSTP', suspend);
  rl.on('close', () => {
    if (!closed) options.onEnd();
  });
  rl.on('history', (history: string[]) => {
    if (!options.keepsHistory()) history.shift();
  });
  stdin.on('error', options.onEnd);
  process.on('uncaughtExceptionMonitor', restore).on('exit', restore);

  return {
    write,
    endLine,
    status(text) {
      if (!able || closed || shown || open) return;
      if (text === undefined) return clearStatus();
      stdout.write(`\r${text.slice(0, (stdout.columns || 80) - 1)}\u001b[K`);
      moving = true;
    },
    prompt(next, typed = '') {
      if (closed) return;
      label = next;
      wanted = true;
      type(typed);
    },
    listen(typed = '') {
      wanted = false;
      label = promptLabel;
      if (typed !== '') type(typed);
      else if (!isTyping()) eraseRow();
    },
    takeTyped() {
      const text = [...earlier.splice(0), rl.line].join('\n');
      if (rl.line !== '' && able) {
        rl.write(null, { ctrl: true, name: 'e' });
        rl.write(null, { ctrl: true, name: 'u' });
      }
      eraseRow();
      put('');
      return text;
    },
    close() {
      restore();
      process.off('uncaughtExceptionMonitor', restore).off('exit', restore);
      stdin.off('error', options.onEnd);
    },
  };
}
