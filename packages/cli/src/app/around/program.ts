/** Runs one of the user's programs beside the screen: never at the terminal, never for long, and with all that it started. */
import { withOwnPrograms } from '@tau/agent';

export interface ProgramOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  input?: string;
  waitMs: number;
  /** Characters of its output that are kept; what is more is not read. */
  maxOutput: number;
  /** Its output is no text: each character stands for a byte. */
  inBytes?: boolean;
  signal?: AbortSignal;
}

export interface ProgramEnd {
  /** Undefined when it could not be started, was stopped, or took too long. */
  code: number | undefined;
  output: string;
}

export async function runProgram(name: string, args: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const { env, cwd, input = '', waitMs, maxOutput, inBytes = false, signal } = options;
  const { spawn } = await import('node:child_process');
  if (signal?.aborted) return { code: undefined, output: '' };
  return new Promise((resolve) => {
    const output: string[] = [];
    let left = maxOutput;
    const stdio = ['pipe', maxOutput > 0 ? 'pipe' : 'ignore', 'ignore'] as const;
    // A group of its own: it ends with everything it started, and Ctrl+C is not its business.
    const child = spawn(name, args, {
      env: withOwnPrograms(env),
      ...(cwd && { cwd }),
      stdio: [...stdio],
      detached: true,
    });
    const end = (code: number | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve({ code, output: output.join('') });
    };
    const stop = () => {
      kill(child.pid);
      end(undefined);
    };
    const timer = setTimeout(stop, waitMs);
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', () => end(undefined));
    // A program that leaves something behind, as xclip does, has ended all the same; its last words come before that.
    // Bytes are wanted to the last.
    child.once(inBytes ? 'close' : 'exit', (code: number | null) => setImmediate(() => end(code ?? undefined)));
    child.stdout?.setEncoding(inBytes ? 'latin1' : 'utf8').on('data', (text: string) => {
      if (left > 0) output.push(text.slice(0, left));
      left -= text.length;
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
