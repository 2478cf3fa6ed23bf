/** tmux with a shell in it, private to a test. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from './pty.ts';

const run = promisify(execFile);

export interface Tmux {
  /** Runs a command of tmux, or several with `;` between them. */
  tmux(...args: string[]): Promise<string>;
  /** Scrollback and screen, rows that were broken joined again. */
  lines(): Promise<string[]>;
  until(isThere: (lines: string[]) => boolean): Promise<string[]>;
  close(): Promise<void>;
}

/** One for all tests of a file, and the program to start in it. */
export function useTmux(columns: number, rows: number): { session(): Tmux; app(): string } {
  let app: Awaited<ReturnType<typeof buildApp>>;
  let session: Tmux;
  beforeAll(async () => {
    [app, session] = await Promise.all([buildApp(), openTmux(columns, rows)]);
  });
  afterAll(async () => {
    await session.close();
    await app.remove();
  });
  return { session: () => session, app: () => app.file };
}

export async function openTmux(columns: number, rows: number): Promise<Tmux> {
  const folder = await mkdtemp(join(tmpdir(), 'tau-tmux-'));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMUX_TMPDIR: folder,
    HISTFILE: '/dev/null',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  };
  const tmux = async (...args: string[]) => (await run('tmux', ['-L', 'tau', ...args], { env })).stdout;

  async function lines(): Promise<string[]> {
    const shown = (await tmux('capture-pane', '-p', '-J', '-S', '-')).split('\n').map((line) => line.trimEnd());
    while (shown.at(-1) === '') shown.pop();
    return shown;
  }

  const shell = "env PS1='$ ' bash --norc --noprofile -i";
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), shell);
  await tmux('set', '-g', 'history-limit', '5000');
  return {
    tmux,
    lines,
    async until(isThere) {
      for (let tries = 0; tries < 600; tries++) {
        const shown = await lines();
        if (isThere(shown)) return shown;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      throw new Error(`waited in vain:\n${(await lines()).join('\n')}`);
    },
    async close() {
      await tmux('kill-server');
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
