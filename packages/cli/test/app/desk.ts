/**
 * Somebody at a desk with tau in a real terminal. The terminal watches: no full clear, no line too wide, and all of it given
 * back at the end, for every conversation that is held here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTerminal, type Sandbox, type TestTerminal } from '@tau/testkit';
import { graphemeWidth } from '@tau/tui';
import { expect, onTestFinished, vi } from 'vitest';

export const keys = {
  enter: '\r',
  altEnter: '\u001b\r',
  altUp: '\u001b[1;3A',
  escape: '\u001b',
  up: '\u001b[A',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlO: '\u000f',
  ctrlZ: '\u001a',
  pasteBegin: '\u001b[200~',
  pasteEnd: '\u001b[201~',
};

export interface Desk extends TestTerminal {
  /** Ended by itself: its exit code, with the terminal as it was before. */
  leaves(): Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

export interface DeskOptions {
  args?: readonly string[];
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}

const binary = join(import.meta.dirname, '../../bin/tau.cjs');
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

export function deskEnv(home: string, env: Record<string, string> = {}): Record<string, string> {
  return {
    ...{ PATH: process.env.PATH ?? '', HOME: home, SHELL: '/bin/sh', LANG: 'C.UTF-8', TAU_SANDBOX_ENABLED: 'false' },
    // The device is one of the xterm.js family and does not say so by itself.
    ...{ TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' },
    ...env,
  };
}

/** How tau is started by a shell. */
export const tauLine = (args: readonly string[] = []) => [process.execPath, binary, ...args].map(quote).join(' ');

export async function openDesk(
  { home, project }: Pick<Sandbox, 'home' | 'project'>,
  { args = [], env = {}, columns = 80, rows = 24 }: DeskOptions = {},
): Promise<Desk> {
  const inner = `echo $$ > "$HOME/pid"; exec ${tauLine(args)}`;
  const around = `stty -g > "$HOME/before"; sh -c ${quote(inner)}; code=$?; stty -g > "$HOME/after"; exit $code`;
  const terminal = await openTerminal({
    ...{ file: 'sh', args: ['-c', around], cwd: project, env: deskEnv(home, env), columns, rows },
    widthOf: graphemeWidth,
  });
  const inHome = (name: string) => (existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : '');
  const kill = (signal: NodeJS.Signals) => void process.kill(Number(inHome('pid')), signal);
  onTestFinished(async () => {
    // The shell around would wait for it.
    if (inHome('after') === '' && inHome('pid') !== '') tryTo(() => kill('SIGKILL'));
    await terminal.close();
  });
  return {
    ...terminal,
    get isAlternate() {
      return terminal.isAlternate;
    },
    kill,
    async leaves() {
      const { code } = await terminal.done;
      expect(terminal.faults()).toEqual([]);
      expect(terminal.leftOn()).toEqual([]);
      expect(inHome('after')).toBe(inHome('before'));
      return code;
    },
  };
}

function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // It has ended already.
  }
}

/** Waits for what is no text on the screen. */
export function eventually(holds: () => void): Promise<void> {
  return vi.waitFor(holds, { timeout: 20_000, interval: 20 });
}

/** Lines as they are on every machine: without durations, and without the folder, which the footer puts first. */
export function steady(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/^\/\S*tau-sandbox-\S+ +/, '(project) ').replace(/\b\d+(?:\.\d)? s\b/g, 'n s'))
    .join('\n');
}
