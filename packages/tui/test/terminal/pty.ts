/** A real pty with a shell in it, shown on a virtual terminal that answers queries as a real one does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { build } from 'esbuild';
import { createVirtualTerminal, type VirtualTerminal } from './virtual.ts';

export interface PtyShell {
  terminal: VirtualTerminal;
  type(data: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when it is on the screen or above it; fails with what is there instead. */
  until(wanted: string | (() => boolean)): Promise<void>;
  /** Everything the programs in it wrote. */
  output(): string;
  close(): Promise<void>;
}

export function openShell(columns = 80, rows = 24): PtyShell {
  // The virtual terminal is one of the xterm.js family and does not say so by itself.
  const terminalNames = { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' };
  const env = { PATH: process.env.PATH ?? '', PS1: '$ ', HOME: tmpdir(), LANG: 'C.UTF-8', ...terminalNames };
  const child = spawn('bash', ['--norc', '--noprofile', '-i'], { cols: columns, rows, env, cwd: tmpdir() });
  const terminal = createVirtualTerminal({
    columns,
    rows,
    reflowCursorLine: false,
    onAnswer: (data) => child.write(data),
  });
  let output = '';
  let failure: unknown;
  const listeners = new Set<() => void>();
  child.onData((data) => {
    output += data;
    try {
      terminal.write(data);
    } catch (error) {
      failure ??= error;
    }
    for (const listener of [...listeners]) listener();
  });
  const ended = new Promise<void>((resolve) => child.onExit(() => resolve()));
  /** A frame has begun and the rest of it has not arrived: it may be read in pieces. */
  const isDrawing = () => output.lastIndexOf('\u001b[?7l') > output.lastIndexOf('\u001b[?7h');

  return {
    terminal,
    type: (data) => child.write(data),
    resize(newColumns, newRows) {
      terminal.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    async until(wanted) {
      const isThere =
        typeof wanted === 'string' ? () => terminal.linesOf().some((line) => line.includes(wanted)) : wanted;
      await new Promise<void>((resolve, reject) => {
        const check = () => {
          if (failure !== undefined) return done(() => reject(failure));
          if (!isDrawing() && isThere()) done(resolve);
        };
        const timer = setTimeout(() => {
          done(() => reject(new Error(`waited for ${wanted} in vain:\n${terminal.linesOf().join('\n')}`)));
        }, 20_000);
        const done = (finish: () => void) => {
          clearTimeout(timer);
          listeners.delete(check);
          finish();
        };
        listeners.add(check);
        check();
      });
    },
    output: () => output,
    async close() {
      child.kill('SIGHUP');
      const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The test program as one file that node runs. */
export async function buildApp(): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tau-tui-app-'));
  const file = join(folder, 'app.mjs');
  await build({
    entryPoints: [new URL('app.ts', import.meta.url).pathname],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}
