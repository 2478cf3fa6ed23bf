/** One background command: its output, what of it the model has not seen, and its end. */
import type { Host, ProcessResult, Running } from '@tau/host';
import { containedBy, type Held, refusedLine } from '../bash/contain.ts';
import { type Log, openLog } from '../bash/log.ts';
import { readable } from '../bash/readable.ts';
import { type OutputTail, outputTail } from '../bash/tail.ts';
import { firstChars, lastChars } from '../text/clip.ts';

const maxLastChars = 2000;
const maxCommandChars = 200;

export interface Job {
  readonly id: string;
  readonly command: string;
  readonly logPath: string | undefined;
  /** Where the whole output is, or why it is not. */
  account(): string;
  /** What the sandbox refused until now, as a line for the model. */
  refused(): string | undefined;
  /** Undefined while it runs. */
  result(): ProcessResult | undefined;
  runtimeMs(): number;
  /** What it printed since the last look. */
  look(): { text: string; truncated: boolean };
  /** The last lines, whether they were looked at or not. */
  lastLines(): string;
  kill(): Promise<void>;
  /** Resolves when it has ended, the time is over or the signal fires. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** `onEnd` gets false when somebody knows already: who killed it, or who waits for it. */
export async function startJob(
  host: Host,
  options: { id: string; command: string; readOnly?: boolean; held?: Held; onEnd(unexpected: boolean): void },
): Promise<Job> {
  const { id, command, readOnly = false, held, onEnd } = options;
  const log: Log = openLog();
  const started = Date.now();
  let unseen: OutputTail = outputTail(' new ones');
  let last = '';
  let result: ProcessResult | undefined;
  let killed = false;
  let waiting = 0;
  const onOutput = (chunk: string) => {
    log.append(chunk);
    unseen.push(chunk);
    // One more than is told, to see that something was cut.
    last = (last + chunk).slice(-maxLastChars - 1);
  };
  const request = { command, readOnly, onOutput, ...containedBy(held) };
  const running = await host.processes.start(request).catch((error: unknown) => {
    log.close();
    held?.done();
    throw error;
  });
  const ended = finish(running);

  async function finish(of: Running): Promise<void> {
    result = await of.ended;
    log.close();
    held?.done();
    onEnd(!killed && waiting === 0);
  }

  return {
    id,
    command,
    logPath: log.path,
    account: log.account,
    refused: () => held && refusedLine(held, result?.exitCode === 0),
    result: () => result,
    runtimeMs: () => result?.durationMs ?? Date.now() - started,
    look() {
      const seen = unseen;
      unseen = outputTail(' new ones');
      return { text: seen.shown(log.account), truncated: seen.over() };
    },
    lastLines() {
      if (last.length <= maxLastChars) return readable(last).trimEnd();
      const end = lastChars(last, maxLastChars);
      // The first of them may be half a line, or half an escape; but it is better than none.
      return readable(end.slice(end.indexOf('\n') + 1)).trimEnd() || readable(end).trimEnd();
    },
    async kill() {
      killed = true;
      await running.kill();
      await ended;
    },
    async wait(ms, signal) {
      if (result || signal.aborted) return;
      waiting += 1;
      let stop = () => {};
      const over = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        const onAbort = () => resolve();
        signal.addEventListener('abort', onAbort, { once: true });
        stop = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
      });
      await Promise.race([ended, over]);
      stop();
      waiting -= 1;
    },
  };
}

/** One short line, whatever the command looks like. */
export function commandName(command: string): string {
  const line = command.trim().replace(/\s+/g, ' ');
  return line.length > maxCommandChars ? `${firstChars(line, maxCommandChars)}…` : line;
}

/** How it ended, as words that follow its name. */
export function endWords({ exitCode, signal, left }: ProcessResult): string {
  const how = exitCode === null ? `was killed by ${signal ?? 'a signal'}` : `ended with exit code ${exitCode}`;
  return left ? `${how}; ${leftWords(left)}` : how;
}

/** What is said of processes that a finished command left in its group. */
export function leftWords({ group, killed, contained }: NonNullable<ProcessResult['left']>): string {
  if (contained) return 'processes it left behind were ended with it, as all in the sandbox; use background: true';
  if (killed) return 'processes it left behind were killed, because too many commands have left some';
  return `a process it started still runs in the background and ends with tau (stop it with: kill -- -${group})`;
}
