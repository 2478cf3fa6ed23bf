/** What the user is asked while tau works, one thing after another; the next line typed is the answer. */
import type { Terminal } from './terminal.ts';

interface Inquiry<T> {
  lines: readonly string[];
  label: string;
  /** What the line means, or what is said before it is asked again. */
  read(line: string): { value: T } | { again: string };
  /** When nobody can answer any more. */
  unanswered: T;
}

export interface Inquiries {
  put<T>(inquiry: Inquiry<T>, signal: AbortSignal): Promise<T>;
  isOpen(): boolean;
  /** A line, while one is open. */
  hear(line: string): void;
  /** Asks the open one once more, after a line that was no answer. */
  remind(): void;
}

export function createInquiries(terminal: Terminal): Inquiries {
  let last: Promise<unknown> = Promise.resolve();
  let current: { hear(line: string): void; remind(): void } | undefined;

  function open<T>({ lines, label, read, unanswered }: Inquiry<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.resolve(unanswered);
    // Words meant for the model must not become an answer: they come back when it was given.
    const typed = terminal.takeTyped();
    terminal.endLine();
    for (const line of lines) terminal.write(`${line}\n`);
    return new Promise((resolve) => {
      const settle = (value: T) => {
        signal.removeEventListener('abort', giveUp);
        current = undefined;
        terminal.listen(typed);
        resolve(value);
      };
      const giveUp = () => {
        terminal.takeTyped();
        settle(unanswered);
      };
      signal.addEventListener('abort', giveUp);
      current = {
        hear(line) {
          const said = read(line);
          if ('value' in said) return settle(said.value);
          terminal.write(`${said.again}\n`);
          terminal.prompt(label);
        },
        remind: () => terminal.prompt(label),
      };
      terminal.prompt(label);
    });
  }

  return {
    put(inquiry, signal) {
      const answered = last.then(() => open(inquiry, signal));
      last = answered;
      return answered;
    },
    isOpen: () => current !== undefined,
    hear: (line) => current?.hear(line),
    remind: () => current?.remind(),
  };
}
