/** The line mode in a real terminal, made by `script`: keys go in, and the test waits for what the screen shows. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Sandbox } from '@tau/testkit';
import { expect, onTestFinished } from 'vitest';

export interface Typing {
  type(keys: string): void;
  /** Waits until this stands behind everything that was waited for before. */
  shows(text: string): Promise<void>;
  /** Everything so far, without colours and movements. */
  screen(): string;
  bytes(): string;
  kill(signal: NodeJS.Signals): void;
  done: Promise<{ code: number; restored: boolean }>;
}

export const keys = {
  enter: '\r',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlZ: '\u001a',
  up: '\u001b[A',
  paste: ['\u001b[200~', '\u001b[201~'],
};

/** The line that says tau is working, drawn or taken away. */
const movingLine = new RegExp(`\\r(?:[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [^${'\u001b'}]*)?${'\u001b'}\\[K`, 'g');

const binary = join(import.meta.dirname, '../bin/tau.cjs');
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

export function startTyping(
  { home, project, read }: Pick<Sandbox, 'home' | 'project' | 'read'>,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Typing {
  const command = [process.execPath, binary, ...args].map(quote).join(' ');
  const inner = `echo $$ > "$HOME/pid"; exec ${command}`;
  // A terminal that makes signals of its keys sends them to the shell around as well.
  const around = `trap : INT; stty cols 100 rows 30; stty -g > "$HOME/before"; sh -c ${quote(inner)}; echo $? > "$HOME/code"; stty -g > "$HOME/after"`;
  const child = spawn('script', ['-q', '-f', '-c', around, join(home, 'typescript')], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      TAU_SANDBOX_ENABLED: 'false',
      TAU_PLAIN: '1',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let bytes = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    bytes += text;
  });
  const screen = () => stripVTControlCharacters(bytes.replaceAll(movingLine, '')).replaceAll('\r\n', '\n');
  // Nothing is there when the test is over and the terminal was killed with it.
  const inHome = (name: string) => (existsSync(join(home, name)) ? read(join(home, name)) : '');
  return {
    screen,
    bytes: () => bytes,
    type: (text) => void child.stdin.write(text),
    async shows(text) {
      await expect.poll(() => screen().slice(seen)).toContain(text);
      seen = screen().indexOf(text, seen) + text.length;
    },
    kill: (signal) => void process.kill(Number(inHome('pid')), signal),
    done: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => {
        child.stdin.destroy();
        const restored = inHome('before') !== '' && inHome('before') === inHome('after');
        resolve({ code: Number(inHome('code')), restored });
      });
    }),
  };
}
