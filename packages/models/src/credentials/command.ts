/**
 * A command whose output is a key or a header. It may take 30 seconds, what it started goes with it then, and nothing
 * but its fate is ever told: the command and its own words may hold a secret.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { TauError } from '@tau/core';
import { afterReading } from '../after-reading.ts';

const timeoutMs = 30_000;
const maxBytes = 64 * 1024;
/** How long output may still come once the command is over: something it left behind may keep the pipe open. */
const drainMs = 500;

export interface CommandOptions {
  env: NodeJS.ProcessEnv;
  /** Who it is, as in "The key command of mine". */
  what: string;
  /** How to see why it failed. */
  remedy: string;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/** The first line of what it printed. */
export async function firstLine(command: string, options: CommandOptions): Promise<string> {
  const outcome = await run(command, options);
  const line = outcome.output.trim().split(/\r?\n/, 1)[0]?.trim() ?? '';
  const fate = outcome.fate ?? (line === '' ? 'printed nothing' : undefined);
  if (fate === undefined) return line;
  throw new TauError('credentials', `${options.what} ${fate}`, { remedy: options.remedy });
}

interface Outcome {
  output: string;
  /** Why there is nothing to use. */
  fate?: string;
}

async function run(command: string, options: CommandOptions): Promise<Outcome> {
  if (options.signal?.aborted) return { output: '', fate: 'was interrupted' };
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    // A group of its own, so that what it started can be ended with it.
    const child = spawn('/bin/sh', ['-c', command], {
      env: withOwnPrograms(options.env),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let fate: string | undefined;
    let drain: NodeJS.Timeout | undefined;
    const stop = (why: string) => {
      fate ??= why;
      killGroup(child);
      child.stdout.destroy();
    };
    const limit = options.timeoutMs ?? timeoutMs;
    const timer = setTimeout(() => stop(`was not done after ${limit / 1000} s`), limit);
    const abort = () => stop('was interrupted');
    options.signal?.addEventListener('abort', abort);
    const done = (outcome: Outcome) => {
      clearTimeout(timer);
      clearTimeout(drain);
      options.signal?.removeEventListener('abort', abort);
      resolve(outcome);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) stop('printed more than a key');
      else chunks.push(chunk);
    });
    child.once('error', () => done({ output: '', fate: 'failed: /bin/sh could not be started' }));
    child.once('exit', () => {
      drain = setTimeout(() => afterReading(() => child.stdout.destroy()), drainMs);
    });
    child.once('close', (code, signal) => {
      const ended = code === 0 ? undefined : `failed ${signal ? `by ${signal}` : `with exit code ${code}`}`;
      const why = fate ?? ended;
      done({ output: Buffer.concat(chunks).toString('utf8'), ...(why !== undefined && { fate: why }) });
    });
  });
}

/** The programs that its words name are the user's, never ones of the project tau was started in. */
function withOwnPrograms(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (env.PATH === undefined) return env;
  const project = projectAround(process.cwd(), env.HOME);
  const isOwn = (folder: string) => isAbsolute(folder) && !`${realFolder(folder)}${sep}`.startsWith(`${project}${sep}`);
  return { ...env, PATH: env.PATH.split(delimiter).filter(isOwn).join(delimiter) };
}

/** The repository that a folder is in, else the folder. One of the home itself is no project. */
function projectAround(cwd: string, home: string | undefined): string {
  const own = home === undefined ? undefined : realFolder(home);
  for (let folder = cwd; folder === cwd || folder !== own; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return cwd;
  }
  return cwd;
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
