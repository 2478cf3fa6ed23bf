/**
 * A line of the user's own in the footer: what a command of the settings prints. It is told about the conversation as
 * JSON on stdin, runs beside the screen, and when it is slow or fails what it said before stays.
 */
import { createAnsiText, type Theme } from '@tau/tui';
import { runProgram } from './program.ts';

export interface StatusLineOptions {
  command: string | undefined;
  /** What the command is told. */
  about(): unknown;
  theme: Theme;
  env: NodeJS.ProcessEnv;
  cwd: string;
  onChange(): void;
  /** It failed: said once. */
  onProblem(text: string): void;
}

export interface StatusLine {
  /** Undefined while there is none. */
  lines(width: number): readonly string[] | undefined;
  /** Something it is told about has changed. */
  refresh(): void;
  close(): void;
}

const waitMs = 5000;
/** Changes that come together are told together. */
const quietMs = 300;
const maxChars = 4000;
const maxLines = 3;

export function createStatusLine(options: StatusLineOptions): StatusLine {
  const { command, about, theme, env, cwd, onChange, onProblem } = options;
  const end = new AbortController();
  let text: ReturnType<typeof createAnsiText> | undefined;
  let said: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isDue = false;
  let hasFailed = false;

  async function run(shell: string): Promise<void> {
    isRunning = true;
    const input = JSON.stringify(about());
    const limits = { waitMs, maxOutput: maxChars, signal: end.signal };
    const { code, output } = await runProgram('/bin/sh', ['-c', shell], { env, cwd, input, ...limits });
    isRunning = false;
    if (end.signal.aborted) return;
    if (code === 0) show(output);
    else if (!hasFailed) {
      hasFailed = true;
      onProblem(`The command of the status line ${code === undefined ? 'took too long' : `ended with ${code}`}`);
    }
    if (isDue) later();
  }

  function show(output: string): void {
    const next = output.trimEnd().split('\n').slice(0, maxLines).join('\n');
    if (next === said) return;
    said = next;
    text = next === '' ? undefined : createAnsiText({ theme, text: next });
    onChange();
  }

  function later(): void {
    if (command === undefined || end.signal.aborted) return;
    isDue = true;
    if (isRunning || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      isDue = false;
      void run(command);
    }, quietMs);
    timer.unref();
  }

  return {
    lines: (width) => text?.render(width).slice(0, maxLines),
    refresh: later,
    close() {
      clearTimeout(timer);
      end.abort();
    },
  };
}
