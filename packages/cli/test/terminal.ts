/** The command in a real terminal, made by `script`: what a person would see, byte for byte. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Sandbox } from '@tau/testkit';
import { onTestFinished } from 'vitest';

export interface Seen {
  code: number | null;
  /** Everything the terminal got, both streams as they came, with its own line ends undone. */
  screen: string;
}

const binary = join(import.meta.dirname, '../bin/tau.cjs');
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** `redirect` is shell, as in `2>err.txt`. */
export function inTerminal(
  { home, project }: Pick<Sandbox, 'home' | 'project'>,
  args: readonly string[],
  { env = {}, redirect = '' }: { env?: Record<string, string>; redirect?: string } = {},
): Promise<Seen> {
  const command = `${[process.execPath, binary, ...args].map(quote).join(' ')} ${redirect}`;
  const child = spawn('script', ['-q', '-e', '-f', '-c', command, join(home, 'typescript')], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      TAU_SANDBOX_ENABLED: 'false',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      child.stdin.destroy();
      resolve({ code, screen: screen.replaceAll('\r\n', '\n') });
    });
  });
}

/** Every change of colour. */
export const colours = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');

/** What is left on the screen in the end: what was erased is gone, colours are not looked at. */
export function leftOn(screen: string): string {
  const erased = screen
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', ''));
  return erased.join('\n').replaceAll(colours, '');
}
