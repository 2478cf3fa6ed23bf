/** A process under test: its output as it comes, a way to wait for a sign of life, and an end that is certain. */
import { type ChildProcess, spawn } from 'node:child_process';
import { isRecord, TauError } from '@tau/core';

const killAfterMs = 60_000;

export interface TauRun {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  /** Standard output as JSON lines. Throws, naming the line, when one is no JSON object. */
  events(): Record<string, unknown>[];
}

export interface RunningTau {
  child: ChildProcess;
  /** Rejects, with the output so far, when the process outlives the kill timer. */
  done: Promise<TauRun>;
  /** Resolves when the output holds the pattern; rejects when the process ends without it. Default `stdout`. */
  waitFor(pattern: RegExp | string, stream?: 'stdout' | 'stderr'): Promise<void>;
  /** What it has written until now. */
  soFar(stream: 'stdout' | 'stderr'): string;
  /** With an input that was left open: a line of text, or of JSON. */
  send(line: unknown): void;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
}

interface LaunchOptions {
  cwd: string;
  env: Record<string, string>;
  stdin?: string | undefined;
  /** The input stays open behind what `stdin` holds. */
  openStdin?: boolean | undefined;
  timeoutMs?: number;
}

export function launch(command: string, args: readonly string[], options: LaunchOptions): RunningTau {
  const { cwd, env, stdin, openStdin = false, timeoutMs = killAfterMs } = options;
  // Its own group and no terminal: nobody is there to be asked, and whatever it started can be ended with it.
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: [stdin === undefined && !openStdin ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  const checks = new Set<() => void>();
  const collect = (name: 'stdout' | 'stderr') => {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const check of checks) check();
    });
  };
  collect('stdout');
  collect('stderr');
  // A process may end without reading its input; how it ended is what counts.
  child.stdin?.on('error', () => {});
  if (openStdin) child.stdin?.write(stdin ?? '');
  else child.stdin?.end(stdin);

  const done = new Promise<TauRun>((resolve, reject) => {
    const timer = setTimeout(() => {
      killGroup(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
      reject(failure(`${[command, ...args].join(' ')} was still running after ${timeoutMs} ms`, output));
    }, timeoutMs);
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new TauError('process', `cannot start ${command}: ${cause.message}`, { cause }));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, ...output, events: () => parseLines(output.stdout) });
    });
  });

  return {
    child,
    done,
    async waitFor(pattern, stream = 'stdout') {
      const found = () =>
        typeof pattern === 'string' ? output[stream].includes(pattern) : output[stream].search(pattern) >= 0;
      if (found()) return;
      const seen = new Promise<void>((resolve) => {
        const check = () => {
          if (!found()) return;
          checks.delete(check);
          resolve();
        };
        checks.add(check);
      });
      const ended = done.then(() => {
        if (!found()) throw failure(`the process ended and its ${stream} never held ${pattern}`, output);
      });
      await Promise.race([seen, ended]);
    },
    soFar: (stream) => output[stream],
    send: (line) => void child.stdin?.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    endInput: () => void child.stdin?.end(),
    kill: (signal) => void child.kill(signal),
  };
}

/** Ends the process and everything still in its group. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function failure(what: string, output: { stdout: string; stderr: string }): TauError {
  return new TauError('process', `${what}\n--- stdout\n${output.stdout}\n--- stderr\n${output.stderr}`);
}

function parseLines(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, at) => {
    const value = parse(line);
    if (isRecord(value)) return value;
    throw new TauError('process', `event ${at + 1} on stdout is not a JSON object: ${line}`);
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
