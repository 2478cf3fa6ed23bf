/** Lines that begin with `!`: commands the user runs in the conversation, one at a time. */
import { type Agent, describeError, type ToolResult } from '@tau/agent';
import type { Role } from '@tau/tui';

export interface ShellOptions {
  agent: Pick<Agent, 'shell'>;
  signal: AbortSignal;
  tell(text: string, kind: 'note' | 'error'): void;
  /** One began or ended. */
  onChange(): void;
}

export interface Shell {
  readonly isRunning: boolean;
  /** False when the line is none, or another one still runs. */
  run(line: string): boolean;
  /** False when none runs. */
  stop(): boolean;
  close(): Promise<void>;
}

export interface ShellLine {
  command: string;
  /** Two of them: the model is not told. */
  quiet: boolean;
}

/** A lone `!` is a word like any other. */
export function readShellLine(line: string): ShellLine | undefined {
  const [, marks, command = ''] = /^\s*(!!?)\s*(\S.*)$/s.exec(line) ?? [];
  return marks === undefined || command.startsWith('!')
    ? undefined
    : { command: command.trimEnd(), quiet: marks === '!!' };
}

/** A command of an earlier day, read from how the session tells the model of it. */
export function ownCommandIn(text: string): { command: string; result: ToolResult } | undefined {
  const [, command, rest = ''] =
    /^I ran this command myself: (.*?)(?:\nIts output:\n|\n(?=\()|$)(.*)$/s.exec(text) ?? [];
  if (command === undefined) return undefined;
  const [, output = rest, code] = /^(.*?)\n?\(exit code (\d+)\)$/s.exec(rest) ?? [];
  const details = code === undefined ? undefined : { exitCode: Number(code) };
  return { command, result: { content: [{ type: 'text', text: output }], details, isError: code !== '0' } };
}

/** How the editor shows that what is typed goes to the shell. */
export function shellLook(text: string): { borderRole: Role; title: string } | undefined {
  if (/^\s*!!/.test(text)) return { borderRole: 'bashModeQuiet', title: 'shell, the model is not told' };
  return /^\s*!/.test(text) ? { borderRole: 'bashMode', title: 'shell' } : undefined;
}

export function createShell({ agent, signal, tell, onChange }: ShellOptions): Shell {
  let own: AbortController | undefined;
  let working: Promise<unknown> = Promise.resolve();

  async function work({ command, quiet }: ShellLine, stop: AbortController): Promise<void> {
    try {
      await agent.shell(command, { quiet, signal: AbortSignal.any([signal, stop.signal]) });
    } catch (error) {
      tell(describeError(error), 'error');
    } finally {
      own = undefined;
      onChange();
    }
  }

  return {
    get isRunning() {
      return own !== undefined;
    },
    run(line) {
      const wish = readShellLine(line);
      if (!wish || own) return false;
      own = new AbortController();
      working = work(wish, own);
      onChange();
      return true;
    },
    stop() {
      own?.abort();
      return own !== undefined;
    },
    async close() {
      own?.abort();
      await working;
    },
  };
}
