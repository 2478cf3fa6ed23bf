/** Asks at the terminal whether the project is trusted. Only a plain yes is one. */
import { exitCode } from '../exit.ts';
import { listenForInterrupt } from '../print/interrupt.ts';
import { createInquiries } from '../repl/inquiries.ts';
import { openTerminal } from '../repl/terminal.ts';

/** `no` for now, `never` also for later. */
type TrustAnswer = 'yes' | 'no' | 'never';

/** Or the exit code of who left instead of answering. With `never` where a no can be kept. */
export async function askTrust({ never = false } = {}): Promise<TrustAnswer | number> {
  const signals = listenForInterrupt();
  let left: number = exitCode.done;
  const leaveWith = (code: number) => () => {
    left = code;
    signals.abort();
  };
  const terminal = await openTerminal({
    env: process.env,
    onMessage: (text) => inquiries.hear(text),
    onInterrupt: leaveWith(exitCode.interrupted),
    onEnd: leaveWith(exitCode.done),
    keepsHistory: () => false,
  });
  const inquiries = createInquiries(terminal);
  try {
    const answer = await inquiries.put<TrustAnswer | undefined>(
      {
        lines: [''],
        label: `Trust this project? (y/N${never ? '/never' : ''}) `,
        read: (line) => readAnswer(line, never),
        unanswered: undefined,
      },
      signals.signal,
    );
    return answer ?? signals.code() ?? left;
  } finally {
    terminal.close();
    signals.dispose();
  }
}

function readAnswer(line: string, never: boolean): { value: TrustAnswer } | { again: string } {
  const word = line.trim().toLowerCase();
  if (word === 'y' || word === 'yes') return { value: 'yes' };
  if (word === 'n' || word === 'no' || word === '') return { value: 'no' };
  if (never && word === 'never') return { value: 'never' };
  return { again: never ? 'y, n, or never to be asked no more about this.' : 'y or n.' };
}
