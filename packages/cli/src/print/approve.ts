/**
 * Print mode with somebody at the terminal: what needs approval is asked on stderr, and a typed line is the answer. The
 * terminal edits and echoes by itself; Ctrl+C is a signal and ends the run.
 */
import type { Answer, Ask } from '@tau/agent';
import type { Style } from '../render/style.ts';
import { approvalLines, readApproval, shortLabel } from '../repl/approval.ts';
import type { Screen } from './screen.ts';

const unanswered: Answer = { outcome: 'deny', unattended: true };
/** What was typed before the question was there is no answer to it. */
const drainMs = 20;
const maxChars = 100_000;

/** One question at a time. */
export function createTerminalAsker({
  screen,
  style,
  cwd,
}: {
  screen: Screen;
  style: Style;
  cwd: string;
}): (ask: Ask, signal: AbortSignal) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();

  async function put(ask: Ask, signal: AbortSignal): Promise<Answer> {
    const lines = createLines(signal);
    try {
      await lines.drain();
      if (signal.aborted) return unanswered;
      screen.working(undefined);
      const columns = process.stderr.columns || 80;
      const { label, short } = shortLabel(ask, columns);
      for (const line of approvalLines(ask, { cwd, style, short, columns })) screen.line(line);
      for (;;) {
        screen.aside(label);
        const line = await lines.next();
        if (line === undefined) return unanswered;
        screen.lineTyped();
        const said = readApproval(line, ask);
        if ('answer' in said) return said.answer;
        screen.line(said.again);
      }
    } finally {
      lines.close();
    }
  }

  return (ask, signal) => {
    const answered = last.then(() => put(ask, signal));
    last = answered.catch(() => {});
    return answered;
  };
}

/** Lines of stdin, while somebody wants them: in between nobody listens, and nothing keeps tau from ending. */
function createLines(signal: AbortSignal) {
  const { stdin } = process;
  let text = '';
  let over = signal.aborted;
  let wake = () => {};
  const onData = (chunk: Buffer) => {
    text = `${text}${chunk.toString('utf8')}`.slice(0, maxChars);
    wake();
  };
  const onEnd = () => {
    over = true;
    wake();
  };
  stdin.on('data', onData).on('end', onEnd).on('error', onEnd);
  signal.addEventListener('abort', onEnd);
  stdin.resume();
  return {
    async drain(): Promise<void> {
      // A late timer runs before pending reads do: the immediate lets what is there already be read first.
      await new Promise((resolve) => setTimeout(() => setImmediate(resolve), drainMs));
      text = '';
    },
    /** Undefined when there will be none. */
    async next(): Promise<string | undefined> {
      for (;;) {
        const end = text.indexOf('\n');
        if (end >= 0) {
          const line = text.slice(0, end);
          text = text.slice(end + 1);
          return line;
        }
        if (over) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close(): void {
      stdin.off('data', onData).off('end', onEnd).off('error', onEnd);
      signal.removeEventListener('abort', onEnd);
      stdin.pause();
    },
  };
}
