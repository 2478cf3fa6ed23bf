/**
 * The terminal this process runs in. Whatever happens (exit, exception, signal, stop), it is given back as it was: modes
 * off, cursor shown, input drained, exactly once.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import {
  alternateOff,
  alternateOn,
  fence,
  keyboardPop,
  keyboardPush,
  modesOff,
  modesOn,
  otherKeysOff,
  otherKeysOn,
} from './sequences.ts';
import type { Terminal, TerminalListener, TerminalMode } from './terminal.ts';

export interface ProcessTerminalOptions {
  /** What to do about SIGTERM, SIGHUP and SIGINT. Without it the terminal is given back and the signal does its work. */
  onSignal?(signal: EndSignal): void;
  /** The terminal edits and echoes lines itself, and gets no sequence: for plain screens. */
  cooked?: boolean;
}

export type EndSignal = 'SIGTERM' | 'SIGHUP' | 'SIGINT';

const endSignals: readonly EndSignal[] = ['SIGTERM', 'SIGHUP', 'SIGINT'];
/** How long to wait for the terminal's last answer, when it is known to answer and when it is not. */
const [drainMs, silentDrainMs] = [250, 60];
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the subject
const fenceAnswer = /\x1b\[\?[\d;]*c/;

export function createProcessTerminal({ onSignal, cooked = false }: ProcessTerminalOptions = {}): Terminal {
  const { stdin, stdout } = process;
  const enabled = new Set<TerminalMode>();
  let listener: TerminalListener | undefined;
  let state: 'new' | 'on' | 'suspended' | 'lent' | 'draining' | 'off' = 'new';
  /** We stopped ourselves, so the next signal to go on is the answer to that. */
  let stoppedOurselves = false;
  let isAlternate = false;
  let answers = false;
  let gone = false;
  let onDrained: (() => void) | undefined;

  function write(data: string): void {
    // A cooked terminal adds the carriage return itself, and a file wants none.
    if (!gone) stdout.write(cooked ? data.replaceAll('\r\n', '\n') : data);
  }

  function onData(data: Uint8Array): void {
    if (!answers || onDrained) {
      const isAnswer = fenceAnswer.test(Buffer.from(data).toString('latin1'));
      answers ||= isAnswer;
      if (isAnswer) onDrained?.();
    }
    if (state === 'on') listener?.onInput(data);
  }

  function raw(on: boolean): void {
    if (!cooked && !gone && stdin.isTTY) stdin.setRawMode(on);
  }

  function modes(on: boolean): void {
    if (cooked) return;
    if (on) {
      write(modesOn + keyboardModes(enabled, true));
    } else {
      if (isAlternate) alternate(false);
      write(keyboardModes(enabled, false) + modesOff);
    }
  }

  function alternate(on: boolean): void {
    if (on === isAlternate) return;
    isAlternate = on;
    const keyboard = enabled.has('kittyKeyboard');
    write(on ? alternateOn + (keyboard ? keyboardPush : '') : (keyboard ? keyboardPop : '') + alternateOff);
  }

  function onGone(): void {
    if (gone) return;
    gone = true;
    listener?.onEnd?.();
  }

  /** At once, without waiting for anything: the process is about to be gone. */
  function restore(): void {
    if (state === 'new' || state === 'off') return;
    const before = state;
    state = 'off';
    if (before === 'on') {
      try {
        listener?.onStop?.();
      } catch {
        // The terminal comes first: whatever made drawing fail is already on its way to the user.
      }
      modes(false);
    }
    if (before !== 'suspended' && before !== 'lent' && !cooked) drainNow();
    detach();
  }

  function detach(): void {
    raw(false);
    stdin.off('data', onData).off('end', onGone).off('error', onGone).pause();
    stdout.off('error', onGone);
    process.off('exit', restore).off('uncaughtExceptionMonitor', onUncaught);
    process.off('SIGTSTP', onStopSignal).off('SIGCONT', onContinue).off('SIGWINCH', onResize);
    for (const signal of endSignals) process.off(signal, onEndSignal);
  }

  function onUncaught(): void {
    // With a handler of its own the program goes on, or ends in its own way.
    if (process.listenerCount('uncaughtException') === 0) restore();
  }

  function onEndSignal(signal: EndSignal): void {
    if (onSignal) {
      onSignal(signal);
      return;
    }
    restore();
    process.kill(process.pid, signal);
  }

  /** At every signal, also when the size is what it was: in between it was another. */
  function onResize(): void {
    if (state === 'on') listener?.onResize();
  }

  function look(): void {
    const [columns, rows] = [stdout.columns, stdout.rows];
    refreshSize(stdout);
    if (stdout.columns !== columns || stdout.rows !== rows) onResize();
  }

  function onStopSignal(): void {
    stopProcess(process.pid);
  }

  function stopProcess(target: number): void {
    if (state !== 'on') return;
    listener?.onSuspend?.();
    modes(false);
    if (!cooked) drainNow();
    raw(false);
    state = 'suspended';
    // Without our handler the signal does what it does to any program.
    process.off('SIGTSTP', onStopSignal);
    process.kill(target, 'SIGTSTP');
    stoppedOurselves = true;
    // A job that nobody could continue is not stopped by the system; then nobody says that it goes on.
    setTimeout(() => state === 'suspended' && goOn(), 50);
  }

  /** The other program gets every key and every signal of the terminal: Ctrl+Z stops it and us, and `fg` continues both. */
  function lend(): () => void {
    if (state !== 'on') return () => {};
    listener?.onSuspend?.();
    modes(false);
    if (!cooked) drainNow();
    raw(false);
    stdin.pause();
    process.off('SIGTSTP', onStopSignal);
    state = 'lent';
    return () => {
      if (state !== 'lent') return;
      stdin.resume();
      goOn();
    };
  }

  function onContinue(): void {
    const announced = stoppedOurselves;
    stoppedOurselves = false;
    if (state === 'suspended') goOn();
    // After a stop that nobody could announce: what the shell did to the modes is not known.
    else if (state === 'on' && !announced) goOn(keyboardModes(enabled, false));
  }

  function goOn(before = ''): void {
    if (state === 'suspended' || state === 'lent') process.on('SIGTSTP', onStopSignal);
    state = 'on';
    raw(true);
    write(before);
    modes(true);
    listener?.onResume?.();
  }

  return {
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    look,
    write,
    start(events) {
      if (state !== 'new') throw new Error('This terminal was started before; make a new one.');
      state = 'on';
      listener = events;
      raw(true);
      stdin.on('data', onData).on('end', onGone).on('error', onGone).resume();
      stdout.on('error', onGone);
      process.on('exit', restore).on('uncaughtExceptionMonitor', onUncaught);
      // The stream's own listener was there first, and knows the new size.
      process.on('SIGTSTP', onStopSignal).on('SIGCONT', onContinue).on('SIGWINCH', onResize);
      for (const signal of endSignals) process.on(signal, onEndSignal);
      modes(true);
    },
    async stop() {
      if (state !== 'on') return restore();
      try {
        listener?.onStop?.();
      } finally {
        state = 'draining';
        modes(false);
        await drained();
        restore();
      }
    },
    alternate,
    enable(mode) {
      if (enabled.has(mode)) return;
      enabled.add(mode);
      if (state === 'on') write(keyboardModes(new Set([mode]), true));
    },
    suspend: () => stopProcess(0),
    lend,
  };

  /** Answers and key releases that are still on their way would be typed into the user's shell. */
  async function drained(): Promise<void> {
    if (cooked || gone || !stdin.isTTY) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, answers ? drainMs : silentDrainMs);
      onDrained = () => {
        clearTimeout(timer);
        resolve();
      };
      write(fence);
    });
  }
}

/** What the stream does at every signal. It has no public name; without it news are only as fresh as the signals. */
function refreshSize(stream: object): void {
  const refresh: unknown = Reflect.get(stream, '_refreshSize');
  if (typeof refresh === 'function') refresh.call(stream);
}

function keyboardModes(enabled: ReadonlySet<TerminalMode>, on: boolean): string {
  const kitty = enabled.has('kittyKeyboard') ? (on ? keyboardPush : keyboardPop) : '';
  const other = enabled.has('modifyOtherKeys') ? (on ? otherKeysOn : otherKeysOff) : '';
  return kitty + other;
}

/** What has come and was not read yet is read and forgotten. */
function drainNow(): void {
  const bin = new Uint8Array(4096);
  try {
    const tty = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      for (let reads = 0; reads < 64 && readSync(tty, bin) > 0; reads++);
    } finally {
      closeSync(tty);
    }
  } catch {
    // Nothing to read, or no terminal any more: both mean that there is nothing to drain.
  }
}
